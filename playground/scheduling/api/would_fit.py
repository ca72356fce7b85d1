"""POST would-fit/."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters.selectors import cluster_get
from playground.common.errors import BadRequest
from playground.scheduling.api.answers import PROBLEM, an_object, described, json_answer
from playground.scheduling.services.would_fit import Question, WouldFitAnswer, manifest_would_fit, pod_would_fit


class WouldFitSerializer(serializers.Serializer[Any]):
    """Either a manifest, or the name of a pod that is there."""

    pod = serializers.DictField(required=False, help_text="A Pod's manifest; metadata.name may be left out.")
    namespace = serializers.CharField(required=False, default="default")
    name = serializers.CharField(required=False)
    explain = serializers.BooleanField(
        required=False, default=False, help_text="Name every plugin that rejects a node, not only the first."
    )
    configuration = serializers.DictField(
        required=False, help_text="A KubeSchedulerConfiguration to ask instead of the running one."
    )


class WouldFitView(APIView):
    @extend_schema(
        operation_id="would_fit",
        request=WouldFitSerializer,
        responses={200: described(WouldFitAnswer), 400: PROBLEM, 404: PROBLEM, 422: PROBLEM},
        summary="Ask the engine about a pod on every node, without changing anything",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        asked = WouldFitSerializer(data=an_object(request.data))
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        if ("pod" in wanted) == ("name" in wanted):
            raise BadRequest('the body needs either "pod" (a manifest) or "name" and "namespace" of a pod')
        cluster = cluster_get(slug)
        question = Question(explain=wanted["explain"], configuration=wanted.get("configuration"))
        if "pod" in wanted:
            return json_answer(manifest_would_fit(cluster=cluster, manifest=wanted["pod"], question=question))
        return json_answer(
            pod_would_fit(cluster=cluster, namespace=wanted["namespace"], name=wanted["name"], question=question)
        )
