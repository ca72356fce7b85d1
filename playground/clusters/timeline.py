"""What happened in a cluster, thin enough to draw: counts in slots of equally many versions, and a few marks.

Slots are counted by the database; only the messages of decisions and bindings
are opened, of which just the few fields that are counted are decoded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from django.db.models import Count, F, Max, Min, QuerySet

from playground.clusters.history import PAYLOAD_TEXT, require_version, time_of, version_at
from playground.clusters.models import Change, Cluster, HistoryBase
from playground.common.errors import Cause, Invalid
from scheduler_core.report import PodRef

MOST_SLOTS, DEFAULT_SLOTS = 400, 200
MOST_MARKS = 500


class TimelineSlot(msgspec.Struct, kw_only=True):
    """What versions in [first, last] told."""

    first: int
    last: int
    # Cluster time of the first and the last of them.
    begins: float
    ends: float
    # Scheduling cycles by their outcome; waiting counts as scheduled.
    scheduled: int = 0
    unschedulable: int = 0
    errors: int = 0
    # Those of them that chose victims.
    preemptions: int = 0
    # Sequences of the first and the last decision; 0: there is none.
    first_sequence: int = 0
    last_sequence: int = 0
    bound: int = 0
    failed_bindings: int = 0
    pods_created: int = 0
    pods_deleted: int = 0
    node_changes: int = 0
    # Every change, of whatever sort.
    changes: int = 0


class TimelineMark(msgspec.Struct, kw_only=True):
    """One thing worth a mark of its own."""

    version: int
    at: float
    # node-added, node-removed, preemption, paused, resumed, speed
    what: str
    # The node, the pod ("namespace/name"), or the speed.
    name: str
    # The decision, of a preemption; 0: none.
    sequence: int = 0


class Timeline(msgspec.Struct, kw_only=True):
    """Where the history begins and ends, and what happened between two versions of it."""

    oldest: int
    newest: int
    # Cluster time of these.
    oldest_at: float
    newest_at: float
    # What the slots cover.
    first: int
    last: int
    # The newest version at the time that was asked for; None: none was.
    version_at: int | None = None
    slots: list[TimelineSlot]
    # The newest ones, oldest first.
    marks: list[TimelineMark]
    # There were more marks than are told.
    marks_left_out: bool = False


class _Decision(msgspec.Struct):
    sequence: int
    pod: PodRef
    at: float
    outcome: str
    victims: list[PodRef] = []


class _Decisions(msgspec.Struct):
    decisions: list[_Decision]


class _Binding(msgspec.Struct):
    phase: str


class _Bindings(msgspec.Struct):
    bindings: list[_Binding]


class _Clock(msgspec.Struct):
    state: str
    speed: float


class _Cluster(msgspec.Struct):
    cluster: _Clock


def timeline(
    cluster: Cluster, *, first: int | None, last: int | None, slots: int = DEFAULT_SLOTS, at: float | None = None
) -> Timeline:
    """Read inside `consistent_read`. Raises Expired, NotFound, Invalid."""
    oldest, newest = cluster.oldest_change_version, cluster.resource_version
    first, last = oldest if first is None else first, newest if last is None else last
    for version in (first, last):
        require_version(cluster, version)
    if first > last:
        message = f"must not be above last ({last})"
        raise Invalid(f"first: {message}", [Cause(path="first", message=message)])
    marks = _Marks()
    changes = Change.objects.filter(cluster=cluster, version__gt=first, version__lte=last)
    drawn = _slots(changes, first, last, slots, marks)
    _mark_nodes(changes, marks)
    _mark_clock(changes, _clock_at(cluster, first), marks)
    return Timeline(
        oldest=oldest,
        newest=newest,
        oldest_at=time_of(cluster, oldest),
        newest_at=time_of(cluster, newest),
        first=first,
        last=last,
        version_at=None if at is None else version_at(cluster, at),
        slots=drawn,
        marks=marks.newest(),
        marks_left_out=len(marks.all) > MOST_MARKS,
    )


class _Marks:
    def __init__(self) -> None:
        self.all: list[TimelineMark] = []

    def add(self, version: int, at: float, what: str, name: str, sequence: int = 0) -> None:
        self.all.append(TimelineMark(version=version, at=at, what=what, name=name, sequence=sequence))

    def newest(self) -> list[TimelineMark]:
        return sorted(self.all, key=lambda mark: mark.version)[-MOST_MARKS:]


def _slots(changes: QuerySet[Change], first: int, last: int, slots: int, marks: _Marks) -> list[TimelineSlot]:
    width = max(1, -(-(last - first) // slots))
    drawn: dict[int, TimelineSlot] = {}
    numbered = changes.order_by().annotate(slot=(F("version") - (first + 1)) / width)
    counted = numbered.values("slot", "topic", "kind", "event").annotate(
        n=Count("pk"), low=Min("version"), high=Max("version"), begins=Min("at"), ends=Max("at")
    )
    for row in counted:
        _count(drawn, row)
    for version, decision in _decisions(changes):
        _count_decision(drawn[(version - first - 1) // width], decision)
        if decision.victims:
            name = f"{decision.pod.namespace}/{decision.pod.name}"
            marks.add(version, decision.at, "preemption", name, decision.sequence)
    for version, binding in _bindings(changes):
        _count_binding(drawn[(version - first - 1) // width], binding)
    return [drawn[number] for number in sorted(drawn)]


def _count(drawn: dict[int, TimelineSlot], row: Mapping[str, Any]) -> None:
    number, low, high, changes = (int(row[name]) for name in ("slot", "low", "high", "n"))
    begins, ends = float(row["begins"]), float(row["ends"])
    slot = drawn.setdefault(number, TimelineSlot(first=low, last=high, begins=begins, ends=ends))
    slot.first, slot.last = min(slot.first, low), max(slot.last, high)
    slot.begins, slot.ends = min(slot.begins, begins), max(slot.ends, ends)
    slot.changes += changes
    match row["kind"], row["event"]:
        case "Pod", "ADDED":
            slot.pods_created += changes
        case "Pod", "DELETED":
            slot.pods_deleted += changes
        case "Node", _:
            slot.node_changes += changes


def _count_decision(slot: TimelineSlot, decision: _Decision) -> None:
    match decision.outcome:
        case "scheduled" | "waiting":
            slot.scheduled += 1
        case "unschedulable":
            slot.unschedulable += 1
        case "error":
            slot.errors += 1
    slot.preemptions += bool(decision.victims)
    slot.first_sequence = min(slot.first_sequence or decision.sequence, decision.sequence)
    slot.last_sequence = max(slot.last_sequence, decision.sequence)


def _count_binding(slot: TimelineSlot, binding: _Binding) -> None:
    slot.bound += binding.phase == "bound"
    slot.failed_bindings += binding.phase == "failed"


def _decisions(changes: QuerySet[Change]) -> Iterator[tuple[int, _Decision]]:
    decoder = msgspec.json.Decoder(_Decisions)
    for version, text in changes.filter(topic="decisions").values_list("version", PAYLOAD_TEXT).iterator():
        for decision in decoder.decode(text).decisions:
            yield version, decision


def _bindings(changes: QuerySet[Change]) -> Iterator[tuple[int, _Binding]]:
    decoder = msgspec.json.Decoder(_Bindings)
    for version, text in changes.filter(topic="bindings").values_list("version", PAYLOAD_TEXT).iterator():
        for binding in decoder.decode(text).bindings:
            yield version, binding


def _mark_nodes(changes: QuerySet[Change], marks: _Marks) -> None:
    nodes = changes.filter(topic="object", kind="Node", event__in=("ADDED", "DELETED")).order_by("-version")
    for version, at, event, name in nodes.values_list("version", "at", "event", "name")[: MOST_MARKS + 1]:
        marks.add(version, at, "node-added" if event == "ADDED" else "node-removed", name)


def _mark_clock(changes: QuerySet[Change], before: _Clock, marks: _Marks) -> None:
    clocks = changes.filter(topic="cluster").order_by("version").values_list("version", "at", PAYLOAD_TEXT)
    for version, at, text in clocks:
        clock = msgspec.json.decode(text, type=_Cluster).cluster
        if clock.state != before.state:
            marks.add(version, at, "paused" if clock.state == "paused" else "resumed", f"{clock.speed:g}")
        elif clock.speed != before.speed:
            marks.add(version, at, "speed", f"{clock.speed:g}")
        before = clock


def _clock_at(cluster: Cluster, version: int) -> _Clock:
    told = Change.objects.filter(cluster=cluster, topic="cluster", version__lte=version).order_by("-version")
    text = told.values_list(PAYLOAD_TEXT, flat=True).first()
    if text is not None:
        return msgspec.json.decode(text, type=_Cluster).cluster
    base = HistoryBase.objects.get(cluster=cluster, topic="cluster")
    return msgspec.convert(base.payload, _Clock)
