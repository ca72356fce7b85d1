"""NodePorts: two pods cannot have the same port of a node.

They may, if each wants it on another address; 0.0.0.0 (or none) stands for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import EventRegistration, HintAnswer, Plugin, PreFilterResult, Rows, Verdicts
from scheduler_core.framework.status import SKIP, unschedulable
from scheduler_core.framework.verdicts import reject_where
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import ANY_ADDRESS, HostPort, PodInfo
from scheduler_core.snapshot.snapshot import Snapshot

TAKEN = unschedulable("node(s) didn't have free ports for the requested pod ports")


class NodePorts(Plugin):
    """Rejects nodes where a wanted host port is taken."""

    name = "NodePorts"

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        return PreFilterResult() if pod.host_ports else PreFilterResult(SKIP)

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        return reject_where(_taken(pod, snapshot)[rows], TAKEN)

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        users = [user for user in snapshot.pods_on(row) if _in_each_others_way(pod.host_ports, user.host_ports)]
        return [f"free the host ports of pod {user.key}" for user in users]

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (on("Pod", "Delete", hint=self._pod_deleted), on("Node", "Add"))

    def _pod_deleted(self, pod: PodInfo, old: Pod | None, new: Pod | None) -> HintAnswer:
        if old is None or not old.spec.node_name:
            return skip("the deleted pod was on no node")
        if not _in_each_others_way(pod.host_ports, PodInfo(old).host_ports):
            return skip("the deleted pod had none of the pod's host ports")
        return queue("the deleted pod had a host port the pod wants")


def _taken(pod: PodInfo, snapshot: Snapshot) -> NDArray[np.bool_]:
    taken = np.zeros(snapshot.n, dtype=np.bool_)
    for wanted in pod.host_ports:
        for address, rows in snapshot.port_users(wanted.protocol, wanted.port):
            if _same_address(wanted.address, address):
                taken[rows] = True
    return taken


def _in_each_others_way(wanted: Iterable[HostPort], used: Iterable[HostPort]) -> bool:
    used = list(used)
    return any(
        each.port == other.port and each.protocol == other.protocol and _same_address(each.address, other.address)
        for each in wanted
        for other in used
    )


def _same_address(one: str, other: str) -> bool:
    return one == other or ANY_ADDRESS in (one, other)
