"""The pods of every pod group, wherever they are: pending, gated, assumed, bound.

Plugins otherwise see the pods on nodes only. Whether a gang can be complete at
all also depends on the pods that wait, whichever scheduler they wait for, so
those with a group's label are kept here, by group. Finished pods are not among
them, as nobody waits for those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scheduler_core.objects.pod_group import pod_group_of
from scheduler_core.objects.pod_info import PodInfo

# (namespace, name of the group)
_Group = tuple[str, str]


class GroupMembers:
    """Written by the event handlers only."""

    def __init__(self, node_of: Callable[[str], str | None]) -> None:
        # The node that the pod with a uid is on, bound or assumed.
        self._node_of = node_of
        # group -> uid -> pod, in the order they came; no empty groups.
        self._members: dict[_Group, dict[str, PodInfo]] = {}
        # uid -> its group
        self._group_of: dict[str, _Group] = {}

    def of(self, namespace: str, group: str) -> Mapping[str, PodInfo]:
        """By uid."""
        return self._members.get((namespace, group), {})

    def placed(self, namespace: str, group: str) -> dict[str, str]:
        """Uid -> node of the members that are on one, bound or assumed."""
        nodes = ((uid, self._node_of(uid)) for uid in self.of(namespace, group))
        return {uid: node for uid, node in nodes if node is not None}

    def put(self, pod: PodInfo) -> None:
        """The pod is new or has changed."""
        name = pod_group_of(pod.labels)
        group = (pod.namespace, name)
        if self._group_of and self._group_of.get(pod.uid, group) != group:
            self.remove(pod.uid)
        if name:
            self._group_of[pod.uid] = group
            self._members.setdefault(group, {})[pod.uid] = pod

    def remove(self, uid: str) -> None:
        group = self._group_of.pop(uid, None)
        if group is not None:
            members = self._members[group]
            del members[uid]
            if not members:
                del self._members[group]
