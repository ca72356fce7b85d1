"""GET queue/ and decisions/."""

from __future__ import annotations

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters.selectors import cluster_get
from playground.common.errors import BadRequest, Cause
from playground.common.pagination import BoundedPagination
from playground.live.messages import BindingCard, QueuedPodCard
from playground.scheduling.api.answers import PROBLEM, described, json_answer
from playground.scheduling.models.decision import OUTCOMES
from playground.scheduling.selectors.decisions import decision_get, decisions
from playground.scheduling.selectors.queue import binding_of_decision, queued_pods_by_queue
from playground.scheduling.translation.cards import binding_card, queued_pod_card
from playground.scheduling.translation.reports import report_json
from scheduler_core.report import CycleReport, DecisionSummary


class QueueAnswer(msgspec.Struct, kw_only=True):
    # By queue name, every queue, each in its true order.
    queues: dict[str, list[QueuedPodCard]]


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
        queues = queued_pods_by_queue(cluster_id=cluster_get(slug).pk)
        cards = {queue: [queued_pod_card(row) for row in rows] for queue, rows in queues.items()}
        return json_answer(QueueAnswer(queues=cards))


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
