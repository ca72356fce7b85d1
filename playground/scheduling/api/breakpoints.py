"""GET, POST, DELETE breakpoints/; DELETE breakpoints/{id}/."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters.selectors import cluster_get
from playground.scheduling.api.answers import PROBLEM, an_object, described, json_answer
from playground.scheduling.engine.breakpoints import Breakpoint
from playground.scheduling.services.breakpoints import (
    breakpoint_remove,
    breakpoint_set,
    breakpoints_clear,
    breakpoints_of,
)
from scheduler_core.framework.interface import ExtensionPoint

# Those of a scheduling cycle; a binding cycle runs elsewhere and stops nothing.
_POINTS = [
    point.value
    for point in (
        ExtensionPoint.PRE_FILTER,
        ExtensionPoint.FILTER,
        ExtensionPoint.POST_FILTER,
        ExtensionPoint.PRE_SCORE,
        ExtensionPoint.SCORE,
        ExtensionPoint.RESERVE,
        ExtensionPoint.PERMIT,
    )
]


class BreakpointList(msgspec.Struct, kw_only=True):
    breakpoints: list[Breakpoint]


class WantedBreakpointSerializer(serializers.Serializer[Any]):
    """What to stop at."""

    on = serializers.ChoiceField(
        choices=["pod", "plugin", "failure", "preemption"],
        help_text="pod: before its cycle. The others: after the cycle in which it happened.",
    )
    namespace = serializers.CharField(required=False, default="", allow_blank=True, max_length=63)
    name = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=253, help_text="Of the pod; * stands for any letters."
    )
    plugin = serializers.CharField(required=False, default="", allow_blank=True, max_length=253)
    point = serializers.ChoiceField(required=False, default="", choices=_POINTS, allow_blank=True)
    when = serializers.ChoiceField(
        required=False, default="rejects", choices=["rejects", "runs"], help_text="on plugin: what it has to do."
    )


class BreakpointsView(APIView):
    @extend_schema(
        operation_id="breakpoints_list",
        responses={200: described(BreakpointList), 404: PROBLEM},
        summary="Where the cluster is to be paused",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return json_answer(BreakpointList(breakpoints=breakpoints_of(cluster_get(slug))))

    @extend_schema(
        operation_id="breakpoints_create",
        request=WantedBreakpointSerializer,
        responses={201: described(Breakpoint), 404: PROBLEM, 422: PROBLEM},
        summary="Pause before a pod's cycle, or after one with a rejection, a failure, a preemption",
        description="The cluster's card says in `paused_by` which one was hit, and by whom.",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        wanted = WantedBreakpointSerializer(data=an_object(request.data))
        wanted.is_valid(raise_exception=True)
        return json_answer(breakpoint_set(cluster_id=cluster_get(slug).pk, **wanted.validated_data), 201)

    @extend_schema(operation_id="breakpoints_clear", responses={204: None, 404: PROBLEM}, summary="Remove all of them")
    def delete(self, request: Request, slug: str) -> HttpResponse:
        breakpoints_clear(cluster_id=cluster_get(slug).pk)
        return HttpResponse(status=204)


class BreakpointView(APIView):
    @extend_schema(operation_id="breakpoints_destroy", responses={204: None, 404: PROBLEM}, summary="Remove one")
    def delete(self, request: Request, slug: str, id: int) -> HttpResponse:
        breakpoint_remove(cluster_id=cluster_get(slug).pk, id=id)
        return HttpResponse(status=204)
