"""VolumeZone: a pod must run in the zone of its volumes.

Bound volumes that carry a zone or region label (in one zone, or in several
joined by `__`) are compared with the node's labels. A node without any such
label takes every volume.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    NOTHING_TO_FILTER,
    EventRegistration,
    HintAnswer,
    Plugin,
    PreFilterResult,
    Rows,
    Verdicts,
)
from scheduler_core.framework.status import SUCCESS, Status, unresolvable
from scheduler_core.framework.verdicts import reject_where
from scheduler_core.objects.label_selector import Operator, Requirement
from scheduler_core.objects.node import REGION_LABEL, ZONE_LABEL
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.storage import (
    WAIT_FOR_FIRST_CONSUMER,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
)
from scheduler_core.snapshot.node_selection import NodeMask, requirement_mask
from scheduler_core.snapshot.snapshot import Snapshot

NO_ZONE = unresolvable("node(s) had no available volume zone")

_OLD_ZONE = "failure-domain.beta.kubernetes.io/zone"
_OLD_REGION = "failure-domain.beta.kubernetes.io/region"
TOPOLOGY_LABELS = (_OLD_ZONE, _OLD_REGION, ZONE_LABEL, REGION_LABEL)
_TODAYS_NAME = {_OLD_ZONE: ZONE_LABEL, _OLD_REGION: REGION_LABEL}
_SEPARATOR = "__"

_STATE = "VolumeZone"


class VolumeTopology(NamedTuple):
    """A topology label of a volume."""

    key: str
    values: frozenset[str]


class VolumeZone(Plugin):
    """Rejects nodes in another zone or region than a bound volume of the pod."""

    name = "VolumeZone"

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        topologies: list[VolumeTopology] = []
        for volume in pod.pod.spec.volumes:
            if volume.persistent_volume_claim is None:
                continue
            status, found = self._topologies(pod, volume.persistent_volume_claim.claim_name)
            if not status.is_success:
                return PreFilterResult(status)
            topologies += found
        if not topologies:
            return NOTHING_TO_FILTER
        state.write(_STATE, tuple(topologies))
        return PreFilterResult()

    def _topologies(self, pod: PodInfo, name: str) -> tuple[Status, Sequence[VolumeTopology]]:
        lister = self.handle.lister
        if not name:
            return unresolvable("PersistentVolumeClaim had no name"), ()
        claim: PersistentVolumeClaim | None = lister.get("PersistentVolumeClaim", pod.namespace, name)
        if claim is None:
            return unresolvable(f'persistentvolumeclaim "{name}" not found'), ()
        if not claim.spec.volume_name:
            return self._unbound(claim), ()
        volume: PersistentVolume | None = lister.get("PersistentVolume", None, claim.spec.volume_name)
        if volume is None:
            return unresolvable(f'persistentvolume "{claim.spec.volume_name}" not found'), ()
        return SUCCESS, volume_topologies(volume)

    def _unbound(self, claim: PersistentVolumeClaim) -> Status:
        """Fine where the volume comes after the pod was placed."""
        name = claim.class_name
        if not name:
            return unresolvable("PersistentVolumeClaim had no pv name and storageClass name")
        storage_class: StorageClass | None = self.handle.lister.get("StorageClass", None, name)
        if storage_class is None:
            return unresolvable(f'storageclass.storage.k8s.io "{name}" not found')
        if storage_class.volume_binding_mode is None:
            return unresolvable(f'VolumeBindingMode not set for StorageClass "{name}"')
        if storage_class.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER:
            return SUCCESS
        return unresolvable("PersistentVolume had no name")

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        topologies: tuple[VolumeTopology, ...] = state.read(_STATE)
        elsewhere = np.zeros(snapshot.n, dtype=np.bool_)
        for topology in topologies:
            elsewhere |= ~_in_topology(snapshot, topology)
        return reject_where((elsewhere & _has_topology(snapshot))[rows], NO_ZONE)

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        found: list[VolumeTopology] = []
        for volume in pod.pod.spec.volumes:
            if volume.persistent_volume_claim is not None:
                found += self._topologies(pod, volume.persistent_volume_claim.claim_name)[1]
        elsewhere = [each for each in found if not _in_topology(snapshot, each)[row]]
        return [
            f"a node with {each.key} in ({', '.join(sorted(each.values))}), where the volume is" for each in elsewhere
        ]

    # --- events ---

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (
            on("storage.k8s.io/StorageClass", "Add", hint=self._class_added),
            on("Node", "Add", "UpdateNodeLabel"),
            on("PersistentVolumeClaim", "Add", "Update", hint=self._claim_changed),
            on("PersistentVolume", "Add", "Update", hint=self._volume_changed),
        )

    def _class_added(self, pod: PodInfo, old: StorageClass | None, new: StorageClass | None) -> HintAnswer:
        if new is not None and new.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER:
            return queue("a storage class that waits for its first consumer was created")
        return skip("the storage class does not wait for its first consumer")

    def _claim_changed(
        self, pod: PodInfo, old: PersistentVolumeClaim | None, new: PersistentVolumeClaim | None
    ) -> HintAnswer:
        claims = (each.persistent_volume_claim for each in pod.pod.spec.volumes)
        names = {claim.claim_name for claim in claims if claim is not None}
        if new is not None and new.namespace == pod.namespace and new.name in names:
            return queue("a claim of the pod was created or changed")
        return skip("the pod does not use the claim")

    def _volume_changed(self, pod: PodInfo, old: PersistentVolume | None, new: PersistentVolume | None) -> HintAnswer:
        if old is None:
            return queue("a volume was created")
        if new is not None and volume_topologies(old) != volume_topologies(new):
            return queue("the topology of a volume changed")
        return skip("the topology of the volume did not change")


def volume_topologies(volume: PersistentVolume) -> list[VolumeTopology]:
    labels = volume.metadata.labels
    found = [(key, _values(labels[key])) for key in TOPOLOGY_LABELS if key in labels]
    return [VolumeTopology(key, values) for key, values in found if values is not None]


def _values(label: str) -> frozenset[str] | None:
    """None: the label is malformed and does not count."""
    values = [value.strip() for value in label.split(_SEPARATOR)]
    return frozenset(values) if all(values) else None


def _has_topology(snapshot: Snapshot) -> NodeMask:
    mask = np.zeros(snapshot.n, dtype=np.bool_)
    for key in TOPOLOGY_LABELS:
        mask |= snapshot.label_codes(key) >= 0
    return mask


def _in_topology(snapshot: Snapshot, topology: VolumeTopology) -> NodeMask:
    """A volume with an old label is compared with the node's label of today where the node lacks the old one."""
    mask = requirement_mask(snapshot, Requirement(topology.key, Operator.IN, topology.values))
    today = _TODAYS_NAME.get(topology.key)
    if today is not None:
        lacks = snapshot.label_codes(topology.key) < 0
        mask |= lacks & requirement_mask(snapshot, Requirement(today, Operator.IN, topology.values))
    return mask
