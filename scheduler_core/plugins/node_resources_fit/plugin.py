"""The plugin: PreFilter, Filter, Score, events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    ALL_FIT,
    EventRegistration,
    FilterReads,
    Handle,
    HintAnswer,
    IntArray,
    Plugin,
    PreFilterResult,
    Rows,
    Verdicts,
)
from scheduler_core.framework.memo import ClassMemo
from scheduler_core.framework.resource_allocation import Asked, ResourceAllocation
from scheduler_core.framework.room import Room
from scheduler_core.framework.row_memo import RowMemo
from scheduler_core.framework.status import SUCCESS, Code, Status
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.requests import CPU, PODS, effective_requests, readable_amount
from scheduler_core.objects.resource_names import CORE_RESOURCES, is_extended, is_scalar
from scheduler_core.plugins.args import NodeResourcesFitArgs
from scheduler_core.plugins.node_resources_fit.scoring_strategies import scoring_strategy
from scheduler_core.snapshot.snapshot import Snapshot

TOO_MANY_PODS = "Too many pods"

# More shortages than fit in the bits of an int64 are told with Python's integers.
_MAX_BITS = 60
# Up to here a table is quicker than sorting.
_FEW_BITS = 1024


class Need(NamedTuple):
    """A resource Filter looks at."""

    name: str
    amount: int

    @property
    def reason(self) -> str:
        return f"Insufficient {self.name}"


class NodeResourcesFit(Plugin):
    """Rejects nodes without room, scores by how full they would be."""

    name = "NodeResourcesFit"
    filter_reads = FilterReads.ROOM
    scores_stay_in_range = True

    def __init__(self, args: NodeResourcesFitArgs, handle: Handle) -> None:
        super().__init__(args, handle)
        self._ignored = frozenset(args.ignored_resources)
        self._ignored_groups = frozenset(args.ignored_resource_groups)
        strategy = args.scoring_strategy
        self._allocation = ResourceAllocation(strategy.resources, real_requests=False)
        self._strategy = scoring_strategy(strategy)
        self._needs: ClassMemo[tuple[Need, ...]] = ClassMemo()
        self._room: RowMemo[tuple[Need, ...]] = RowMemo(_has_room_many, _has_room_one)
        self._scores: RowMemo[tuple[Asked, ...]] = RowMemo(self._score_many, self._score_one)

    def needs(self, pod: PodInfo) -> tuple[Need, ...]:
        """What the pod needs, in the order in which shortages are told."""
        needs = self._needs.get(pod.class_key)
        if needs is None:
            needs = self._needs.put(pod.class_key, self._needs_of(pod.requests))
        return needs

    def _needs_of(self, requests: Mapping[str, int]) -> tuple[Need, ...]:
        core = [Need(name, requests.get(name, 0)) for name in CORE_RESOURCES]
        others = [Need(name, requests[name]) for name in sorted(requests) if is_scalar(name)]
        return tuple(need for need in (*core, *others) if need.amount > 0 and not self._is_ignored(need.name))

    def _is_ignored(self, name: str) -> bool:
        if not is_extended(name):
            return False
        return name in self._ignored or name.split("/")[0] in self._ignored_groups

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        return PreFilterResult()

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        room = self._room.get(self.needs(pod), snapshot, rows)
        # argmin finds the first False, and costs less than all().
        if not len(room) or room.item(room.argmin()):
            return ALL_FIT
        return self._explain(pod, snapshot, rows, Room(snapshot.free[:, rows], snapshot.pod_count[rows]))

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        found = []
        if snapshot.pod_count.item(row) >= snapshot.allowed_pods.item(row):
            found.append(f"room for one more pod (it allows {snapshot.allowed_pods.item(row)})")
        for name, amount in self.needs(pod):
            index = snapshot.resource_index(name)
            missing = amount - snapshot.free.item(index, row)
            if missing > 0:
                found.append(f"needs {readable_amount(name, missing)} more {'CPU' if name == CPU else name}")
        return found

    def has_room(self, pod: PodInfo, snapshot: Snapshot, rows: NDArray[np.intp], room: Room) -> NDArray[np.bool_]:
        fits = room.pod_count < snapshot.allowed_pods[rows]
        for need in self.needs(pod):
            fits &= room.free[snapshot.resource_index(need.name)] >= need.amount
        return fits

    def filter_room(self, pod: PodInfo, snapshot: Snapshot, rows: NDArray[np.intp], room: Room) -> Verdicts:
        return self._explain(pod, snapshot, rows, room)

    def _explain(self, pod: PodInfo, snapshot: Snapshot, rows: Rows, room: Room) -> Verdicts:
        """Bit 0: pods; bit k: the k-th need; the bit after the last: an empty node would be too small."""
        needs = self.needs(pod)
        short = room.pod_count >= snapshot.allowed_pods[rows]
        bits: NDArray[Any] = short.astype(np.int64 if len(needs) <= _MAX_BITS else np.object_)
        too_small = np.zeros(len(bits), dtype=np.bool_)
        for k, need in enumerate(needs, start=1):
            index = snapshot.resource_index(need.name)
            lacks = room.free[index] < need.amount
            bits += lacks.astype(bits.dtype) << k
            too_small |= lacks & (snapshot.allocatable[index, rows] < need.amount)
        bits += too_small.astype(bits.dtype) << (len(needs) + 1)
        distinct, codes = _distinct(bits, 1 << (len(needs) + 2))
        statuses = [_status(each, needs) for each in distinct]
        if statuses[0].is_success:
            return Verdicts(codes.astype(np.int16), statuses[1:])
        return Verdicts((codes + 1).astype(np.int16), statuses)

    def pre_score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Status:
        return SUCCESS

    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        return self._scores.get(self._allocation.asked(pod), snapshot, rows)

    def _score_many(self, asked: tuple[Asked, ...], snapshot: Snapshot, rows: Rows) -> IntArray:
        return self._strategy.many(self._allocation.shares(asked, snapshot, rows), len(snapshot.pod_count[rows]))

    def _score_one(self, asked: tuple[Asked, ...], snapshot: Snapshot, row: int) -> int:
        return self._strategy.one(self._allocation.node_shares(asked, snapshot, row))

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (
            on("Pod", "Delete", "UpdatePodScaleDown", hint=self._pod_changed),
            on("Node", "Add", "UpdateNodeAllocatable", hint=self._node_changed),
        )

    def _pod_changed(self, pod: PodInfo, old: Pod | None, new: Pod | None) -> HintAnswer:
        if new is None:
            if old is None or not old.spec.node_name:
                return skip("the deleted pod was on no node")
            return queue("the deleted pod made room on its node")
        if PodInfo(new).uid == pod.uid:
            return queue("the pod itself asks for less now")
        if not new.spec.node_name or old is None:
            return skip("the changed pod is on no node")
        if self._frees_something(pod, effective_requests(old), effective_requests(new)):
            return queue("a pod on a node asks for less of what the pod needs")
        return skip("the changed pod frees nothing that the pod needs")

    def _frees_something(self, pod: PodInfo, old: Mapping[str, int], new: Mapping[str, int]) -> bool:
        return any(amount and new.get(name, 0) < old.get(name, 0) for name, amount in pod.requests.items())

    def _node_changed(self, pod: PodInfo, old: Node | None, new: Node | None) -> HintAnswer:
        if new is None:
            return skip("the node is gone")
        has = new.allocatable
        short = [need.name for need in self.needs(pod) if need.amount > has.get(need.name, 0)]
        if short or has.get(PODS, 0) < 1:
            return skip(f"even an empty node of this size lacks {', '.join(short) or PODS}")
        if old is None:
            return queue("the pod fits the new node when it is empty")
        had = old.allocatable
        grown = [name for name in (PODS, *_requested(pod)) if has.get(name, 0) > had.get(name, 0)]
        if grown:
            return queue(f"the node has more {', '.join(grown)} now")
        return skip("the node has no more of what the pod needs")


def _distinct(bits: NDArray[Any], limit: int) -> tuple[list[int], NDArray[np.intp]]:
    """The distinct values, ascending, and for each entry the index of its own; all are below `limit`."""
    if limit > _FEW_BITS:
        distinct, codes = np.unique(bits, return_inverse=True)
        return [int(each) for each in distinct], codes
    found = np.flatnonzero(np.bincount(bits, minlength=limit))
    index_of = np.zeros(limit, dtype=np.intp)
    index_of[found] = np.arange(len(found))
    return found.tolist(), index_of[bits]


def _has_room_many(needs: tuple[Need, ...], snapshot: Snapshot, rows: Rows) -> NDArray[np.bool_]:
    fits = snapshot.pod_count[rows] < snapshot.allowed_pods[rows]
    for need in needs:
        # A resource that is new to the snapshot replaces its columns: first the index, then the column.
        index = snapshot.resource_index(need.name)
        fits &= snapshot.free[index, rows] >= need.amount
    return fits


def _has_room_one(needs: tuple[Need, ...], snapshot: Snapshot, row: int) -> bool:
    if snapshot.pod_count.item(row) >= snapshot.allowed_pods.item(row):
        return False
    indexes = [snapshot.resource_index(name) for name, _ in needs]
    free = snapshot.free
    return all(free.item(index, row) >= need.amount for index, need in zip(indexes, needs, strict=True))


def _requested(pod: PodInfo) -> list[str]:
    return [name for name, amount in pod.requests.items() if amount]


def _status(bits: int, needs: Sequence[Need]) -> Status:
    reasons = [TOO_MANY_PODS] if bits & 1 else []
    reasons += [need.reason for k, need in enumerate(needs, start=1) if bits >> k & 1]
    if not reasons:
        return SUCCESS
    too_small = bits >> (len(needs) + 1) & 1
    return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE if too_small else Code.UNSCHEDULABLE, tuple(reasons))
