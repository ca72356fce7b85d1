"""What the framework lends the plugins of one profile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random

from scheduler_core.framework import filtering
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.extenders import Extenders
from scheduler_core.framework.filtering import FilterRun, PluginError, filter_rows
from scheduler_core.framework.interface import GroupMembers, Lister, NominatedPods, Rows, Verdicts
from scheduler_core.framework.room import RoomFilter, sole_room_filter
from scheduler_core.framework.runtime import Framework
from scheduler_core.framework.status import SUCCESS, Status
from scheduler_core.framework.waiting_pods import WaitingPods
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot


class FrameworkHandle:
    """See `interface.Handle`. `framework` is set once the profile's plugins are made."""

    framework: Framework

    def __init__(
        self,
        *,
        snapshot: Callable[[], Snapshot],
        lister: Lister,
        now: Callable[[], float],
        feature_gates: Mapping[str, bool],
        random: Random,
        nominated_pods: Callable[[], NominatedPods],
        waiting_pods: WaitingPods,
        group_members: GroupMembers,
        reorder: Callable[[Iterable[str]], None],
        extenders: Extenders | None = None,
    ) -> None:
        self._snapshot = snapshot
        self.lister = lister
        self.now = now
        self.feature_gates = feature_gates
        self.random = random
        self._nominated_pods = nominated_pods
        self.waiting_pods = waiting_pods
        self.group_members = group_members
        self.reorder = reorder
        self.extenders = extenders

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot()

    @property
    def nominated_pods(self) -> NominatedPods:
        return self._nominated_pods()

    def room_filter(self, state: CycleState) -> RoomFilter | None:
        return sole_room_filter(self.framework, state)

    def filter_nodes(self, state: CycleState, pod: PodInfo, rows: Rows) -> Verdicts:
        run = FilterRun(self.framework, state, pod, self.snapshot, self.nominated_pods, None)
        return filter_rows(run, rows)

    def add_pod(self, state: CycleState, pod: PodInfo, added: PodInfo, row: int) -> Status:
        try:
            filtering.add_pod_to_state(self.framework, state, pod, added, row)
        except PluginError as failure:
            return failure.status
        return SUCCESS

    def remove_pod(self, state: CycleState, pod: PodInfo, removed: PodInfo, row: int) -> Status:
        try:
            filtering.remove_pod_from_state(self.framework, state, pod, removed, row)
        except PluginError as failure:
            return failure.status
        return SUCCESS
