"""The plugin: extension points and events."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.domain_totals import DomainTotals
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    NOTHING_TO_FILTER,
    EventRegistration,
    Handle,
    HintAnswer,
    IntArray,
    Plugin,
    PreFilterResult,
    Rows,
    Verdicts,
)
from scheduler_core.framework.memo import ClassMemo, GenerationMemo
from scheduler_core.framework.status import SKIP, SUCCESS, Status
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import PodTopologySpreadArgs
from scheduler_core.plugins.pod_topology_spread.constraints import (
    DO_NOT_SCHEDULE,
    SCHEDULE_ANYWAY,
    Constraints,
    compile_constraints,
)
from scheduler_core.plugins.pod_topology_spread.defaults import DefaultConstraints
from scheduler_core.plugins.pod_topology_spread.hard import HardSpread, hard_spread
from scheduler_core.plugins.pod_topology_spread.soft import SoftSpread
from scheduler_core.plugins.pod_topology_spread.topology import Topology, topology_of
from scheduler_core.snapshot.snapshot import Snapshot

_HARD = "PodTopologySpread/hard"
_SOFT = "PodTopologySpread/soft"


class PodTopologySpread(Plugin):
    """Filters by hard, scores by soft constraints."""

    name = "PodTopologySpread"
    scores_stay_in_range = True

    def __init__(self, args: PodTopologySpreadArgs, handle: Handle) -> None:
        super().__init__(args, handle)
        self._defaults = DefaultConstraints(args, handle.lister)
        self._own: ClassMemo[Constraints] = ClassMemo()
        self._topologies: GenerationMemo[Topology] = GenerationMemo()
        self._totals = DomainTotals()

    def constraints(self, pod: PodInfo, when_unsatisfiable: str) -> Constraints:
        """The pod's own constraints of one sort; the default ones where it writes none at all."""
        written = pod.pod.spec.topology_spread_constraints
        if not written:
            return self._defaults.of(pod, when_unsatisfiable)
        key = (pod.class_key, when_unsatisfiable)
        own = self._own.get(key)
        if own is None:
            own = self._own.put(key, compile_constraints(written, when_unsatisfiable, pod.labels))
        return own

    def _topology(
        self, pod: PodInfo, constraints: Constraints, when_unsatisfiable: str, snapshot: Snapshot, *, require_all: bool
    ) -> Topology:
        """Of the pod's constraints of one sort."""
        # The class tells the constraints, but for the deduced selectors of default ones.
        deduced = () if pod.pod.spec.topology_spread_constraints else self._defaults.generation
        key: Hashable = (pod.class_key, when_unsatisfiable, deduced)
        topology = self._topologies.get(snapshot.node_generation, key)
        if topology is None:
            built = topology_of(pod, constraints, snapshot, require_all_keys=require_all)
            topology = self._topologies.put(snapshot.node_generation, key, built)
        return topology

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        constraints = self.constraints(pod, DO_NOT_SCHEDULE)
        if not constraints:
            return NOTHING_TO_FILTER
        topology = self._topology(pod, constraints, DO_NOT_SCHEDULE, snapshot, require_all=True)
        state.write(_HARD, hard_spread(pod, topology, snapshot, self._totals))
        return PreFilterResult()

    def add_pod(self, state: CycleState, pod: PodInfo, added: PodInfo, row: int) -> Status:
        return self._pod_changed(state, added, row, 1)

    def remove_pod(self, state: CycleState, pod: PodInfo, removed: PodInfo, row: int) -> Status:
        return self._pod_changed(state, removed, row, -1)

    def _pod_changed(self, state: CycleState, changed: PodInfo, row: int, change: int) -> Status:
        hard: HardSpread | None = state.get(_HARD)
        if hard is not None:
            hard.pod_changed(changed, row, change)
        return SUCCESS

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        hard: HardSpread = state.read(_HARD)
        return hard.verdicts(snapshot, rows)

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        constraints = self.constraints(pod, DO_NOT_SCHEDULE)
        topology = self._topology(pod, constraints, DO_NOT_SCHEDULE, snapshot, require_all=True)
        labels = snapshot.node_at(row).labels
        missing = [f"label {each.topology_key} on the node" for each in constraints if each.topology_key not in labels]
        return missing or hard_spread(pod, topology, snapshot, self._totals).remedies(snapshot, row)

    def pre_score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Status:
        constraints = self.constraints(pod, SCHEDULE_ANYWAY)
        if not constraints or not snapshot.n:
            return SKIP
        written = bool(pod.pod.spec.topology_spread_constraints)
        require_all = written or not self._defaults.are_system
        topology = self._topology(pod, constraints, SCHEDULE_ANYWAY, snapshot, require_all=require_all)
        state.write(_SOFT, SoftSpread(pod, topology, snapshot, rows, self._totals, require_all_keys=require_all))
        return SUCCESS

    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        soft: SoftSpread = state.read(_SOFT)
        return soft.raw(snapshot, rows)

    def normalize(self, state: CycleState, pod: PodInfo, scores: IntArray) -> IntArray:
        soft: SoftSpread = state.read(_SOFT)
        return soft.normalized(scores)

    # --- events ---

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (
            on("Pod", "Add", "Delete", "UpdatePodLabel", "UpdatePodToleration", hint=self._pod_changed_hint),
            on("Node", "Add", "Delete", "UpdateNodeLabel", "UpdateNodeTaint", hint=self._node_changed_hint),
        )

    def _pod_changed_hint(self, pod: PodInfo, old: Pod | None, new: Pod | None) -> HintAnswer:
        if any(each is not None and not _concerns(pod, each) for each in (old, new)):
            return skip("the other pod is on no node, or in another namespace")
        constraints = self.constraints(pod, DO_NOT_SCHEDULE)
        if old is not None and new is not None:
            return _pod_updated(pod, old, new, constraints)
        changed = new if new is not None else old
        if changed is not None and _matches_any(constraints, changed.metadata.labels):
            return queue("a pod that the constraints count came or went")
        return skip("the constraints do not count that pod")

    def _node_changed_hint(self, pod: PodInfo, old: Node | None, new: Node | None) -> HintAnswer:
        constraints = self.constraints(pod, DO_NOT_SCHEDULE)
        if old is not None and new is not None:
            return _node_updated(old, new, constraints)
        changed = new if new is not None else old
        if changed is not None and _has_keys(constraints, changed):
            return queue("a node with the topology keys came or went")
        return skip("the node lacks a topology key")


def _concerns(pod: PodInfo, other: Pod) -> bool:
    info = PodInfo(other)
    return info.uid == pod.uid or (bool(info.node_name) and info.namespace == pod.namespace)


def _pod_updated(pod: PodInfo, old: Pod, new: Pod, constraints: Constraints) -> HintAnswer:
    tolerations_changed = PodInfo(new).uid == pod.uid and old.spec.tolerations != new.spec.tolerations
    if tolerations_changed and any(each.honor_taints for each in constraints):
        return queue("the pod's tolerations changed and a constraint honours taints")
    before, after = old.metadata.labels, new.metadata.labels
    if before != after and any(each.selector.matches(before) != each.selector.matches(after) for each in constraints):
        return queue("a constraint counts the changed pod differently now")
    return skip("no constraint counts the changed pod differently")


def _node_updated(old: Node, new: Node, constraints: Constraints) -> HintAnswer:
    had, has = _has_keys(constraints, old), _has_keys(constraints, new)
    if had != has:
        return queue("the node gained or lost a topology key")
    if has and _any_differs(constraints, old.labels, new.labels):
        return queue("the node moved to another domain")
    if has and old.spec.taints != new.spec.taints:
        return queue("the node's taints changed, it may count differently now")
    return skip("the node is in the same domains as before")


def _has_keys(constraints: Constraints, node: Node) -> bool:
    return all(each.topology_key in node.labels for each in constraints)


def _any_differs(constraints: Constraints, old: Mapping[str, str], new: Mapping[str, str]) -> bool:
    return any(old.get(each.topology_key) != new.get(each.topology_key) for each in constraints)


def _matches_any(constraints: Constraints, labels: Mapping[str, str]) -> bool:
    return any(each.selector.matches(labels) for each in constraints)
