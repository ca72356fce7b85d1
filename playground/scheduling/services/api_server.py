"""An API server that takes its time, and now and then refuses: what the cluster's settings make of a binding.

A binding is sent when its task first comes to it, and answered `binding_latency_seconds` of cluster time
later. In between nobody holds a worker: the row remembers when the answer is due, and a task with a countdown
comes back for it. Should that get lost, or the clock be stopped or turned, the row is found again by what is due.

Whether an answer is a refusal follows from the cluster's seed and the decision, so a story repeats, and a task
that is delivered twice gets the same answer twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils import timezone

from playground.clusters import clock
from playground.clusters.models import Cluster
from playground.clusters.settings import cluster_settings
from playground.common.wakeups import LONGEST_COUNTDOWN
from playground.scheduling.models import Binding
from playground.scheduling.models.binding import IN_FLIGHT
from scheduler_core.framework.seeded_random import SeededRandom

# Keeps these draws apart from those that choose among the best nodes.
_SALT = 0x62696E64


def refusal(cluster: Cluster, sequence: int) -> str:
    """Why the API server does not store the binding of this decision; "": it does."""
    rate = cluster_settings(cluster).binding_failure_rate
    if not rate:
        return ""
    draw = SeededRandom(cluster.seed ^ _SALT)
    draw.begin(sequence)
    return f"the API server refused the binding (binding_failure_rate is {rate:g})" if draw.random() < rate else ""


def send_or_answer(cluster: Cluster, rows: Sequence[Binding], now: float) -> tuple[list[Binding], list[Binding]]:
    """Of bindings in flight: those sent only now (changed, to be stored), and those whose answer has come."""
    latency = cluster_settings(cluster).binding_latency_seconds
    sent = [row for row in rows if row.due_at is None and row.phase == "pending"] if latency else []
    for row in sent:
        row.phase = "binding"
        row.due_at = now + latency
        row.sent_at = timezone.now()
    answered = [row for row in rows if row not in sent and (row.due_at is None or row.due_at <= now)]
    return sent, answered


def answers_expected(*, cluster: Cluster, sequences: Iterable[int] | None = None) -> list[tuple[float, list[int]]]:
    """(wall seconds, sequences): when to come back for which bindings; none while the clock stands.

    What lies further ahead than a message may wait is left to the sweep.
    """
    rows = Binding.objects.filter(cluster=cluster, phase__in=IN_FLIGHT)
    if sequences is not None:
        rows = rows.filter(sequence__in=list(sequences))
    by_time: dict[float, list[int]] = {}
    for due_at, sequence in rows.order_by("due_at", "sequence").values_list("due_at", "sequence"):
        if due_at is not None:
            by_time.setdefault(due_at, []).append(sequence)
    waits = [(clock.wall_seconds_until(cluster, due_at), each) for due_at, each in by_time.items()]
    return [(seconds, each) for seconds, each in waits if seconds is not None and seconds <= LONGEST_COUNTDOWN]
