"""The plugin: extension points and events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    ALL_FIT,
    NOTHING_TO_FILTER,
    BindingApi,
    EventRegistration,
    Handle,
    HintAnswer,
    Plugin,
    PostFilterResult,
    PreFilterResult,
    Rows,
    Verdicts,
)
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.framework.status import SUCCESS, Status, error, unresolvable, unschedulable
from scheduler_core.framework.verdicts import StatusTable
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.resource_claims import DeviceClass, DeviceSelector, DeviceSubRequest, ResourceClaim
from scheduler_core.plugins.args import DynamicResourcesArgs
from scheduler_core.plugins.dynamic_resources.allocation_manifest import allocation_manifest
from scheduler_core.plugins.dynamic_resources.allocator import (
    Allocation,
    AllocationError,
    Allocator,
    SearchTooLong,
)
from scheduler_core.plugins.dynamic_resources.cel_selectors import CelError, device_selector
from scheduler_core.plugins.dynamic_resources.claims import (
    ClaimUnavailable,
    can_be_reserved,
    claim_key,
    is_reserved_for,
    pod_claims,
)
from scheduler_core.plugins.dynamic_resources.in_flight import InFlightAllocations, allocated_devices
from scheduler_core.plugins.dynamic_resources.pools import PoolDevice, Pools
from scheduler_core.report import ClaimDeallocation
from scheduler_core.snapshot.node_selection import CompiledNodeSelector, compile_node_selector
from scheduler_core.snapshot.snapshot import Snapshot

CANNOT_ALLOCATE = unresolvable("cannot allocate all claims")
NOT_ON_NODE = unresolvable("resourceclaim not available on the node")
IN_USE = unresolvable("resourceclaim in use")
TIMED_OUT = unresolvable("timed out trying to allocate devices")
NOTHING_TO_DEALLOCATE = unschedulable("no new claims to deallocate")
STILL_NOT_SCHEDULABLE = unschedulable("still not schedulable")
DEALLOCATED = unschedulable("deallocation of ResourceClaim completed")
# PreFilter of another plugin rejected the pod before this one was asked.
NO_STATE = error("not found")

GATE = "DynamicResourceAllocation"

_STATE = "DynamicResources"


@dataclass(slots=True)
class ClaimState:
    """One cycle's view of the pod's claims."""

    claims: list[ResourceClaim] = field(default_factory=list)
    # By claim: where its allocation can be used; None: everywhere, or it is not allocated.
    available_on: list[CompiledNodeSelector | None] = field(default_factory=list)
    # None: every claim is allocated.
    allocator: Allocator | None = None
    # Indexes of claims that some node could not use.
    unavailable: set[int] = field(default_factory=set)
    # Node -> what was found there.
    found: dict[str, Allocation] = field(default_factory=dict)


# Of every pod without claims; nobody writes to it.
_NO_CLAIMS = ClaimState()


class DynamicResources(Plugin):
    """Allocates the devices that a pod claims."""

    name = "DynamicResources"
    # Filter is asked about the nodes that other plugins left.
    costly = True

    def __init__(self, args: DynamicResourcesArgs, handle: Handle) -> None:
        super().__init__(args, handle)
        self._pools = Pools(handle.lister)
        self._in_flight = InFlightAllocations()
        # (expression, device) -> matches
        self._matching: GenerationMemo[bool] = GenerationMemo()

    @property
    def _is_on(self) -> bool:
        return self.handle.feature_gates.get(GATE, True)

    def pre_enqueue(self, pod: PodInfo) -> Status:
        if not self._is_on or not pod.pod.spec.resource_claims:
            return SUCCESS
        try:
            pod_claims(pod, self.handle.lister)
        except ClaimUnavailable as missing:
            return unresolvable(str(missing))
        return SUCCESS

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        if not self._is_on:
            return NOTHING_TO_FILTER
        if not pod.pod.spec.resource_claims:
            state.write(_STATE, _NO_CLAIMS)
            return NOTHING_TO_FILTER
        own = ClaimState()
        state.write(_STATE, own)
        try:
            claims = pod_claims(pod, self.handle.lister)
        except ClaimUnavailable as missing:
            return PreFilterResult(unresolvable(str(missing)))
        if not claims:
            return NOTHING_TO_FILTER
        self._in_flight.settle(self.handle.lister)
        for claim in claims:
            status = self._check(pod, claim)
            if not status.is_success:
                return PreFilterResult(status)
        self._fill(own, claims)
        return PreFilterResult()

    def _check(self, pod: PodInfo, claim: ResourceClaim) -> Status:
        if claim.status.allocation is not None:
            usable = can_be_reserved(claim) or is_reserved_for(claim, pod)
            return SUCCESS if usable else IN_USE
        if claim in self._in_flight:
            return unresolvable(f"resource claim {claim.namespace}/{claim.name} is in the process of being allocated")
        for request in claim.spec.devices.requests:
            bodies = (request.exactly,) if request.exactly is not None else request.first_available
            if not bodies:
                return unresolvable(
                    f"resource claim {claim.namespace}/{claim.name}, request {request.name}: unknown request type"
                )
            status = self._check_classes(request.name, bodies, is_list=request.exactly is None)
            if not status.is_success:
                return status
        return SUCCESS

    def _check_classes(self, request: str, bodies: Sequence[DeviceSubRequest], *, is_list: bool) -> Status:
        for body in bodies:
            name = f"{request}/{body.name}" if is_list else request
            if not body.device_class_name:
                return error(f"request {name}: unsupported request type")
            if self._device_class(body.device_class_name) is None:
                return unresolvable(f"request {name}: device class {body.device_class_name} does not exist")
        return SUCCESS

    def _device_class(self, name: str) -> DeviceClass | None:
        return self.handle.lister.get("DeviceClass", None, name)

    def _fill(self, own: ClaimState, claims: list[ResourceClaim]) -> None:
        own.claims = claims
        own.available_on = [_available_on(claim) for claim in claims]
        pending = [claim for claim in claims if claim.status.allocation is None]
        if pending:
            taken = frozenset((*allocated_devices(self.handle.lister), *self._in_flight.devices()))
            own.allocator = Allocator(pending, self._device_class, taken, self._matches)

    def _matches(self, claim: ResourceClaim, selectors: Sequence[DeviceSelector], device: PoolDevice) -> bool:
        return all(self._matches_one(claim, i, each, device) for i, each in enumerate(selectors))

    def _matches_one(self, claim: ResourceClaim, index: int, selector: DeviceSelector, device: PoolDevice) -> bool:
        if selector.cel is None:
            raise AllocationError(f"claim {claim.namespace}/{claim.name}: selector #{index}: has no CEL expression")
        generation, key = self._pools.generation, (selector.cel.expression, device.id)
        known = self._matching.get(generation, key)
        if known is None:
            try:
                answer = device_selector(selector.cel.expression).matches(device.id.driver, device.device)
            except CelError as failure:
                raise AllocationError(
                    f"claim {claim.namespace}/{claim.name}: selector #{index}: {failure}"
                ) from failure
            known = self._matching.put(generation, key, answer)
        return known

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        own: ClaimState = state.read(_STATE)
        table = StatusTable()
        selected = snapshot.all_rows[rows]
        codes = np.zeros(len(selected), dtype=np.int16)
        for i, row in enumerate(selected):
            codes[i] = table.code(self._status(own, snapshot.node_at(row), snapshot.node_generation))
        return table.verdicts(codes) if table.statuses else ALL_FIT

    def _status(self, own: ClaimState, node: Node, node_generation: int) -> Status:
        unavailable = [
            i for i, selector in enumerate(own.available_on) if selector is not None and not selector.matches(node)
        ]
        if own.allocator is not None:
            status = self._allocate(own, own.allocator, node, node_generation)
            if not status.is_success:
                return status
        own.unavailable.update(unavailable)
        return NOT_ON_NODE if unavailable else SUCCESS

    def _allocate(self, own: ClaimState, allocator: Allocator, node: Node, node_generation: int) -> Status:
        try:
            allocation = allocator.allocate(node, self._pools.reachable(node, node_generation))
        except AllocationError as failure:
            return error(str(failure))
        except SearchTooLong:
            return TIMED_OUT
        if allocation is None:
            return CANNOT_ALLOCATE
        own.found[node.name] = allocation
        return SUCCESS

    def post_filter(self, state: CycleState, pod: PodInfo, diagnosis: Any) -> PostFilterResult:
        if not self._is_on:
            return PostFilterResult(unschedulable("plugin disabled"))
        own: ClaimState | None = state.get(_STATE)
        if own is None:
            return PostFilterResult(NO_STATE)
        if not own.claims:
            return PostFilterResult(NOTHING_TO_DEALLOCATE)
        for index in sorted(own.unavailable):
            claim = own.claims[index]
            users = claim.status.reserved_for
            if not users or (len(users) == 1 and users[0].uid == pod.uid):
                detail = ClaimDeallocation(namespace=claim.namespace, name=claim.name, uid=claim.metadata.uid)
                return PostFilterResult(DEALLOCATED, detail=detail)
        return PostFilterResult(STILL_NOT_SCHEDULABLE)

    def reserve(self, state: CycleState, pod: PodInfo, node_name: str) -> Status:
        own: ClaimState | None = state.get(_STATE)
        if own is None or not own.claims:
            return SUCCESS
        pending = own.allocator.claims if own.allocator is not None else ()
        found = own.found.get(node_name)
        if pending and found is None:
            return error(f"no allocation of the pod's claims is known for node {node_name}")
        allocations: dict[str, Any] = {}
        for claim, picked in zip(pending, found or (), strict=True):
            self._in_flight.add(claim, (each.device.id for each in picked if not each.ask.body.admin_access))
            allocations[claim_key(claim)] = allocation_manifest(node_name, picked)
        state.binding_data[self.name] = [
            {"namespace": claim.namespace, "name": claim.name, "allocation": allocations.get(claim_key(claim))}
            for claim in own.claims
        ]
        return SUCCESS

    def unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        own: ClaimState | None = state.get(_STATE)
        if own is not None and own.allocator is not None:
            for claim in own.allocator.claims:
                self._in_flight.remove(claim)

    def pre_bind(self, state: CycleState, pod: PodInfo, node_name: str, api: BindingApi) -> Status:
        for entry in state.binding_data.get(self.name, ()):
            status = _reserve_claim(pod, entry, api)
            if not status.is_success:
                return status
        return SUCCESS

    # --- events ---

    def events_to_register(self) -> Sequence[EventRegistration]:
        if not self._is_on:
            return ()
        return (
            on("Node", "Add", "UpdateNodeAllocatable", "UpdateNodeLabel"),
            on("resource.k8s.io/ResourceClaim", "Add", "Update", hint=self._claim_changed),
            on("Pod", "UpdatePodGeneratedResourceClaim", hint=self._claims_generated),
            on("resource.k8s.io/DeviceClass", "Add", "Update"),
            on("resource.k8s.io/ResourceSlice", "Add", "Update"),
        )

    def further_events(self) -> Sequence[EventRegistration]:
        # Nothing holds an allocated claim back from being deleted here: it may go together with its devices.
        return (on("resource.k8s.io/ResourceClaim", "Delete", hint=self._claim_gone),) if self._is_on else ()

    def _claim_gone(self, pod: PodInfo, old: ResourceClaim | None, new: ResourceClaim | None) -> HintAnswer:
        if old is not None and old.status.allocation is not None:
            return queue("an allocated claim is gone, its devices may be free")
        return skip("the claim that is gone held no devices")

    def _claim_changed(self, pod: PodInfo, old: ResourceClaim | None, new: ResourceClaim | None) -> HintAnswer:
        if new is None:
            return skip("the claim is gone")
        try:
            claims = pod_claims(pod, self.handle.lister)
        except ClaimUnavailable as missing:
            return skip(str(missing))
        if old is not None and old.status.allocation is not None and new.status.allocation is None:
            return queue("a claim was deallocated, its devices may be free")
        if claim_key(new) not in map(claim_key, claims):
            return skip("the pod does not use the claim")
        if old is None:
            return queue("a claim of the pod was created")
        if old.status == new.status:
            return skip("the status of the claim did not change")
        return queue("the status of a claim of the pod changed")

    def _claims_generated(self, pod: PodInfo, old: Pod | None, new: Pod | None) -> HintAnswer:
        if new is None or PodInfo(new).uid != pod.uid:
            return skip("claims were made for another pod")
        try:
            pod_claims(PodInfo(new), self.handle.lister)
        except ClaimUnavailable as missing:
            return skip(str(missing))
        return queue("all claims of the pod are there now")


def _available_on(claim: ResourceClaim) -> CompiledNodeSelector | None:
    allocation = claim.status.allocation
    if allocation is None or allocation.node_selector is None:
        return None
    return compile_node_selector(allocation.node_selector)


def _reserve_claim(pod: PodInfo, entry: Mapping[str, Any], api: BindingApi) -> Status:
    """Write allocation and consumer into the claim's status, on top of what is there now."""
    namespace, name = entry["namespace"], entry["name"]
    claim = api.get("ResourceClaim", namespace, name)
    if claim is None:
        return error(f'could not find ResourceClaim "{namespace}/{name}"')
    status = claim.get("status") or {}
    consumers = list(status.get("reservedFor") or ())
    current, wanted = status.get("allocation"), entry["allocation"]
    if current is None and wanted is None:
        return error(f"resource claim {namespace}/{name} is allocated no more")
    if current is not None and wanted is not None and current != wanted:
        return error(f"resource claim {namespace}/{name} was allocated by somebody else")
    patch: dict[str, Any] = {} if current is not None else {"allocation": wanted}
    if not any(each.get("uid") == pod.uid for each in consumers):
        patch["reservedFor"] = [*consumers, {"resource": "pods", "name": pod.name, "uid": pod.uid}]
    return api.patch("ResourceClaim", namespace, name, {"status": patch}) if patch else SUCCESS
