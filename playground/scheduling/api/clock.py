"""POST pause/, resume/, step/, speed/ and run-until-idle/."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters.cluster_card import cluster_card
from playground.clusters.selectors import cluster_get
from playground.clusters.services.clusters import cluster_pause, cluster_resume, cluster_speed
from playground.clusters.services.transaction import cluster_transaction
from playground.live.messages import ClusterCard
from playground.scheduling.api.answers import PROBLEM, an_object, described, json_answer
from playground.scheduling.services.idle import DEFAULT_SECONDS, LONGEST_SECONDS, IdleSummary, run_until_idle
from playground.scheduling.services.steps import step_request, step_wait
from playground.scheduling.wake import scheduler_of

# How long the answer to a step waits for it to be taken.
STEP_SECONDS = 5.0


class StepAnswer(msgspec.Struct, kw_only=True):
    cluster: ClusterCard
    # False: no worker took it in time; it will be taken when one comes.
    done: bool


class SpeedSerializer(serializers.Serializer[Any]):
    speed = serializers.FloatField(help_text="Cluster seconds per wall second.")


class RunUntilIdleSerializer(serializers.Serializer[Any]):
    timeout_seconds = serializers.FloatField(
        required=False, default=DEFAULT_SECONDS, min_value=0, max_value=LONGEST_SECONDS, help_text="Wall seconds."
    )


class PauseView(APIView):
    @extend_schema(
        operation_id="clusters_pause",
        request=None,
        responses={200: described(ClusterCard), 404: PROBLEM},
        summary="Stop the cluster's clock and its scheduling cycles",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        with cluster_transaction(cluster_get(slug).pk) as tx:
            cluster_pause(tx)
        return json_answer(cluster_card(tx.cluster))


class ResumeView(APIView):
    @extend_schema(
        operation_id="clusters_resume",
        request=None,
        responses={200: described(ClusterCard), 404: PROBLEM},
        summary="Let the clock run again",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        with cluster_transaction(cluster_get(slug).pk) as tx:
            cluster_resume(tx)
        return json_answer(cluster_card(tx.cluster))


class SpeedView(APIView):
    @extend_schema(
        operation_id="clusters_speed",
        request=SpeedSerializer,
        responses={200: described(ClusterCard), 404: PROBLEM, 422: PROBLEM},
        summary="How fast the cluster's time runs",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        wanted = SpeedSerializer(data=an_object(request.data))
        wanted.is_valid(raise_exception=True)
        with cluster_transaction(cluster_get(slug).pk) as tx:
            cluster_speed(tx, speed=wanted.validated_data["speed"])
        return json_answer(cluster_card(tx.cluster))


class StepView(APIView):
    @extend_schema(
        operation_id="clusters_step",
        request=None,
        responses={200: described(StepAnswer), 404: PROBLEM, 409: PROBLEM, 429: PROBLEM},
        summary="One scheduling cycle and its binding, while paused",
        description="With no pod in activeQ the clock jumps to the next thing that is due.",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        cluster = cluster_get(slug)
        scheduler_id, number = step_request(cluster=cluster)
        scheduler_of(cluster.pk).wake(cluster.pk)
        done = step_wait(scheduler_id=scheduler_id, number=number, seconds=STEP_SECONDS)
        return json_answer(StepAnswer(cluster=cluster_card(cluster_get(slug)), done=done))


class RunUntilIdleView(APIView):
    @extend_schema(
        operation_id="clusters_run_until_idle",
        request=RunUntilIdleSerializer,
        responses={200: described(IdleSummary), 404: PROBLEM, 422: PROBLEM},
        summary="Wait until nothing is left to do, and say how things stand",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        wanted = RunUntilIdleSerializer(data=an_object(request.data))
        wanted.is_valid(raise_exception=True)
        return json_answer(run_until_idle(slug=slug, **wanted.validated_data))
