"""GET queue/ and decisions/."""

from __future__ import annotations

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters import clock
from playground.clusters.selectors import cluster_get
from playground.common.errors import BadRequest, Cause
from playground.common.pagination import BoundedPagination
from playground.live.messages import BindingCard, QueuedPodCard
from playground.scheduling.api.answers import PROBLEM, described, json_answer
from playground.scheduling.models import QueuedPod
from playground.scheduling.models.decision import OUTCOMES
from playground.scheduling.selectors.decisions import decision_get, decisions
from playground.scheduling.selectors.queue import binding_of_decision, queued_pods_by_queue
from playground.scheduling.translation.cards import binding_card, queued_pod_card
from playground.scheduling.translation.reports import report_json
from playground.scheduling.translation.rows import queued_pod_state
from scheduler_core.report import CycleReport, DecisionSummary, SkipCount


class QueuedPodDetail(QueuedPodCard, kw_only=True):
    # Cluster time when it first was in activeQ (InitialAttemptTimestamp); None: it has been gated since it came.
    first_attempt_at: float | None
    # Seconds of cluster time in this queue.
    seconds: float
    # Attempts that were rejected, and errors in a row: each has a backoff of its own.
    unschedulable_count: int
    consecutive_errors: int
    # The PreEnqueue plugin that holds it.
    gating_plugin: str
    # What did not wake it since it waits.
    skips: list[SkipCount]


class QueueAnswer(msgspec.Struct, kw_only=True):
    # Cluster time of this answer.
    now: float
    # By queue name, every queue, each in its true order.
    queues: dict[str, list[QueuedPodDetail]]


class DecisionPage(msgspec.Struct, kw_only=True):
    count: int
    next: str | None
    previous: str | None
    results: list[DecisionSummary]


class DecisionAnswer(CycleReport, kw_only=True):
    # What became of a pod that was placed; None where none was.
    binding: BindingCard | None


class QueueView(APIView):
    @extend_schema(
        operation_id="queue_retrieve",
        responses={200: described(QueueAnswer), 404: PROBLEM},
        summary="Where every pod that is not bound yet stands",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        cluster = cluster_get(slug)
        now = clock.now(cluster)
        queues = queued_pods_by_queue(cluster_id=cluster.pk)
        details = {queue: [_detail(row, now) for row in rows] for queue, rows in queues.items()}
        return json_answer(QueueAnswer(now=now, queues=details))


def _detail(row: QueuedPod, now: float) -> QueuedPodDetail:
    state = queued_pod_state(row)
    return QueuedPodDetail(
        **msgspec.structs.asdict(queued_pod_card(row)),
        first_attempt_at=state.initial_attempt_at,
        seconds=max(0.0, now - row.since),
        unschedulable_count=state.unschedulable_count,
        consecutive_errors=state.consecutive_errors,
        gating_plugin=state.gating_plugin,
        skips=state.skips,
    )


class DecisionsView(APIView):
    @extend_schema(
        operation_id="decisions_list",
        parameters=[
            OpenApiParameter("namespace", str),
            OpenApiParameter("pod", str, description="The pod's name."),
            OpenApiParameter("outcome", str, enum=OUTCOMES),
            OpenApiParameter("limit", int),
            OpenApiParameter("offset", int),
        ],
        responses={200: described(DecisionPage), 400: PROBLEM, 404: PROBLEM},
        summary="Decisions, newest first, as summaries",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        asked = {name: request.query_params.get(name, "") for name in ("namespace", "pod", "outcome")}
        if asked["outcome"] and asked["outcome"] not in OUTCOMES:
            message = f"must be one of {', '.join(OUTCOMES)}"
            raise BadRequest(f"outcome: {message}", [Cause(path="outcome", message=message)])
        paginator = BoundedPagination()
        found = decisions(cluster_id=cluster_get(slug).pk, **asked)
        rows = paginator.paginate_queryset(found, request, view=self) or []
        page = {
            "count": paginator.count,
            "next": paginator.get_next_link(),
            "previous": paginator.get_previous_link(),
            "results": [msgspec.Raw(bytes(row.summary)) for row in rows],
        }
        return json_answer(page)


class DecisionView(APIView):
    @extend_schema(
        operation_id="decisions_retrieve",
        responses={200: described(DecisionAnswer), 404: PROBLEM},
        summary="One scheduling cycle, whole: every node's verdict and every score",
    )
    def get(self, request: Request, slug: str, sequence: int) -> HttpResponse:
        cluster_id = cluster_get(slug).pk
        row = decision_get(cluster_id=cluster_id, sequence=sequence)
        binding = binding_of_decision(cluster_id=cluster_id, sequence=sequence)
        report = msgspec.json.decode(report_json(bytes(row.report)))
        return json_answer({**report, "binding": binding_card(binding) if binding else None})
