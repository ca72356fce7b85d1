"""This app's part of the live snapshot."""

from __future__ import annotations

from playground.live.messages import BindingCard, QueuedPodCard
from playground.scheduling.models import Decision
from playground.scheduling.selectors.queue import bindings_in_flight, queued_pods
from playground.scheduling.translation.cards import binding_card, queued_pod_card
from playground.scheduling.translation.reports import decode_summary
from scheduler_core.report import DecisionSummary

NEWEST_DECISIONS = 200


def queue_section(cluster_id: int) -> list[QueuedPodCard]:
    return [queued_pod_card(row) for row in queued_pods(cluster_id=cluster_id).defer("entry")]


def bindings_section(cluster_id: int) -> list[BindingCard]:
    """Only what is in flight; a message about a binding that ended takes it off."""
    return [binding_card(row) for row in bindings_in_flight(cluster_id=cluster_id)]


def decisions_section(cluster_id: int) -> list[DecisionSummary]:
    """Oldest first."""
    newest = Decision.objects.filter(cluster_id=cluster_id).order_by("-sequence")[:NEWEST_DECISIONS]
    summaries = list(newest.values_list("summary", flat=True))
    return [decode_summary(bytes(summary)) for summary in reversed(summaries)]
