"""GET history/, history/{version}/snapshot/, history/{version}/messages/; POST fork/."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters import history
from playground.clusters.answers import PROBLEM, an_object, described, json_answer, json_bytes
from playground.clusters.cluster_card import cluster_card
from playground.clusters.selectors import cluster_get
from playground.clusters.services.fork import cluster_fork
from playground.clusters.timeline import DEFAULT_SLOTS, MOST_SLOTS, Timeline, timeline
from playground.common.database import consistent_read
from playground.live import frames
from playground.live.feed_source import feed_source
from playground.live.messages import ClusterCard

MOST_MESSAGES, DEFAULT_MESSAGES = 2_000, 500
# No version is as large.
_BEYOND = 2**53


class HistorySerializer(serializers.Serializer[Any]):
    first = serializers.IntegerField(required=False, min_value=0, max_value=_BEYOND)
    last = serializers.IntegerField(required=False, min_value=0, max_value=_BEYOND)
    at = serializers.FloatField(required=False, help_text="A cluster time (seconds since the epoch).")
    slots = serializers.IntegerField(required=False, default=DEFAULT_SLOTS, min_value=1, max_value=MOST_SLOTS)


class MessagesSerializer(serializers.Serializer[Any]):
    limit = serializers.IntegerField(required=False, default=DEFAULT_MESSAGES, min_value=1, max_value=MOST_MESSAGES)


class ForkSerializer(serializers.Serializer[Any]):
    """From when, and under which name; everything may be left out."""

    version = serializers.IntegerField(
        required=False, default=None, allow_null=True, min_value=0, max_value=_BEYOND, help_text="Left out: now."
    )
    name = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)


class HistoryView(APIView):
    @extend_schema(
        operation_id="clusters_history",
        parameters=[HistorySerializer],
        responses={200: described(Timeline), 404: PROBLEM, 410: PROBLEM, 422: PROBLEM},
        summary="How far back the cluster can be seen, and what happened when",
        description="Versions from `first` to `last` in slots; `at` is answered with the version of that moment.",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        asked = HistorySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        with consistent_read():
            answer = timeline(
                cluster_get(slug),
                first=wanted.get("first"),
                last=wanted.get("last"),
                slots=wanted["slots"],
                at=wanted.get("at"),
            )
        return json_answer(answer)


class PastSnapshotView(APIView):
    @extend_schema(
        operation_id="clusters_history_snapshot",
        responses={200: OpenApiTypes.OBJECT, 404: PROBLEM, 410: PROBLEM},
        summary="The cluster as it was at a version: the snapshot frame that the WebSocket would have sent",
    )
    def get(self, request: Request, slug: str, version: int) -> HttpResponse:
        return json_bytes(frames.past_snapshot(cluster_get(slug).pk, version))


class PastMessagesView(APIView):
    @extend_schema(
        operation_id="clusters_history_messages",
        parameters=[MessagesSerializer],
        responses={200: OpenApiTypes.OBJECT, 404: PROBLEM, 410: PROBLEM},
        summary="The messages after a version, in order: a batch frame as on the WebSocket, and their cluster times",
    )
    def get(self, request: Request, slug: str, version: int) -> HttpResponse:
        asked = MessagesSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        with consistent_read():
            cluster = cluster_get(slug)
            history.require_version(cluster, version)
            changes = feed_source().changes(cluster.pk, version, asked.validated_data["limit"])
            times = history.times_between(cluster, version, changes[-1].version if changes else version)
        return json_bytes(frames.past_batch(cluster.pk, version, changes, times))


class ForkView(APIView):
    @extend_schema(
        operation_id="clusters_fork",
        request=ForkSerializer,
        responses={201: described(ClusterCard), 404: PROBLEM, 409: PROBLEM, 410: PROBLEM, 422: PROBLEM},
        summary="A new, paused cluster with the objects as of a version of this one",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        wanted = ForkSerializer(data=an_object(request.data))
        wanted.is_valid(raise_exception=True)
        return json_answer(cluster_card(cluster_fork(source=cluster_get(slug), **wanted.validated_data)), 201)
