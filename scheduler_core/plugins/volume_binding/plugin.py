"""The plugin: extension points and events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    ALL_FIT,
    NOTHING_TO_FILTER,
    BindingApi,
    EventRegistration,
    Handle,
    HintAnswer,
    IntArray,
    Plugin,
    PreFilterResult,
    Rows,
    Verdicts,
)
from scheduler_core.framework.status import SKIP, SUCCESS, Code, Status, error, unresolvable
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.storage import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    PersistentVolumeClaim,
    StorageClass,
)
from scheduler_core.plugins.args import VolumeBindingArgs
from scheduler_core.plugins.volume_binding.assumed import AssumedBindings
from scheduler_core.plugins.volume_binding.claims import (
    BIND_COMPLETED,
    SELECTED_NODE,
    ClaimProblem,
    ClassProblem,
    PodClaims,
    check_claims,
    pod_claims,
    requested_bytes,
)
from scheduler_core.plugins.volume_binding.matching import Matcher, Matches, ProvisioningError
from scheduler_core.snapshot.snapshot import Snapshot

UNBOUND_IMMEDIATE = unresolvable("pod has unbound immediate PersistentVolumeClaims")
NOT_ON_NODE = "node(s) didn't match PersistentVolume's node affinity"
NOT_FOUND = "node(s) didn't find available persistent volumes to bind"
NO_ROOM = "node(s) did not have enough free storage"
GONE = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
# In the order in which they are told.
_REASONS = (NOT_ON_NODE, NOT_FOUND, NO_ROOM, GONE)

MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins"

_STATE = "VolumeBinding"


@dataclass(slots=True)
class VolumeState:
    """One cycle's view of the pod's claims."""

    claims: PodClaims = field(default_factory=PodClaims)
    # Over all nodes; filled by Filter.
    matches: Matches | None = None


class VolumeBinding(Plugin):
    """Finds volumes, or ways to provision them, for the claims of a pod."""

    name = "VolumeBinding"

    def __init__(self, args: VolumeBindingArgs, handle: Handle) -> None:
        super().__init__(args, handle)
        self._assumed = AssumedBindings()
        self._matcher = Matcher(handle.lister, self._assumed)

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        if not pod.has_volumes:
            return NOTHING_TO_FILTER
        own = VolumeState()
        state.write(_STATE, own)
        lister = self.handle.lister
        try:
            if not check_claims(pod, lister):
                return NOTHING_TO_FILTER
            own.claims = pod_claims(pod, lister)
        except ClaimProblem as problem:
            return PreFilterResult(unresolvable(str(problem)))
        except ClassProblem as problem:
            return PreFilterResult(error(str(problem)))
        if own.claims.immediate:
            return PreFilterResult(UNBOUND_IMMEDIATE)
        self._assumed.settle(lister)
        return PreFilterResult()

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        own: VolumeState = state.read(_STATE)
        if own.matches is None:
            try:
                own.matches = self._matcher.match(own.claims.bound, own.claims.delayed, snapshot)
            except ProvisioningError as problem:
                return Verdicts(np.ones(len(snapshot.pod_count[rows]), dtype=np.int16), (error(str(problem)),))
        return _verdicts(own.matches, rows)

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        claims = pod_claims(pod, self.handle.lister)
        found = [
            f"a node that can use the volume of claim {each.name}"
            for each in claims.bound
            if not self._matcher.match([each], [], snapshot).on_node[row]
        ]
        for each in claims.delayed:
            if not self._matcher.match([], [each], snapshot).found[row]:
                found.append(f"a volume for claim {each.name} ({requested_bytes(each)} bytes) that the node can use")
        return found

    def pre_score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Status:
        # Scoring by storage capacity is behind a gate that is off by default in 1.34.
        return SKIP

    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        return np.zeros(len(snapshot.pod_count[rows]), dtype=np.int64)

    def reserve(self, state: CycleState, pod: PodInfo, node_name: str) -> Status:
        own: VolumeState | None = state.get(_STATE)
        if own is None or own.matches is None or not own.claims.delayed:
            return SUCCESS
        matches, row = own.matches, self.handle.snapshot.row_of(node_name)
        bindings: list[dict[str, Any]] = []
        provisioned = list(matches.provisioned)
        for claim, choice in matches.static:
            if choice[row] < 0:
                provisioned.append(claim)
                continue
            volume = matches.volumes[choice[row]]
            self._assumed.promise(volume.name, claim)
            bindings.append({"volume": volume.name, **_claim_reference(claim)})
        for claim in provisioned:
            self._assumed.provision(claim, node_name)
        state.binding_data[self.name] = {
            "bindings": bindings,
            "provisions": [_claim_reference(claim) for claim in provisioned],
        }
        return SUCCESS

    def unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        own: VolumeState | None = state.get(_STATE)
        if own is not None:
            self._assumed.forget(own.claims.delayed)

    def pre_bind(self, state: CycleState, pod: PodInfo, node_name: str, api: BindingApi) -> Status:
        """Writes what Reserve chose; WAIT until the volume controllers have bound every claim."""
        data = state.binding_data.get(self.name)
        if data is None:
            return SUCCESS
        for binding in data["bindings"]:
            status = _claim_volume(binding, api)
            if not status.is_success:
                return status
        for provision in data["provisions"]:
            status = _select_node(provision, node_name, api)
            if not status.is_success:
                return status
        return _all_bound([*data["bindings"], *data["provisions"]], api)

    # --- events ---

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (
            on("storage.k8s.io/StorageClass", "Add", "Update", hint=self._class_changed),
            on("PersistentVolumeClaim", "Add", "Update", hint=self._claim_changed),
            on("PersistentVolume", "Add", "Update"),
            on("Node", "Add", "UpdateNodeLabel"),
            on("storage.k8s.io/CSINode", "Add", "Update", hint=self._csi_node_changed),
            on("storage.k8s.io/CSIDriver", "Update", hint=self._driver_changed),
            on("storage.k8s.io/CSIStorageCapacity", "Add", "Update", hint=self._capacity_changed),
        )

    def _class_changed(self, pod: PodInfo, old: StorageClass | None, new: StorageClass | None) -> HintAnswer:
        if old is None:
            return queue("a storage class was created")
        if new is not None and old.allowed_topologies != new.allowed_topologies:
            return queue("the topologies a storage class allows changed")
        return skip("the storage class allows the same topologies as before")

    def _claim_changed(
        self, pod: PodInfo, old: PersistentVolumeClaim | None, new: PersistentVolumeClaim | None
    ) -> HintAnswer:
        if new is not None and new.namespace == pod.namespace and new.name in pod.claim_names:
            return queue("a claim of the pod was created or changed")
        return skip("the pod does not use the claim")

    def _csi_node_changed(self, pod: PodInfo, old: CSINode | None, new: CSINode | None) -> HintAnswer:
        if old is None:
            return queue("a node told its drivers")
        if new is not None and _migrated(old) != _migrated(new):
            return queue("the migrated volume plugins of a node changed")
        return skip("the migrated volume plugins of the node are the same")

    def _driver_changed(self, pod: PodInfo, old: CSIDriver | None, new: CSIDriver | None) -> HintAnswer:
        if old is None or new is None:
            return skip("the driver came or went")
        uses = any(each.csi is not None and each.csi.driver == new.name for each in pod.pod.spec.volumes)
        if uses and old.spec.storage_capacity and not new.spec.storage_capacity:
            return queue("the driver's storage capacity does not count any more")
        return skip("the storage capacity of the pod's drivers counts as before")

    def _capacity_changed(
        self, pod: PodInfo, old: CSIStorageCapacity | None, new: CSIStorageCapacity | None
    ) -> HintAnswer:
        if old is None:
            return queue("storage became known")
        before, now = _limit(old), _limit(new)
        if now is not None and (before is None or now > before):
            return queue("there is more storage")
        return skip("there is no more storage than before")


def _verdicts(matches: Matches, rows: Rows) -> Verdicts:
    bits: NDArray[np.int16] = np.zeros(len(matches.found[rows]), dtype=np.int16)
    for bit, mask in enumerate((matches.on_node, matches.found, matches.has_room, matches.exists)):
        bits |= (~mask[rows]).astype(np.int16) << bit
    if not bits.any():
        return ALL_FIT
    distinct, codes = np.unique(bits, return_inverse=True)
    statuses = [unresolvable(*_reasons(int(each))) for each in distinct if each]
    return Verdicts((codes + (0 if distinct[0] == 0 else 1)).astype(np.int16), statuses)


def _reasons(bits: int) -> list[str]:
    return [reason for bit, reason in enumerate(_REASONS) if bits >> bit & 1]


def _claim_reference(claim: PersistentVolumeClaim) -> dict[str, str]:
    return {"namespace": claim.namespace, "claim": claim.name, "uid": claim.metadata.uid}


def _claim_volume(binding: dict[str, str], api: BindingApi) -> Status:
    """Write the claim into the volume, unless somebody else has."""
    volume = api.get("PersistentVolume", None, binding["volume"])
    if volume is None:
        return error(f'persistentvolume "{binding["volume"]}" not found')
    reference = (volume.get("spec") or {}).get("claimRef")
    if reference is not None:
        is_ours = (reference.get("namespace"), reference.get("name")) == (binding["namespace"], binding["claim"])
        return SUCCESS if is_ours else error(f'persistentvolume "{binding["volume"]}" was bound to another claim')
    wanted = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "namespace": binding["namespace"],
        "name": binding["claim"],
        "uid": binding["uid"],
    }
    patch = {"metadata": {"annotations": {"pv.kubernetes.io/bound-by-controller": "yes"}}, "spec": {"claimRef": wanted}}
    return api.patch("PersistentVolume", None, binding["volume"], patch)


def _select_node(provision: dict[str, str], node_name: str, api: BindingApi) -> Status:
    """Tell the provisioner for which node the volume is."""
    claim = api.get("PersistentVolumeClaim", provision["namespace"], provision["claim"])
    if claim is None:
        return error(f'persistentvolumeclaim "{provision["claim"]}" not found')
    annotations = (claim.get("metadata") or {}).get("annotations") or {}
    if annotations.get(SELECTED_NODE) == node_name:
        return SUCCESS
    patch = {"metadata": {"annotations": {SELECTED_NODE: node_name}}}
    return api.patch("PersistentVolumeClaim", provision["namespace"], provision["claim"], patch)


def _all_bound(references: Sequence[dict[str, str]], api: BindingApi) -> Status:
    for reference in references:
        claim = api.get("PersistentVolumeClaim", reference["namespace"], reference["claim"])
        if claim is None:
            return error(f'persistentvolumeclaim "{reference["claim"]}" not found')
        annotations = (claim.get("metadata") or {}).get("annotations") or {}
        if not (claim.get("spec") or {}).get("volumeName") or BIND_COMPLETED not in annotations:
            return Status(Code.WAIT, (f'waiting for persistentvolumeclaim "{reference["claim"]}" to be bound',))
    return SUCCESS


def _migrated(csi_node: CSINode) -> str:
    return csi_node.metadata.annotations.get(MIGRATED_PLUGINS, "")


def _limit(capacity: CSIStorageCapacity | None) -> int | None:
    if capacity is None:
        return None
    limit = capacity.maximum_volume_size or capacity.capacity
    return limit.value if limit is not None else None
