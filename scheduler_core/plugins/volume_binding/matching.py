"""Volumes and provisioning, over all nodes at once.

Kubernetes asks node by node; here every condition is a mask over the nodes. A
static volume is given to a claim in the order of kube-scheduler: the smallest
claims first, for each the smallest volume that fits the node and is not given
away there yet. What is given away is a mask for each volume, as it differs from
node to node.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.interface import Lister
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.objects.label_selector import EVERYTHING, Operator, Requirement, Selector, compile_selector
from scheduler_core.objects.storage import (
    CSIDriver,
    CSIStorageCapacity,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
)
from scheduler_core.plugins.volume_binding.assumed import AssumedBindings, key_of
from scheduler_core.plugins.volume_binding.claims import (
    SELECTED_NODE,
    STORAGE,
    requested_bytes,
)
from scheduler_core.snapshot.node_selection import NodeMask, compile_node_selector, selector_mask
from scheduler_core.snapshot.snapshot import Snapshot

NO_PROVISIONER = "kubernetes.io/no-provisioner"
AVAILABLE = "Available"

_NOBODY = -1


class ProvisioningError(Exception):
    """A claim's class is not there; the cycle fails with this text."""


@dataclass(slots=True)
class Matches:
    """The answer for every node; masks of shape (n,)."""

    # False: bound volumes are elsewhere.
    on_node: NodeMask
    # False: a bound volume is gone.
    exists: NodeMask
    # False: neither a volume nor a way to provision one.
    found: NodeMask
    # False: provisioning would exceed the storage.
    has_room: NodeMask
    # Claims that were looked for among static volumes, with their choice: an index into `volumes`, or -1.
    static: list[tuple[PersistentVolumeClaim, NDArray[np.int32]]] = field(default_factory=list)
    volumes: Sequence[PersistentVolume] = ()
    # Claims that are to be provisioned wherever they are.
    provisioned: list[PersistentVolumeClaim] = field(default_factory=list)


class Matcher:
    """Looks at claims, volumes, classes and capacities through the lister."""

    def __init__(self, lister: Lister, assumed: AssumedBindings) -> None:
        self._lister = lister
        self._assumed = assumed
        self._affinity: GenerationMemo[NodeMask] = GenerationMemo()

    def match(
        self, bound: Sequence[PersistentVolumeClaim], delayed: Sequence[PersistentVolumeClaim], snapshot: Snapshot
    ) -> Matches:
        """Raises ProvisioningError."""
        everywhere = np.ones(snapshot.n, dtype=np.bool_)
        matches = Matches(everywhere.copy(), everywhere.copy(), everywhere.copy(), everywhere.copy())
        self._check_bound(bound, matches, snapshot)
        if delayed:
            self._match_delayed(delayed, matches, snapshot)
        return matches

    # --- bound claims ---

    def _check_bound(self, claims: Iterable[PersistentVolumeClaim], matches: Matches, snapshot: Snapshot) -> None:
        """The first claim that fails on a node decides what is wrong there."""
        undecided = np.ones(snapshot.n, dtype=np.bool_)
        for claim in claims:
            volume: PersistentVolume | None = self._lister.get("PersistentVolume", None, claim.spec.volume_name)
            if volume is None:
                matches.exists &= ~undecided
                return
            here = self._usable_on(volume, snapshot)
            matches.on_node &= here | ~undecided
            undecided &= here

    def _usable_on(self, volume: PersistentVolume, snapshot: Snapshot) -> NodeMask:
        """Nodes that the volume's node affinity matches."""
        generation = (snapshot.node_generation, self._lister.generation("PersistentVolume"))
        mask = self._affinity.get(generation, volume.name)
        if mask is None:
            affinity = volume.spec.node_affinity
            if affinity is None or affinity.required is None:
                mask = np.ones(snapshot.n, dtype=np.bool_)
            else:
                mask = compile_node_selector(affinity.required).mask(snapshot)
            self._affinity.put(generation, volume.name, mask)
        return mask

    # --- claims that wait for their first consumer ---

    def _match_delayed(self, claims: Sequence[PersistentVolumeClaim], matches: Matches, snapshot: Snapshot) -> None:
        to_match: list[PersistentVolumeClaim] = []
        decided = np.ones(snapshot.n, dtype=np.bool_)
        for claim in claims:
            node = self._selected_node(claim)
            if node is None:
                to_match.append(claim)
                continue
            # Its volume is on its way to that node already.
            matches.provisioned.append(claim)
            decided &= _only(node, snapshot)
        matches.found &= decided
        open_ = [(claim, decided.copy()) for claim in matches.provisioned]
        open_ += self._match_static(sorted(to_match, key=requested_bytes), matches, snapshot)
        self._check_provisioning(open_, decided, matches, snapshot)

    def _selected_node(self, claim: PersistentVolumeClaim) -> str | None:
        return self._assumed.node_of(claim) or claim.metadata.annotations.get(SELECTED_NODE)

    def _match_static(
        self, claims: Sequence[PersistentVolumeClaim], matches: Matches, snapshot: Snapshot
    ) -> list[tuple[PersistentVolumeClaim, NodeMask]]:
        """Gives volumes to claims; answers with the claims that are left, and where."""
        volumes = matches.volumes = self._candidates(claims)
        free = np.ones((len(volumes), snapshot.n), dtype=np.bool_)
        left: list[tuple[PersistentVolumeClaim, NodeMask]] = []
        for claim in claims:
            choice = self._choose(claim, volumes, free, snapshot)
            matches.static.append((claim, choice))
            left.append((claim, choice == _NOBODY))
        return left

    def _candidates(self, claims: Iterable[PersistentVolumeClaim]) -> list[PersistentVolume]:
        """Volumes of the claims' classes, the smallest first."""
        classes = {claim.class_name for claim in claims}
        volumes = [each for each in self._lister.list("PersistentVolume") if each.class_name in classes]
        return sorted(volumes, key=lambda each: (volume_bytes(each), each.name))

    def _choose(
        self,
        claim: PersistentVolumeClaim,
        volumes: Sequence[PersistentVolume],
        free: NDArray[np.bool_],
        snapshot: Snapshot,
    ) -> NDArray[np.int32]:
        """Shape (n,): the volume for the claim on each node, or -1. What is chosen is free no more."""
        choice = np.full(snapshot.n, _NOBODY, dtype=np.int32)
        open_ = np.ones(snapshot.n, dtype=np.bool_)
        selector = compile_selector(claim.spec.selector) if claim.spec.selector is not None else EVERYTHING
        candidates = [i for i, each in enumerate(volumes) if self._may_bind(claim, each)]
        prebound = [i for i in candidates if self._is_bound_to(volumes[i], claim)]
        if prebound:
            # Nothing else will do, even where it cannot be used.
            candidates = prebound[:1]
        for i in candidates:
            if not prebound and not _is_offered(volumes[i], claim, selector):
                continue
            here = open_ & free[i] & self._usable_on(volumes[i], snapshot)
            choice[here] = i
            free[i] &= ~here
            open_ &= ~here
        return choice

    def _may_bind(self, claim: PersistentVolumeClaim, volume: PersistentVolume) -> bool:
        if self._has_claim(volume) and not self._is_bound_to(volume, claim):
            return False
        return (
            volume_bytes(volume) >= requested_bytes(claim)
            and (volume.spec.volume_mode or "Filesystem") == (claim.spec.volume_mode or "Filesystem")
            and (volume.spec.volume_attributes_class_name or "") == (claim.spec.volume_attributes_class_name or "")
            and volume.metadata.deletion_timestamp is None
        )

    def _has_claim(self, volume: PersistentVolume) -> bool:
        return volume.spec.claim_ref is not None or self._assumed.claim_of(volume.name) is not None

    def _is_bound_to(self, volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
        reference = volume.spec.claim_ref
        if reference is None:
            return self._assumed.claim_of(volume.name) == key_of(claim)
        if (reference.namespace, reference.name) != key_of(claim):
            return False
        return not reference.uid or reference.uid == claim.metadata.uid

    # --- provisioning ---

    def _check_provisioning(
        self,
        claims: Iterable[tuple[PersistentVolumeClaim, NodeMask]],
        decided: NodeMask,
        matches: Matches,
        snapshot: Snapshot,
    ) -> None:
        """The first claim that fails on a node decides what is wrong there."""
        undecided = decided.copy()
        for claim, where in claims:
            asked = undecided & where
            if not asked.any():
                continue
            storage_class = self._class(claim)
            possible = _provisionable(storage_class, snapshot)
            matches.found &= possible | ~asked
            has_room = self._has_room(claim, storage_class, snapshot)
            matches.has_room &= has_room | ~(asked & possible)
            undecided &= ~asked | (possible & has_room)

    def _class(self, claim: PersistentVolumeClaim) -> StorageClass:
        name = claim.class_name
        if not name:
            raise ProvisioningError(f'no class for claim "{claim.namespace}/{claim.name}"')
        storage_class: StorageClass | None = self._lister.get("StorageClass", None, name)
        if storage_class is None:
            raise ProvisioningError(f'failed to find storage class "{name}"')
        return storage_class

    def _has_room(self, claim: PersistentVolumeClaim, storage_class: StorageClass, snapshot: Snapshot) -> NodeMask:
        """Nodes with access to enough storage, for drivers that tell; all nodes for the others."""
        driver: CSIDriver | None = self._lister.get("CSIDriver", None, storage_class.provisioner)
        if STORAGE not in claim.spec.resources.requests or driver is None or not driver.spec.storage_capacity:
            return np.ones(snapshot.n, dtype=np.bool_)
        mask = np.zeros(snapshot.n, dtype=np.bool_)
        for capacity in self._lister.list("CSIStorageCapacity"):
            if _suffices(capacity, storage_class.name, requested_bytes(claim)):
                mask |= selector_mask(snapshot, compile_selector(capacity.node_topology))
        return mask


def volume_bytes(volume: PersistentVolume) -> int:
    capacity = volume.spec.capacity.get(STORAGE)
    return capacity.value if capacity is not None else 0


def _is_offered(volume: PersistentVolume, claim: PersistentVolumeClaim, selector: Selector) -> bool:
    return (
        volume.status.phase == AVAILABLE
        and selector.matches(volume.metadata.labels)
        and volume.class_name == claim.class_name
        and set(claim.spec.access_modes) <= set(volume.spec.access_modes)
    )


def _only(node: str, snapshot: Snapshot) -> NodeMask:
    mask = np.zeros(snapshot.n, dtype=np.bool_)
    if snapshot.has_node(node):
        mask[snapshot.row_of(node)] = True
    return mask


def _provisionable(storage_class: StorageClass, snapshot: Snapshot) -> NodeMask:
    """Nodes where the class can make a volume at all."""
    if storage_class.provisioner in ("", NO_PROVISIONER):
        return np.zeros(snapshot.n, dtype=np.bool_)
    if not storage_class.allowed_topologies:
        return np.ones(snapshot.n, dtype=np.bool_)
    mask = np.zeros(snapshot.n, dtype=np.bool_)
    for term in storage_class.allowed_topologies:
        if not term.match_label_expressions:
            # An empty term allows nothing, though no term at all allows everything.
            continue
        requirements = (
            Requirement(each.key, Operator.IN, frozenset(each.values)) for each in term.match_label_expressions
        )
        mask |= selector_mask(snapshot, Selector(tuple(requirements)))
    return mask


def _suffices(capacity: CSIStorageCapacity, storage_class: str, size: int) -> bool:
    limit = capacity.maximum_volume_size or capacity.capacity
    return capacity.storage_class_name == storage_class and limit is not None and limit.value >= size
