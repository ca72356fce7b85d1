"""The two halves of a binding, as both sides write it."""

from __future__ import annotations

from scheduler_core.objects.manifest import Manifest, annotations_of, uid_of
from scheduler_core.objects.storage import OLD_CLASS_ANNOTATION
from scheduler_core.plugins.volume_binding.claims import BIND_COMPLETED

BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller"
DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class"


def spec_of(manifest: Manifest) -> Manifest:
    return manifest.get("spec") or {}


def class_of(manifest: Manifest) -> str | None:
    """Of a volume or a claim; None: it says nothing, which for a claim means the default class."""
    found: str | None = annotations_of(manifest).get(OLD_CLASS_ANNOTATION, spec_of(manifest).get("storageClassName"))
    return found


def is_default(storage_class: Manifest) -> bool:
    return annotations_of(storage_class).get(DEFAULT_CLASS) == "true"


def is_bound(claim: Manifest) -> bool:
    return bool(spec_of(claim).get("volumeName")) and BIND_COMPLETED in annotations_of(claim)


def claim_reference(claim: Manifest) -> Manifest:
    metadata = claim["metadata"]
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "namespace": metadata["namespace"],
        "name": metadata["name"],
        "uid": uid_of(claim),
    }


def is_for(volume: Manifest, claim: Manifest) -> bool:
    """Whether the volume is set aside for the claim: by name, and by uid where one is written."""
    reference = spec_of(volume).get("claimRef")
    if not reference:
        return False
    metadata = claim["metadata"]
    same_name = (reference.get("namespace"), reference.get("name")) == (metadata["namespace"], metadata["name"])
    return same_name and reference.get("uid") in (None, "", uid_of(claim))


def is_free(volume: Manifest) -> bool:
    return not spec_of(volume).get("claimRef")
