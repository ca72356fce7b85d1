"""Pods on nodes, as far as the scheduler knows, and the nodes themselves.

A pod the scheduler has placed is *assumed*: it counts on its node at once, long
before the binding is stored and comes back over the feed. The feed then confirms
it, or the binding fails and the pod is forgotten.

Pods can be known before their node is (or after it went): they are kept by node
name and join the snapshot with the node. The one snapshot is written in place;
cycles are serial, so nobody needs a copy.
"""

from __future__ import annotations

from scheduler_core.cache.group_members import GroupMembers
from scheduler_core.cache.lister import ObjectStore
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot


class Placement:
    """A pod and the node it is on."""

    __slots__ = ("assumed", "node_name", "pod")

    def __init__(self, pod: PodInfo, node_name: str, assumed: bool) -> None:
        self.pod = pod
        self.node_name = node_name
        # Placed by the scheduler and not yet confirmed by the feed.
        self.assumed = assumed


class Cache:
    """Writes the snapshot; everybody else reads it."""

    def __init__(self) -> None:
        self._snapshot = Snapshot()
        self._placements: dict[str, Placement] = {}
        # Node name -> uid -> pod, for nodes that are not there.
        self._homeless: dict[str, dict[str, PodInfo]] = {}
        self.objects = ObjectStore()
        # Pods of pod groups, those included that are on no node.
        self.group_members = GroupMembers(self.node_name_of)

    @property
    def snapshot(self) -> Snapshot:
        """With its rows in order."""
        self._snapshot.refresh()
        return self._snapshot

    # --- nodes ---

    def add_node(self, node: Node) -> None:
        if self._snapshot.has_node(node.name):
            self._snapshot.update_node(node)
            return
        self._snapshot.add_node(node, self._homeless.pop(node.name, {}).values())

    def remove_node(self, name: str) -> None:
        record = self._snapshot.record_of(name)
        if record is None:
            return
        if record.pods:
            self._homeless[name] = dict(record.pods)
        self._snapshot.remove_node(name)

    def node(self, name: str) -> Node | None:
        record = self._snapshot.record_of(name)
        return None if record is None else record.node

    # --- pods ---

    def placement(self, uid: str) -> Placement | None:
        return self._placements.get(uid)

    def node_name_of(self, uid: str) -> str | None:
        """Of a pod that is bound or assumed."""
        placement = self._placements.get(uid)
        return None if placement is None else placement.node_name

    def is_assumed(self, uid: str) -> bool:
        placement = self._placements.get(uid)
        return placement is not None and placement.assumed

    def assume_pod(self, pod: PodInfo, node_name: str) -> None:
        """Count the pod on the node from now on."""
        if pod.uid in self._placements:
            raise ValueError(f"pod {pod.key} is already on node {self._placements[pod.uid].node_name}")
        self._place(pod, node_name, assumed=True)

    def forget_pod(self, uid: str) -> None:
        """Take back `assume_pod`. A pod the feed has confirmed meanwhile stays."""
        if self.is_assumed(uid):
            self.remove_pod(uid)

    def set_pod(self, pod: PodInfo) -> None:
        """The feed says the pod is on its node: new, changed, or an assumed one confirmed."""
        placement = self._placements.get(pod.uid)
        if placement is None:
            self._place(pod, pod.node_name, assumed=False)
        elif placement.node_name != pod.node_name:
            self.remove_pod(pod.uid)
            self._place(pod, pod.node_name, assumed=False)
        else:
            self._replace(placement, pod)

    def remove_pod(self, uid: str) -> None:
        placement = self._placements.pop(uid, None)
        if placement is None:
            return
        record = self._snapshot.record_of(placement.node_name)
        if record is not None:
            self._snapshot.remove_pod(record, placement.pod)
            return
        pods = self._homeless[placement.node_name]
        del pods[uid]
        if not pods:
            del self._homeless[placement.node_name]

    def _place(self, pod: PodInfo, node_name: str, *, assumed: bool) -> None:
        self._placements[pod.uid] = Placement(pod, node_name, assumed)
        record = self._snapshot.record_of(node_name)
        if record is not None:
            self._snapshot.add_pod(record, pod)
        else:
            self._homeless.setdefault(node_name, {})[pod.uid] = pod

    def _replace(self, placement: Placement, pod: PodInfo) -> None:
        old, placement.pod, placement.assumed = placement.pod, pod, False
        record = self._snapshot.record_of(placement.node_name)
        if record is not None:
            self._snapshot.replace_pod(record, old, pod)
        else:
            self._homeless[placement.node_name][pod.uid] = pod
