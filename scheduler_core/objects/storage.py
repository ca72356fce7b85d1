"""Volumes, claims and what provisions them."""

from __future__ import annotations

import msgspec

from scheduler_core.objects.affinity import NodeSelector
from scheduler_core.objects.label_selector import LabelSelector
from scheduler_core.objects.model import KubernetesObject, Model
from scheduler_core.objects.quantity import Quantity

# Before `storageClassName` a class was named by an annotation; where it is there it still counts.
OLD_CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"
READ_WRITE_ONCE_POD = "ReadWriteOncePod"
WAIT_FOR_FIRST_CONSUMER = "WaitForFirstConsumer"


class ClaimResources(Model, frozen=True, kw_only=True):
    requests: dict[str, Quantity] = {}


class ClaimSpec(Model, frozen=True, kw_only=True):
    access_modes: tuple[str, ...] = ()
    resources: ClaimResources = ClaimResources()
    # None: the default class; "": none at all.
    storage_class_name: str | None = None
    volume_name: str = ""
    volume_mode: str | None = None
    selector: LabelSelector | None = None
    volume_attributes_class_name: str | None = None


class ClaimStatus(Model, frozen=True, kw_only=True):
    phase: str = ""
    capacity: dict[str, Quantity] = {}


class PersistentVolumeClaim(KubernetesObject, frozen=True, kw_only=True):
    spec: ClaimSpec = ClaimSpec()
    status: ClaimStatus = ClaimStatus()

    @property
    def class_name(self) -> str:
        """Empty where it has none."""
        old = self.metadata.annotations.get(OLD_CLASS_ANNOTATION)
        return old if old is not None else self.spec.storage_class_name or ""


class CsiVolumeSource(Model, frozen=True, kw_only=True):
    driver: str
    volume_handle: str = ""


class GceDiskSource(Model, frozen=True, kw_only=True):
    pd_name: str = ""


class AwsDiskSource(Model, frozen=True, kw_only=True):
    volume_id: str = msgspec.field(default="", name="volumeID")


class AzureDiskSource(Model, frozen=True, kw_only=True):
    disk_name: str = ""


class HostPathSource(Model, frozen=True, kw_only=True):
    path: str = ""


class LocalSource(Model, frozen=True, kw_only=True):
    path: str = ""


class ObjectReference(Model, frozen=True, kw_only=True):
    kind: str = ""
    namespace: str = ""
    name: str = ""
    uid: str = ""


class VolumeNodeAffinity(Model, frozen=True, kw_only=True):
    required: NodeSelector | None = None


class VolumeSpec(Model, frozen=True, kw_only=True):
    capacity: dict[str, Quantity] = {}
    access_modes: tuple[str, ...] = ()
    storage_class_name: str = ""
    claim_ref: ObjectReference | None = None
    node_affinity: VolumeNodeAffinity | None = None
    volume_mode: str | None = None
    volume_attributes_class_name: str | None = None
    csi: CsiVolumeSource | None = None
    gce_persistent_disk: GceDiskSource | None = None
    aws_elastic_block_store: AwsDiskSource | None = None
    azure_disk: AzureDiskSource | None = None
    host_path: HostPathSource | None = None
    local: LocalSource | None = None


class VolumeStatus(Model, frozen=True, kw_only=True):
    phase: str = ""


class PersistentVolume(KubernetesObject, frozen=True, kw_only=True):
    spec: VolumeSpec = VolumeSpec()
    status: VolumeStatus = VolumeStatus()

    @property
    def class_name(self) -> str:
        """Empty where it has none."""
        old = self.metadata.annotations.get(OLD_CLASS_ANNOTATION)
        return old if old is not None else self.spec.storage_class_name


class TopologyRequirement(Model, frozen=True, kw_only=True):
    key: str
    values: tuple[str, ...] = ()


class TopologySelectorTerm(Model, frozen=True, kw_only=True):
    match_label_expressions: tuple[TopologyRequirement, ...] = ()


class StorageClass(KubernetesObject, frozen=True, kw_only=True):
    provisioner: str = ""
    # "Immediate" (also when absent) or "WaitForFirstConsumer".
    volume_binding_mode: str | None = None
    allowed_topologies: tuple[TopologySelectorTerm, ...] = ()


class VolumeLimit(Model, frozen=True, kw_only=True):
    # How many volumes of the driver fit on the node; None: no limit.
    count: int | None = None


class CsiNodeDriver(Model, frozen=True, kw_only=True):
    name: str
    node_id: str = msgspec.field(default="", name="nodeID")
    topology_keys: tuple[str, ...] = ()
    allocatable: VolumeLimit | None = None


class CsiNodeSpec(Model, frozen=True, kw_only=True):
    drivers: tuple[CsiNodeDriver, ...] = ()


class CSINode(KubernetesObject, frozen=True, kw_only=True):
    spec: CsiNodeSpec = CsiNodeSpec()


class CsiDriverSpec(Model, frozen=True, kw_only=True):
    # True: the scheduler looks at CSIStorageCapacity objects.
    storage_capacity: bool = False
    attach_required: bool | None = None


class CSIDriver(KubernetesObject, frozen=True, kw_only=True):
    spec: CsiDriverSpec = CsiDriverSpec()


class CSIStorageCapacity(KubernetesObject, frozen=True, kw_only=True):
    storage_class_name: str = ""
    # The nodes it is about; None: none of them.
    node_topology: LabelSelector | None = None
    capacity: Quantity | None = None
    maximum_volume_size: Quantity | None = None


class AttachedVolume(Model, frozen=True, kw_only=True):
    persistent_volume_name: str | None = None


class VolumeAttachmentSpec(Model, frozen=True, kw_only=True):
    attacher: str = ""
    node_name: str = ""
    source: AttachedVolume = AttachedVolume()


class VolumeAttachment(KubernetesObject, frozen=True, kw_only=True):
    spec: VolumeAttachmentSpec = VolumeAttachmentSpec()
