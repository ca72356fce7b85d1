"""What if some pods were there, or gone? Asked on the real columns, and undone.

A trial changes the snapshot like any other change, so that everything that is
kept up to date is right during the trial and after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scheduler_core.snapshot.node_row import NodeRow

if TYPE_CHECKING:
    from scheduler_core.objects.pod_info import PodInfo
    from scheduler_core.snapshot.snapshot import Snapshot


class Trial:
    """Pods put on and taken off nodes for the length of a question."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._undo: list[tuple[Callable[[NodeRow, PodInfo], None], NodeRow, PodInfo]] = []
        # The pods of each node as they stood, for their order.
        self._before: dict[NodeRow, dict[str, PodInfo]] = {}

    def add_pod(self, row: int, pod: PodInfo) -> None:
        record = self._touch(row)
        self._snapshot.add_pod(record, pod)
        self._undo.append((self._snapshot.remove_pod, record, pod))

    def remove_pod(self, row: int, pod: PodInfo) -> None:
        record = self._touch(row)
        self._snapshot.remove_pod(record, pod)
        self._undo.append((self._snapshot.add_pod, record, pod))

    def undo(self) -> None:
        while self._undo:
            reverse, record, pod = self._undo.pop()
            reverse(record, pod)
        for record, pods in self._before.items():
            record.pods = pods
        self._before.clear()

    def _touch(self, row: int) -> NodeRow:
        record = self._snapshot.records[row]
        if record not in self._before:
            self._before[record] = dict(record.pods)
        return record
