"""GET pods/{namespace}/{name}/life/ and cluster-events/: why a pod is where it is, and what woke whom."""

from __future__ import annotations

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters.selectors import cluster_get
from playground.common.pagination import BoundedPagination
from playground.scheduling.api.answers import PROBLEM, described, json_answer
from playground.scheduling.models import ClusterEventRecord
from playground.scheduling.selectors.cluster_events import cluster_events
from playground.scheduling.selectors.life import PodLife, pod_life
from playground.scheduling.translation.life_words import cluster_event_words
from scheduler_core.report import ClusterEventReport


class LoggedEvent(msgspec.Struct, kw_only=True):
    # Counted from the cluster's first event.
    number: int
    # In one sentence.
    text: str
    report: ClusterEventReport


class ClusterEventPage(msgspec.Struct, kw_only=True):
    count: int
    next: str | None
    previous: str | None
    results: list[LoggedEvent]


class PodLifeView(APIView):
    @extend_schema(
        operation_id="pod_life_retrieve",
        parameters=[OpenApiParameter("uid", str, description="Of an earlier pod that had the name.")],
        responses={200: described(PodLife), 404: PROBLEM},
        summary="Every attempt, move and binding of a pod, with its cause, and what did not wake it",
    )
    def get(self, request: Request, slug: str, namespace: str, name: str) -> HttpResponse:
        uid = request.query_params.get("uid", "")
        return json_answer(pod_life(cluster=cluster_get(slug), namespace=namespace, name=name, uid=uid))


class ClusterEventsView(APIView):
    @extend_schema(
        operation_id="cluster_events_list",
        parameters=[
            OpenApiParameter("event", str, description="As kube-scheduler names it, such as NodeAdd."),
            OpenApiParameter("object", str, description="Such as Node/n7."),
            OpenApiParameter("limit", int),
            OpenApiParameter("offset", int),
        ],
        responses={200: described(ClusterEventPage), 404: PROBLEM},
        summary="What happened while pods waited: whom it woke, whom it did not, and why; newest first",
        description="Events that nobody waited for are not kept; of pods only those that concern somebody.",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        asked = request.query_params
        found = cluster_events(
            cluster_id=cluster_get(slug).pk, event=asked.get("event", ""), subject=asked.get("object", "")
        )
        paginator = BoundedPagination()
        rows = paginator.paginate_queryset(found, request, view=self) or []
        page = ClusterEventPage(
            count=paginator.count or 0,
            next=paginator.get_next_link(),
            previous=paginator.get_previous_link(),
            results=[_logged(row) for row in rows],
        )
        return json_answer(page)


def _logged(row: ClusterEventRecord) -> LoggedEvent:
    report = msgspec.convert(row.report, ClusterEventReport)
    return LoggedEvent(number=row.number, text=cluster_event_words(report), report=report)
