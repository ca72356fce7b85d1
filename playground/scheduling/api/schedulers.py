"""schedulers/: the kube-schedulers of a cluster, their configurations and their processes."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters.models import Cluster
from playground.clusters.selectors import cluster_get
from playground.clusters.services.transaction import cluster_transaction
from playground.common.bodies import JSONBodyParser, YAMLBodyParser
from playground.common.errors import Cause, Invalid
from playground.scheduling.api.answers import PROBLEM, an_object, described, json_answer
from playground.scheduling.api.profiles import ProfilesAnswer, profiles_answer, profiles_written
from playground.scheduling.selectors.scheduler_cards import SchedulerCard, scheduler_card, scheduler_cards
from playground.scheduling.selectors.schedulers import scheduler_get
from playground.scheduling.services.profiles import configuration_get
from playground.scheduling.services.schedulers import (
    ACTIONS,
    scheduler_deploy,
    scheduler_process,
    scheduler_remove,
    scheduler_scale,
)


class SchedulersAnswer(msgspec.Struct, kw_only=True):
    # In order of deployment; the first is the one that endpoints without a name are about.
    results: list[SchedulerCard]


class DeploySerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="A DNS label.")
    replicas = serializers.IntegerField(required=False, default=1, help_text="Processes; one of them leads.")
    document = serializers.DictField(
        required=False, help_text="Its KubeSchedulerConfiguration; without one it runs the defaults."
    )
    feature_gates = serializers.DictField(required=False, child=serializers.BooleanField())


class ScaleSerializer(serializers.Serializer[Any]):
    replicas = serializers.IntegerField(help_text="Processes; one of them leads.")


def _checked(serializer: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """Raises BadRequest, ValidationError, Invalid for a field that is not known."""
    body = an_object(data)
    wanted = serializer(data=body)
    unknown = sorted(set(body) - set(wanted.fields))
    if unknown:
        known = ", ".join(wanted.fields)
        causes = [Cause(path=name, message=f"unknown field; known are {known}") for name in unknown]
        raise Invalid(f"unknown fields: {', '.join(unknown)}; known are {known}", causes)
    wanted.is_valid(raise_exception=True)
    return dict(wanted.validated_data)


def _card(cluster: Cluster, name: str) -> SchedulerCard:
    return scheduler_card(scheduler_get(cluster_id=cluster.pk, name=name))


class SchedulersView(APIView):
    @extend_schema(
        operation_id="schedulers_list",
        responses={200: described(SchedulersAnswer), 404: PROBLEM},
        summary="The schedulers of a cluster: who leads, who stands by and why",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return json_answer(SchedulersAnswer(results=scheduler_cards(cluster_id=cluster_get(slug).pk)))

    @extend_schema(
        operation_id="schedulers_create",
        request=DeploySerializer,
        responses={201: described(SchedulerCard), 404: PROBLEM, 409: PROBLEM, 422: PROBLEM},
        summary="Deploy one more scheduler",
        description=(
            "It has a queue and a cache of its own. With the default leaderElection it competes for the same Lease "
            "as the cluster's first scheduler and stands by: give it a resourceName of its own, or leaderElect: false."
        ),
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        wanted = _checked(DeploySerializer, request.data)
        cluster = cluster_get(slug)
        with cluster_transaction(cluster.pk) as tx:
            scheduler_deploy(tx, **wanted)
        return json_answer(_card(cluster, wanted["name"]), status=201)


class SchedulerView(APIView):
    @extend_schema(
        operation_id="schedulers_retrieve",
        responses={200: described(SchedulerCard), 404: PROBLEM},
        summary="One scheduler of a cluster",
    )
    def get(self, request: Request, slug: str, name: str) -> HttpResponse:
        return json_answer(_card(cluster_get(slug), name))

    @extend_schema(
        operation_id="schedulers_partial_update",
        request=ScaleSerializer,
        responses={200: described(SchedulerCard), 404: PROBLEM, 422: PROBLEM},
        summary="How many processes it has",
    )
    def patch(self, request: Request, slug: str, name: str) -> HttpResponse:
        wanted = _checked(ScaleSerializer, request.data)
        cluster = cluster_get(slug)
        with cluster_transaction(cluster.pk) as tx:
            scheduler_scale(tx, name=name, **wanted)
        return json_answer(_card(cluster, name))

    @extend_schema(
        operation_id="schedulers_destroy",
        responses={204: None, 400: PROBLEM, 404: PROBLEM},
        summary="Take a scheduler away; what it decided is still told",
    )
    def delete(self, request: Request, slug: str, name: str) -> HttpResponse:
        with cluster_transaction(cluster_get(slug).pk) as tx:
            scheduler_remove(tx, name=name)
        return HttpResponse(status=204)


class SchedulerProfilesView(APIView):
    parser_classes = (YAMLBodyParser, JSONBodyParser)

    @extend_schema(
        operation_id="scheduler_profiles_retrieve",
        responses={200: described(ProfilesAnswer), 404: PROBLEM},
        summary="The KubeSchedulerConfiguration a scheduler runs with",
    )
    def get(self, request: Request, slug: str, name: str) -> HttpResponse:
        scheduler = scheduler_get(cluster_id=cluster_get(slug).pk, name=name)
        return json_answer(profiles_answer(configuration_get(cluster=scheduler.cluster, scheduler=name)))

    @extend_schema(
        operation_id="scheduler_profiles_update",
        parameters=[OpenApiParameter("dry_run", bool, description="Check and compare only; nothing is written.")],
        request={"application/json": OpenApiTypes.OBJECT, "application/yaml": OpenApiTypes.STR},
        responses={200: described(ProfilesAnswer), 400: PROBLEM, 404: PROBLEM, 422: PROBLEM},
        summary="Run a scheduler with another KubeSchedulerConfiguration, as profiles/ does for the first one",
        description="Another leaderElection is read when its processes start, so they are started anew.",
    )
    def put(self, request: Request, slug: str, name: str) -> HttpResponse:
        scheduler = scheduler_get(cluster_id=cluster_get(slug).pk, name=name)
        return json_answer(profiles_written(request, scheduler.cluster, name))


class ReplicaActionView(APIView):
    @extend_schema(
        operation_id="scheduler_replicas_act",
        request=None,
        parameters=[OpenApiParameter("action", str, location="path", enum=list(ACTIONS))],
        responses={200: described(SchedulerCard), 404: PROBLEM},
        summary="Start, stop or kill a process of a scheduler",
        description=(
            "One that is stopped releases its Lease; one that is killed leaves it, and who stands by waits until it "
            "has run out. What the process knew (its queue, what it had assumed) is gone."
        ),
    )
    def post(self, request: Request, slug: str, name: str, number: int, action: str) -> HttpResponse:
        cluster = cluster_get(slug)
        with cluster_transaction(cluster.pk) as tx:
            scheduler_process(tx, name=name, number=number, action=action)
        return json_answer(_card(cluster, name))
