"""PersistentVolume, PersistentVolumeClaim, StorageClass."""

from __future__ import annotations

from collections.abc import Iterator

from playground.clusters.admission.validation.causes import (
    Json,
    invalid,
    required,
    resource_list,
    selector,
    supported,
)
from playground.clusters.admission.validation.placement import node_selector
from playground.common.errors import Cause

ACCESS_MODES = ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")


def persistent_volume(manifest: Json) -> Iterator[Cause]:
    spec = manifest.get("spec") or {}
    yield from _access_modes(spec)
    if "storage" not in (spec.get("capacity") or {}):
        yield required("spec.capacity", "must specify storage")
    yield from resource_list("spec.capacity", spec.get("capacity"))
    policies = ("Delete", "Recycle", "Retain")
    yield from supported("spec.persistentVolumeReclaimPolicy", spec.get("persistentVolumeReclaimPolicy"), policies)
    affinity = (spec.get("nodeAffinity") or {}).get("required")
    if affinity is not None:
        yield from node_selector("spec.nodeAffinity.required", affinity)


def persistent_volume_claim(manifest: Json) -> Iterator[Cause]:
    spec = manifest.get("spec") or {}
    yield from _access_modes(spec)
    requests = (spec.get("resources") or {}).get("requests") or {}
    if "storage" not in requests:
        yield required("spec.resources[storage]")
    yield from resource_list("spec.resources.requests", requests)
    yield from selector("spec.selector", spec.get("selector"))


def storage_class(manifest: Json) -> Iterator[Cause]:
    if not manifest.get("provisioner"):
        yield required("provisioner")
    modes = ("Immediate", "WaitForFirstConsumer")
    yield from supported("volumeBindingMode", manifest.get("volumeBindingMode"), modes)
    yield from supported("reclaimPolicy", manifest.get("reclaimPolicy"), ("Delete", "Retain"))


def _access_modes(spec: Json) -> Iterator[Cause]:
    modes = spec.get("accessModes") or ()
    if not modes:
        yield required("spec.accessModes", "at least 1 access mode is required")
    for i, mode in enumerate(modes):
        yield from supported(f"spec.accessModes[{i}]", mode, ACCESS_MODES)
    if "ReadWriteOncePod" in modes and len(modes) > 1:
        yield invalid("spec.accessModes", modes, "may not use ReadWriteOncePod with other access modes")
