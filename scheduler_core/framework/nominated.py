"""Nominated pods as they count for one pod's Filter.

A pod that preempted others on a node waits for the room it made. Until it is
there, it counts as if it were, for pods of no higher priority. Which pods count
is looked up once a cycle and kept in its state.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import IntArray, NominatedPods
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot

_KEY = "nominated pods"


class CountedPods:
    """Pods that count on q rows."""

    def __init__(self, by_row: Mapping[int, list[PodInfo]]) -> None:
        self.by_row = by_row
        # Shape (q,).
        self.rows: NDArray[np.intp] = np.fromiter(by_row, dtype=np.intp, count=len(by_row))
        self.counts: IntArray = np.fromiter(map(len, by_row.values()), dtype=np.int64, count=len(by_row))
        self._requests: IntArray = np.empty((0, len(by_row)), dtype=np.int64)

    def __len__(self) -> int:
        return len(self.by_row)

    def requests(self, snapshot: Snapshot) -> IntArray:
        """What they request on each row, shape (resources, q)."""
        if len(self._requests) != len(snapshot.resource_names):
            sums = [sum(map(snapshot.request_vector, pods)) for pods in self.by_row.values()]
            width = len(snapshot.resource_names)
            self._requests = np.array(sums, dtype=np.int64).reshape(len(sums), width).T
        return self._requests


NOBODY = CountedPods({})


def counted_pods(state: CycleState, nominated: NominatedPods, pod: PodInfo, snapshot: Snapshot) -> CountedPods:
    """The pods nominated to nodes that count when `pod` is filtered."""
    if not len(nominated):
        return NOBODY
    counted = state.get(_KEY)
    if counted is None:
        counted = CountedPods(_by_row(nominated, pod, snapshot))
        state.write(_KEY, counted)
    return counted  # type: ignore[no-any-return]


def _by_row(nominated: NominatedPods, pod: PodInfo, snapshot: Snapshot) -> dict[int, list[PodInfo]]:
    found = {}
    for name in nominated.nodes:
        record = snapshot.record_of(name)
        if record is None:
            continue
        pods = [each for each in nominated.pods_for_node(name) if _counts(pod, each, record.pods)]
        if pods:
            found[record.row] = pods
    return found


def _counts(pod: PodInfo, nominated: PodInfo, present: Mapping[str, PodInfo]) -> bool:
    return nominated.priority >= pod.priority and nominated.uid != pod.uid and nominated.uid not in present
