"""Nominated pods: those that expect to land on a node once its victims are gone.

Filter counts them as if they were there, for pods of no higher priority, so
that the room a preemption made is not taken by somebody else. A nomination
ends with the pod: bound, deleted, or nominated elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scheduler_core.objects.pod_info import PodInfo


class Nominator:
    """Which pods are nominated to which node."""

    def __init__(self) -> None:
        # node -> uid -> pod, in order of nomination
        self._by_node: dict[str, dict[str, PodInfo]] = {}
        # uid -> node
        self._node_of: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._node_of)

    @property
    def nodes(self) -> Sequence[str]:
        """Nodes with at least one nominated pod."""
        return list(self._by_node)

    def node_of(self, uid: str) -> str:
        """ "" where the pod is not nominated."""
        return self._node_of.get(uid, "")

    def pods_for_node(self, node_name: str) -> Sequence[PodInfo]:
        return list(self._by_node.get(node_name, {}).values())

    def add(self, pod: PodInfo, node_name: str = "") -> None:
        """Nominates the pod to `node_name`, or to what its status says; clears it where both are empty."""
        self.delete(pod.uid)
        node_name = node_name or pod.nominated_node_name
        if node_name:
            self._by_node.setdefault(node_name, {})[pod.uid] = pod
            self._node_of[pod.uid] = node_name

    def update(self, old: PodInfo | None, new: PodInfo) -> None:
        """Follows an update of the pod; a nomination made here and not yet stored is kept."""
        kept = ""
        if new.nominated_node_name == "" and (old is None or old.nominated_node_name == ""):
            kept = self._node_of.get(new.uid, "")
        self.add(new, kept)

    def delete(self, uid: str) -> None:
        node_name = self._node_of.pop(uid, None)
        if node_name is None:
            return
        pods = self._by_node[node_name]
        del pods[uid]
        if not pods:
            del self._by_node[node_name]
