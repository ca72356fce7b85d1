"""A pod's life with the scheduler, put together from what was stored: moves, attempts, bindings, and what did not
wake it. All of it outlives the feed, the pod, and the worker that wrote it; the oldest of it goes one day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from django.db.models import QuerySet

from playground.clusters import clock
from playground.clusters.models import Cluster, Pod
from playground.common.errors import NotFound, Subject
from playground.live.messages import BindingCard, QueuedPodCard
from playground.scheduling.models import Binding, Decision, PodHistory, QueuedPod
from playground.scheduling.translation.cards import binding_card, queued_pod_card
from playground.scheduling.translation.life_words import binding_words, decision_words, move_words, skip_words
from playground.scheduling.translation.reports import decode_summary
from scheduler_core.report import DecisionSummary, PodRef, QueueMove, SkipCount

# The newest of each are told.
MOST_MOVES, MOST_ATTEMPTS = 1_000, 500


class LifeEntry(msgspec.Struct, kw_only=True):
    """One thing that happened to the pod; exactly one of the three is there."""

    # Cluster time.
    at: float
    kind: Literal["move", "attempt", "binding"]
    # In one sentence, which begins with the scheduler where the pod had several.
    text: str
    # The deployed scheduler whose deed it is; "": it is not known any more.
    scheduler: str
    move: QueueMove | None = None
    attempt: DecisionSummary | None = None
    binding: BindingCard | None = None


class NotWoken(msgspec.Struct, kw_only=True):
    """An event that was not worth another attempt, since the pod waits."""

    text: str
    skip: SkipCount


class PodLife(msgspec.Struct, kw_only=True):
    pod: PodRef
    # Cluster time of this answer.
    now: float
    # Where it stands; None: in no queue (any more).
    standing: QueuedPodCard | None
    # Seconds of cluster time since it came, as long as it is queued.
    seconds_in_queue: float | None
    # Oldest first.
    entries: list[LifeEntry]
    not_woken_by: list[NotWoken]
    # False: the beginning is no longer kept.
    complete: bool


def pod_life(*, cluster: Cluster, namespace: str, name: str, uid: str = "") -> PodLife:
    """Of the pod that has the name, or the last one that had it; `uid` chooses an earlier one. Raises NotFound."""
    uid = uid or _newest_uid(cluster, namespace, name)
    rows = list(
        PodHistory.objects.filter(cluster=cluster, namespace=namespace, name=name, pod_uid=uid).order_by("-number")[
            :MOST_MOVES
        ]
    )
    moves = [entry for row in reversed(rows) for entry in _moves(row)][-MOST_MOVES:]
    queued = QueuedPod.objects.select_related("scheduler").filter(cluster=cluster, pod_uid=uid).first()
    entries = [*moves, *_attempts(cluster, uid), *_bindings(cluster, uid)]
    if not entries and queued is None:
        raise _unknown(namespace, name)
    now = clock.now(cluster)
    return PodLife(
        pod=PodRef(namespace=namespace, name=name, uid=uid),
        now=now,
        standing=queued_pod_card(queued) if queued else None,
        seconds_in_queue=max(0.0, now - moves[0].at) if queued and moves else None,
        entries=_with_schedulers(sorted(entries, key=_order)),
        not_woken_by=_not_woken(queued),
        complete=bool(moves) and moves[0].move is not None and moves[0].move.source == "",
    )


def _newest_uid(cluster: Cluster, namespace: str, name: str) -> str:
    pod = Pod.objects.filter(cluster=cluster, namespace=namespace, name=name).only("uid").first()
    if pod is not None:
        return pod.uid
    history = PodHistory.objects.filter(cluster=cluster, namespace=namespace, name=name).order_by("number").last()
    if history is None:
        raise _unknown(namespace, name)
    return history.pod_uid


def _unknown(namespace: str, name: str) -> NotFound:
    return NotFound(
        f'the scheduler has nothing about pod "{namespace}/{name}": it does not exist, was bound by others, '
        "or is too long ago",
        subject=Subject(name=name, kind="pods"),
    )


def _order(entry: LifeEntry) -> tuple[float, int]:
    """Of what happened in one moment: it comes into the queue and is popped, tried, moved on, and bound."""
    if entry.move is None:
        return entry.at, 1 if entry.kind == "attempt" else 3
    came = entry.move.source in ("", "gated", "unschedulablePods", "backoffQ") or entry.move.target == "inFlight"
    return entry.at, 0 if came else 2 if entry.move.source == "inFlight" else 4


def _with_schedulers(entries: list[LifeEntry]) -> list[LifeEntry]:
    """Where a pod had one scheduler, nobody asks which."""
    if len({entry.scheduler for entry in entries if entry.scheduler}) < 2:
        return entries
    return [msgspec.structs.replace(entry, text=f"{entry.scheduler}: {entry.text}") for entry in entries]


def _moves(row: PodHistory) -> Iterator[LifeEntry]:
    for move in msgspec.convert(row.moves, list[QueueMove]):
        yield LifeEntry(at=move.at, kind="move", text=move_words(move), scheduler=row.scheduler, move=move)


def _attempts(cluster: Cluster, uid: str) -> Iterator[LifeEntry]:
    rows = Decision.objects.filter(cluster=cluster, pod_uid=uid).order_by("-attempt").values_list("summary", flat=True)
    for summary in rows[:MOST_ATTEMPTS]:
        attempt = decode_summary(bytes(summary))
        yield LifeEntry(
            at=attempt.at,
            kind="attempt",
            text=decision_words(attempt),
            scheduler=attempt.scheduler,
            attempt=attempt,
        )


def _bindings(cluster: Cluster, uid: str) -> Iterator[LifeEntry]:
    for row in _bindings_of(cluster, uid)[:MOST_ATTEMPTS]:
        card = binding_card(row)
        at = card.at if card.ended_at is None else card.ended_at
        yield LifeEntry(at=at, kind="binding", text=binding_words(card), scheduler=card.scheduler, binding=card)


def _bindings_of(cluster: Cluster, uid: str) -> QuerySet[Binding]:
    return Binding.objects.select_related("scheduler").filter(cluster=cluster, pod_uid=uid).order_by("-sequence")


def _not_woken(queued: QueuedPod | None) -> list[NotWoken]:
    if queued is None or queued.queue not in ("unschedulablePods", "gated"):
        return []
    skips = msgspec.convert(queued.entry.get("skips", []), list[SkipCount])
    return [NotWoken(text=skip_words(skip), skip=skip) for skip in skips]
