"""Why a pod fits nowhere: the status of every node, and the text that sums it up.

Kept as one small code per node and a list of distinct statuses. Nodes that no
plugin looked at (a PreFilter plugin rejected the pod or narrowed the nodes)
share the `absent` status.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.status import Code, Status

# It stands in the pod's condition, in an event and in every list of decisions; extenders may have a reason a node.
LONGEST_MESSAGE = 32 * 1024

_NO_ROWS: NDArray[np.intp] = np.empty(0, dtype=np.intp)
_NO_CODES: NDArray[np.int16] = np.empty(0, dtype=np.int16)
_UNRESOLVABLE = Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE)


class Diagnosis:
    """Filled by one cycle, read by PostFilter plugins and by the FitError text."""

    def __init__(self, node_count: int) -> None:
        self.node_count = node_count
        # Rows that were looked at and rejected, in that order, and for each the index into `statuses`.
        self.rows: NDArray[np.intp] = _NO_ROWS
        self.codes: NDArray[np.int16] = _NO_CODES
        self.statuses: list[Status] = []
        # Of every other node.
        self.absent = _UNRESOLVABLE
        # What extenders said of nodes that the scheduler does not know.
        self.strangers: list[Status] = []
        # Plugin names in the order met.
        self.unschedulable_plugins: dict[str, None] = {}
        self.pending_plugins: dict[str, None] = {}
        # The words of a PreFilter plugin that rejected the pod.
        self.pre_filter_message = ""
        self.post_filter_message = ""

    def add_plugin_status(self, status: Status) -> None:
        """Remember who rejected."""
        if not status.plugin:
            return
        if status.is_rejected:
            self.unschedulable_plugins[status.plugin] = None
        if status.code is Code.PENDING:
            self.pending_plugins[status.plugin] = None

    def set_rejections(self, rows: NDArray[np.intp], codes: NDArray[np.int16], statuses: list[Status]) -> None:
        """Row `rows[i]` was rejected with `statuses[codes[i]]`."""
        self.rows, self.codes, self.statuses = rows, codes, statuses
        for code in np.flatnonzero(self.counts()):
            self.add_plugin_status(statuses[code])

    def set_all(self, status: Status) -> None:
        """PreFilter rejected the pod: every node has this status."""
        self.absent = status
        self.pre_filter_message = status.message
        self.add_plugin_status(status)

    def counts(self) -> NDArray[np.int64]:
        """Rejected nodes per entry of `statuses`."""
        return np.bincount(self.codes, minlength=len(self.statuses))

    def status_of(self, row: int) -> Status:
        found = np.flatnonzero(self.rows == row)
        return self.statuses[self.codes[found[0]]] if len(found) else self.absent

    def rows_with(self, code: Code) -> NDArray[np.intp]:
        """Rows whose status has `code`, ascending."""
        alike = [i for i, status in enumerate(self.statuses) if status.code is code]
        explicit = self.rows[np.isin(self.codes, alike)]
        if self.absent.code is not code:
            return np.sort(explicit)
        looked_at = np.zeros(self.node_count, dtype=np.bool_)
        looked_at[self.rows] = True
        looked_at[explicit] = False
        return np.flatnonzero(~looked_at).astype(np.intp)

    def reasons(self) -> Counter[str]:
        """Each reason with the number of nodes that gave it."""
        counted: Counter[str] = Counter()
        for status, count in zip(self.statuses, self.counts().tolist(), strict=True):
            for reason in status.reasons:
                counted[reason] += count
        for stranger in self.strangers:
            counted.update(stranger.reasons)
        for reason in self.absent.reasons:
            counted[reason] += max(0, self.node_count - len(self.rows) - len(self.strangers))
        return +counted

    @classmethod
    def of_one_node(cls, status: Status) -> Diagnosis:
        """The chosen node itself turned the pod down, at Reserve or later."""
        diagnosis = cls(1)
        rows, codes = np.zeros(1, dtype=np.intp), np.zeros(1, dtype=np.int16)
        diagnosis.set_rejections(rows, codes, [status])
        return diagnosis


def counted_reasons(reasons: Counter[str]) -> str:
    """`10 y, 2 z`: sorted as text, as Kubernetes does."""
    return ", ".join(sorted(f"{count} {reason}" for reason, count in reasons.items()))


def fit_error(diagnosis: Diagnosis) -> str:
    """The FailedScheduling text."""
    why = diagnosis.pre_filter_message or counted_reasons(diagnosis.reasons())
    parts = [f"0/{diagnosis.node_count} nodes are available:"]
    if why:
        parts.append(f"{why}.")
    if diagnosis.post_filter_message:
        parts.append(diagnosis.post_filter_message)
    text = " ".join(parts)
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]} ..."
