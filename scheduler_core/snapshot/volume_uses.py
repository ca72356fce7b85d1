"""Which pods on which nodes use volumes.

Few pods have volumes that matter for scheduling, so they are kept apart: a
claim's users by claim, and the pods with such volumes by node.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scheduler_core.snapshot.node_row import NodeRow

if TYPE_CHECKING:
    from scheduler_core.objects.pod_info import PodInfo

# (namespace, claim name)
ClaimKey = tuple[str, str]


class VolumeUses:
    """Keyed by node, so that re-ordering rows costs nothing."""

    def __init__(self) -> None:
        self._pods: dict[NodeRow, dict[str, PodInfo]] = {}
        self._claims: Counter[ClaimKey] = Counter()

    def claim_users(self, namespace: str, name: str) -> int:
        """How often pods on nodes use the claim."""
        return self._claims[namespace, name]

    def pods_on(self, record: NodeRow) -> Collection[PodInfo]:
        """Pods of the node that have volumes which matter."""
        return self._pods.get(record, {}).values()

    def rows(self) -> NDArray[np.intp]:
        """Rows of the nodes that have such pods."""
        return np.fromiter((record.row for record in self._pods), dtype=np.intp, count=len(self._pods))

    def pod_added(self, record: NodeRow, pod: PodInfo) -> None:
        if not pod.has_volumes:
            return
        self._pods.setdefault(record, {})[pod.uid] = pod
        for name in pod.claim_names:
            self._claims[pod.namespace, name] += 1

    def pod_removed(self, record: NodeRow, pod: PodInfo) -> None:
        if not pod.has_volumes:
            return
        pods = self._pods[record]
        del pods[pod.uid]
        if not pods:
            del self._pods[record]
        for name in pod.claim_names:
            self._claims[pod.namespace, name] -= 1
            if not self._claims[pod.namespace, name]:
                del self._claims[pod.namespace, name]

    def resize(self, capacity: int) -> None:
        """Keyed by node."""

    def permute(self, old_rows: NDArray[np.intp]) -> None:
        """Keyed by node."""

    def node_set(self, record: NodeRow) -> None:
        """Only pods use volumes."""

    def node_cleared(self, record: NodeRow) -> None:
        """Only pods use volumes."""
