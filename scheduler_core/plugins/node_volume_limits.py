"""NodeVolumeLimits: a node can attach only so many volumes of a CSI driver.

The limit is in the node's CSINode. Counted are the volumes of the pods on the
node and those still attached to it (VolumeAttachment), each once, however many
pods share it. A claim that is not bound yet counts as a volume of its class's
provisioner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    ALL_FIT,
    NOTHING_TO_FILTER,
    EventRegistration,
    Handle,
    HintAnswer,
    Plugin,
    PreFilterResult,
    Rows,
    Verdicts,
)
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.framework.status import Status, error, unresolvable, unschedulable
from scheduler_core.framework.verdicts import StatusTable
from scheduler_core.objects.migrated_disks import MIGRATED_PROVISIONERS, VolumeKey, in_line_disk, persistent_disk
from scheduler_core.objects.pod import Pod, Volume, claim_name
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.storage import (
    CSINode,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
    VolumeAttachment,
)
from scheduler_core.snapshot.snapshot import Snapshot

TOO_MANY_VOLUMES = unschedulable("node(s) exceed max volume count")

_KINDS = ("PersistentVolumeClaim", "PersistentVolume", "StorageClass")


class NodeVolumeLimits(Plugin):
    """Rejects nodes that cannot attach the pod's volumes beside those they have."""

    name = "NodeVolumeLimits"
    # Filter is asked about the nodes that other plugins left.
    costly = True

    def __init__(self, args: object, handle: Handle) -> None:
        super().__init__(args, handle)
        self._attached: GenerationMemo[dict[str, set[VolumeKey]]] = GenerationMemo()

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        return PreFilterResult() if any(map(_is_attachable, pod.pod.spec.volumes)) else NOTHING_TO_FILTER

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        missing = self._missing_claim(pod)
        selected = snapshot.all_rows[rows]
        if missing is not None:
            return Verdicts(np.ones(len(selected), dtype=np.int16), (missing,))
        wanted = self._volumes(pod)
        if not wanted:
            return ALL_FIT
        table = StatusTable()
        codes = np.zeros(len(selected), dtype=np.int16)
        for i, row in enumerate(selected):
            codes[i] = table.code(TOO_MANY_VOLUMES) if self._exceeds(wanted, snapshot, int(row)) else 0
        return table.verdicts(codes)

    def _missing_claim(self, pod: PodInfo) -> Status | None:
        for volume in pod.pod.spec.volumes:
            name = claim_name(pod.name, volume)
            if name is None:
                continue
            claim = self._claim(pod, name)
            if claim is None:
                reason = f'persistentvolumeclaim "{name}" not found'
                return unresolvable(f"looking up PVC {pod.namespace}/{name}: {reason}")
            if volume.ephemeral is not None and not _is_owned_by(claim, pod):
                return error(f"PVC {pod.namespace}/{name} was not created for pod {pod.key} (pod is not owner)")
        return None

    def _exceeds(self, wanted: set[VolumeKey], snapshot: Snapshot, row: int) -> bool:
        limits = self._limits(snapshot.names[row])
        if not limits:
            return False
        in_use: set[VolumeKey] = set()
        for other in snapshot.pods_with_volumes(row):
            in_use |= self._volumes(other)
        attached = self._still_attached().get(snapshot.names[row], set())
        used = Counter(driver for driver, _ in in_use | attached)
        # A volume that is attached but used by no pod counts twice: as attached and as new.
        more = Counter(driver for driver, _ in wanted - in_use)
        return any(driver in limits and used[driver] + count > limits[driver] for driver, count in more.items())

    def _limits(self, node: str) -> dict[str, int]:
        csi_node: CSINode | None = self.handle.lister.get("CSINode", None, node)
        return _limits_of(csi_node) if csi_node is not None else {}

    def _volumes(self, pod: PodInfo) -> set[VolumeKey]:
        """The volumes of a pod as CSI drivers see them; claims that are not there count for nothing."""
        claims = (self._claim(pod, name) for name in pod.claim_names)
        volumes = [self._volume(claim) for claim in claims if claim is not None]
        volumes += map(in_line_disk, pod.pod.spec.volumes)
        return {volume for volume in volumes if volume is not None}

    def _volume(self, claim: PersistentVolumeClaim) -> VolumeKey | None:
        volume: PersistentVolume | None = None
        if claim.spec.volume_name:
            volume = self.handle.lister.get("PersistentVolume", None, claim.spec.volume_name)
        if volume is None:
            return self._future_volume(claim)
        csi = volume.spec.csi
        if csi is None:
            return persistent_disk(volume)
        return (csi.driver, csi.volume_handle) if csi.driver and csi.volume_handle else None

    def _future_volume(self, claim: PersistentVolumeClaim) -> VolumeKey | None:
        """What the class will provision, under a name that no real volume has."""
        name = claim.class_name
        storage_class: StorageClass | None = self.handle.lister.get("StorageClass", None, name) if name else None
        if storage_class is None or not storage_class.provisioner:
            return None
        driver = MIGRATED_PROVISIONERS.get(storage_class.provisioner, storage_class.provisioner)
        return driver, f"claim:{claim.namespace}/{claim.name}"

    def _still_attached(self) -> dict[str, set[VolumeKey]]:
        """Volumes by the node that VolumeAttachments say they are attached to."""
        lister = self.handle.lister
        generation = (lister.generation("VolumeAttachment"), lister.generation("PersistentVolume"))
        known = self._attached.get(generation, None)
        if known is None:
            known = {}
            for attachment in lister.list("VolumeAttachment"):
                key = self._attached_volume(attachment)
                if key is not None:
                    known.setdefault(attachment.spec.node_name, set()).add(key)
            self._attached.put(generation, None, known)
        return known

    def _attached_volume(self, attachment: VolumeAttachment) -> VolumeKey | None:
        name = attachment.spec.source.persistent_volume_name
        if not attachment.spec.attacher or name is None:
            return None
        volume: PersistentVolume | None = self.handle.lister.get("PersistentVolume", None, name)
        if volume is None or volume.spec.csi is None:
            return None
        return attachment.spec.attacher, volume.spec.csi.volume_handle

    def _claim(self, pod: PodInfo, name: str) -> PersistentVolumeClaim | None:
        return self.handle.lister.get("PersistentVolumeClaim", pod.namespace, name)

    # --- events ---

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (
            on("storage.k8s.io/CSINode", "Add"),
            on("storage.k8s.io/CSINode", "Update", hint=self._limits_changed),
            on("Pod", "Delete", hint=self._pod_deleted),
            on("PersistentVolumeClaim", "Add", hint=self._claim_added),
            on("storage.k8s.io/VolumeAttachment", "Delete", hint=self._detached),
        )

    def _limits_changed(self, pod: PodInfo, old: CSINode | None, new: CSINode | None) -> HintAnswer:
        if old is None or new is None:
            return queue("the limits of a node became known")
        before, after = _limits_of(old), _limits_of(new)
        risen = [driver for driver, limit in after.items() if limit > before.get(driver, 0)]
        if risen:
            return queue(f"the limit of {', '.join(risen)} rose")
        return skip("no limit of the node rose")

    def _pod_deleted(self, pod: PodInfo, old: Pod | None, new: Pod | None) -> HintAnswer:
        if old is None or not old.spec.node_name:
            return skip("the deleted pod was on no node")
        if any(map(_is_attachable, old.spec.volumes)):
            return queue("the deleted pod had a volume attached")
        return skip("the deleted pod had no volume attached")

    def _claim_added(
        self, pod: PodInfo, old: PersistentVolumeClaim | None, new: PersistentVolumeClaim | None
    ) -> HintAnswer:
        if new is None or new.namespace != pod.namespace:
            return skip("the claim is in another namespace")
        if new.name in pod.claim_names:
            return queue("a claim of the pod was created")
        return skip("the pod does not use the claim")

    def _detached(self, pod: PodInfo, old: VolumeAttachment | None, new: VolumeAttachment | None) -> HintAnswer:
        volumes = pod.pod.spec.volumes
        if any(volume.persistent_volume_claim is not None for volume in volumes):
            return queue("a volume was detached from its node")
        disks = filter(None, map(in_line_disk, volumes))
        if old is not None and any(driver == old.spec.attacher for driver, _ in disks):
            return queue("a disk of the same driver was detached from its node")
        return skip("the pod uses no volume of that driver")


def _is_attachable(volume: Volume) -> bool:
    has_claim = volume.persistent_volume_claim is not None or volume.ephemeral is not None
    return has_claim or in_line_disk(volume) is not None


def _limits_of(csi_node: CSINode) -> dict[str, int]:
    drivers = csi_node.spec.drivers
    return {
        each.name: each.allocatable.count
        for each in drivers
        if each.allocatable is not None and each.allocatable.count is not None
    }


def _is_owned_by(claim: PersistentVolumeClaim, pod: PodInfo) -> bool:
    owner = claim.metadata.controller
    return owner is not None and owner.kind == "Pod" and owner.uid == pod.uid
