"""Coscheduling: gang scheduling by PodGroups, as the scheduler-plugins project does it.

A placed member waits at Permit, its room assumed, until so many members are
placed as the group's minMember says; then all of them go on to be bound. What
keeps half a gang from holding room for nothing:

    PreFilter    turns a pod down whose group cannot be complete: too few pods, gated ones, too little in the cluster
    PostFilter   a member fits nowhere: those that wait give their room back, unless only few are missing
    Unreserve    a member gives up (time is over, binding failed, it was deleted): so do those that wait

Members stand side by side in activeQ, sorted by their group's creation or its
last failure, and the first that waits brings its siblings there. A pod without
the label is left alone; one whose group does not exist gets as far as Permit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scheduler_core.framework.cycle_state import PODS_TO_ACTIVATE, CycleState
from scheduler_core.framework.events import on
from scheduler_core.framework.interface import (
    EventRegistration,
    Handle,
    PermitResult,
    Plugin,
    PostFilterResult,
    PreFilterResult,
)
from scheduler_core.framework.status import SUCCESS, Code, Status, unresolvable, unschedulable
from scheduler_core.framework.waiting_pods import WaitingPod
from scheduler_core.objects.pod_group import PodGroup, pod_group_of
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.plugins.args import CoschedulingArgs
from scheduler_core.plugins.coscheduling.memory import GroupMemory
from scheduler_core.plugins.coscheduling.resource_gap import resource_gap
from scheduler_core.snapshot.snapshot import Snapshot

NO_POD_GROUP = "can not find pod group"
POD_GROUP_NOT_FOUND = "PodGroup not found"
REJECTED_IN_POST_FILTER = "optimistic rejection in PostFilter"
REJECTED_IN_UNRESERVE = "rejection in Unreserve"

# Seconds at Permit where neither group nor arguments say.
DEFAULT_WAIT = 60
WAIT = Status(Code.WAIT)


class Coscheduling(Plugin):
    name = "Coscheduling"

    args: CoschedulingArgs

    def __init__(self, args: CoschedulingArgs, handle: Handle) -> None:
        super().__init__(args, handle)
        self._memory = GroupMemory(handle.now)

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (on("Pod", "Add"), on("podgroups.v1alpha1.scheduling.x-k8s.io", "Add", "Update"))

    # --- QueueSort ---

    def sort_key(self, pod: PodInfo, enqueued_at: float, first_active_at: float) -> tuple[Any, ...]:
        """A pod without a group keeps its place however often it fails, so that gangs do not overtake it."""
        return -pod.priority, self._timestamp(pod, first_active_at), pod.key

    def _timestamp(self, pod: PodInfo, first_active_at: float) -> float:
        group = self._group_of(pod)
        if group is None:
            return first_active_at
        failed_at = self._memory.failed_at.get(full_name(pod))
        created_at = parse_timestamp(group.metadata.creation_timestamp) if failed_at is None else failed_at
        return 0.0 if created_at is None else created_at

    # --- PreFilter ---

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        """UnschedulableAndUnresolvable: nobody is to be evicted for a gang that cannot be complete."""
        group = self._group_of(pod)
        why = self._why_hopeless(pod, group, snapshot) if group is not None else ""
        return PreFilterResult(unresolvable(why) if why else SUCCESS)

    def _why_hopeless(self, pod: PodInfo, group: PodGroup, snapshot: Snapshot) -> str:
        name = full_name(pod)
        if name in self._memory.backed_off:
            return f"podGroup {name} failed recently"
        members = self._members(pod)
        least = group.spec.min_member
        if len(members) < least:
            return (
                f"pre-filter pod {pod.name} cannot find enough sibling pods, "
                f"current pods number: {len(members)}, minMember of group: {least}"
            )
        if sum(not each.pod.spec.scheduling_gates for each in members.values()) < least:
            return f"pre-filter pod {pod.name} cannot proceed due to gated pods in the same PodGroup"
        return self._resource_gap(pod, group, snapshot)

    def _resource_gap(self, pod: PodInfo, group: PodGroup, snapshot: Snapshot) -> str:
        name, wanted = full_name(pod), group.spec.min_resources
        if wanted is None or name in self._memory.permitted:
            return ""
        members = self._members(pod)
        own = ((members[uid], node) for uid, node in self._placed(pod).items())
        gap = resource_gap(snapshot, wanted, group.spec.min_member, own)
        if not gap:
            self._memory.permitted.add(name, self.args.permit_waiting_time_seconds)
        return gap

    # --- PostFilter ---

    def post_filter(self, state: CycleState, pod: PodInfo, diagnosis: Any) -> PostFilterResult:
        """If one member fits nowhere the next will not either: those that wait need not wait for them."""
        group = self._group_of(pod)
        if group is None:
            return PostFilterResult(unschedulable(NO_POD_GROUP))
        if self._may_still_succeed(pod, group):
            return PostFilterResult(unschedulable())
        self._reject_waiting(pod, REJECTED_IN_POST_FILTER)
        name = full_name(pod)
        if self.args.pod_group_backoff_seconds and len(self._members(pod)) >= group.spec.min_member:
            self._memory.backed_off.add(name, self.args.pod_group_backoff_seconds)
        self._mark_failure(pod)
        why = f"PodGroup {name} gets rejected due to Pod {pod.name} is unschedulable even after PostFilter"
        return PostFilterResult(unschedulable(why))

    def _may_still_succeed(self, pod: PodInfo, group: PodGroup) -> bool:
        """Enough members are placed, or few enough are missing for others to be given a chance."""
        least = group.spec.min_member
        missing = least - len(self._assigned(pod))
        return missing <= 0 or missing * 100 <= least * self.args.pod_group_reject_percentage

    # --- Reserve ---

    def reserve(self, state: CycleState, pod: PodInfo, node_name: str) -> Status:
        return SUCCESS

    def unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        if self._group_of(pod) is not None:
            self._reject_waiting(pod, REJECTED_IN_UNRESERVE)
            self._mark_failure(pod)

    # --- Permit ---

    def permit(self, state: CycleState, pod: PodInfo, node_name: str) -> PermitResult:
        if not pod_group_of(pod.labels):
            return PermitResult(SUCCESS)
        group = self._group_of(pod)
        if group is None:
            return PermitResult(unschedulable(POD_GROUP_NOT_FOUND))
        assigned = self._assigned(pod) | {pod.uid}
        if len(assigned) >= group.spec.min_member:
            self._let_go(pod)
            return PermitResult(SUCCESS)
        if len(assigned) == 1:
            state.write(PODS_TO_ACTIVATE, [uid for uid in self._members(pod) if uid != pod.uid])
        return PermitResult(WAIT, self._wait_seconds(group))

    def _let_go(self, pod: PodInfo) -> None:
        for waiting in self._waiting_siblings(pod):
            waiting.allow(self.name)
        if self._memory.clear_failure(full_name(pod)):
            self.handle.reorder(self._members(pod))

    def _wait_seconds(self, group: PodGroup) -> float:
        return group.spec.schedule_timeout_seconds or self.args.permit_waiting_time_seconds or DEFAULT_WAIT

    # --- the group ---

    def _group_of(self, pod: PodInfo) -> PodGroup | None:
        """None: the pod names no group, or one that does not exist."""
        name = pod_group_of(pod.labels)
        group: PodGroup | None = self.handle.lister.get("PodGroup", pod.namespace, name) if name else None
        return group

    def _members(self, pod: PodInfo) -> Mapping[str, PodInfo]:
        """By uid; the pod is one of them even where it only might exist."""
        return {**self.handle.group_members.of(pod.namespace, pod_group_of(pod.labels)), pod.uid: pod}

    def _placed(self, pod: PodInfo) -> Mapping[str, str]:
        return self.handle.group_members.placed(pod.namespace, pod_group_of(pod.labels))

    def _assigned(self, pod: PodInfo) -> set[str]:
        """Uids of members that have a node: bound, assumed, or waiting for the others."""
        return {*self._placed(pod), *(waiting.pod.uid for waiting in self._waiting_siblings(pod))}

    def _waiting_siblings(self, pod: PodInfo) -> Iterator[WaitingPod]:
        name = full_name(pod)
        return (waiting for waiting in self.handle.waiting_pods if full_name(waiting.pod) == name)

    def _reject_waiting(self, pod: PodInfo, why: str) -> None:
        for waiting in self._waiting_siblings(pod):
            waiting.reject(self.name, why)

    def _mark_failure(self, pod: PodInfo) -> None:
        """From now on the group stands behind those that came until now."""
        self._memory.forget_failures(self._is_gone)
        self._memory.mark_failure(full_name(pod))
        self.handle.reorder(self._members(pod))

    def _is_gone(self, name: str) -> bool:
        namespace, _, group = name.partition("/")
        return self.handle.lister.get("PodGroup", namespace, group) is None


def full_name(pod: PodInfo) -> str:
    """ "namespace/group", "" for a pod without group."""
    group = pod_group_of(pod.labels)
    return f"{pod.namespace}/{group}" if group else ""
