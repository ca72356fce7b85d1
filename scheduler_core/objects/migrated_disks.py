"""Disks of the old kinds, as the CSI drivers that took them over see them.

Kubernetes attaches a gcePersistentDisk, awsElasticBlockStore or azureDisk by
the driver of that cloud, so such a disk counts against the driver's limit.
"""

from __future__ import annotations

from collections.abc import Mapping

from scheduler_core.objects.node import ZONE_LABEL
from scheduler_core.objects.pod import Volume
from scheduler_core.objects.storage import PersistentVolume

# (driver, handle) names a volume of the cluster.
VolumeKey = tuple[str, str]

GCE_DRIVER = "pd.csi.storage.gke.io"
AWS_DRIVER = "ebs.csi.aws.com"
AZURE_DRIVER = "disk.csi.azure.com"

# Provisioners of storage classes.
MIGRATED_PROVISIONERS: Mapping[str, str] = {
    "kubernetes.io/gce-pd": GCE_DRIVER,
    "kubernetes.io/aws-ebs": AWS_DRIVER,
    "kubernetes.io/azure-disk": AZURE_DRIVER,
    "kubernetes.io/cinder": "cinder.csi.openstack.org",
}

_NO_ZONE = "UNSPECIFIED"


def in_line_disk(volume: Volume) -> VolumeKey | None:
    """A disk that a pod names itself."""
    if volume.gce_persistent_disk is not None:
        return _gce_disk(volume.gce_persistent_disk.pd_name, _NO_ZONE)
    if volume.aws_elastic_block_store is not None:
        return _aws_disk(volume.aws_elastic_block_store.volume_id)
    return (AZURE_DRIVER, volume.azure_disk.disk_name) if volume.azure_disk is not None else None


def persistent_disk(volume: PersistentVolume) -> VolumeKey | None:
    """The disk of a PersistentVolume that is of an old kind."""
    spec = volume.spec
    if spec.gce_persistent_disk is not None:
        return _gce_disk(spec.gce_persistent_disk.pd_name, volume.metadata.labels.get(ZONE_LABEL, _NO_ZONE))
    if spec.aws_elastic_block_store is not None:
        return _aws_disk(spec.aws_elastic_block_store.volume_id)
    return (AZURE_DRIVER, spec.azure_disk.disk_name) if spec.azure_disk is not None else None


def _gce_disk(name: str, zone: str) -> VolumeKey:
    return GCE_DRIVER, f"projects/UNSPECIFIED/zones/{zone}/disks/{name}"


def _aws_disk(volume_id: str) -> VolumeKey:
    """Written as `vol-1` or as `aws://zone/vol-1`."""
    return AWS_DRIVER, volume_id.rpartition("/")[2]
