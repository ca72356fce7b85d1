"""Reading manifests: who owns an object, how a pod is doing.

Only what several controllers ask; each answer follows Kubernetes' definition
(an "active" pod, say, is one that is neither finished nor being deleted).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from scheduler_core.objects.timestamps import parse_timestamp

Manifest = dict[str, Any]


class ObjectKey(NamedTuple):
    kind: str
    # "" for objects without a namespace.
    namespace: str
    name: str


def key_of(manifest: Manifest) -> ObjectKey:
    metadata = manifest["metadata"]
    return ObjectKey(manifest["kind"], metadata.get("namespace") or "", metadata["name"])


def uid_of(manifest: Manifest) -> str:
    uid: str = manifest["metadata"].get("uid") or ""
    return uid


def labels_of(manifest: Manifest) -> dict[str, str]:
    return manifest["metadata"].get("labels") or {}


def annotations_of(manifest: Manifest) -> dict[str, str]:
    return manifest["metadata"].get("annotations") or {}


def generation_of(manifest: Manifest) -> int:
    return int(manifest["metadata"].get("generation") or 0)


def created_at(manifest: Manifest) -> float:
    return parse_timestamp(manifest["metadata"].get("creationTimestamp")) or 0.0


def is_deleting(manifest: Manifest) -> bool:
    return bool(manifest["metadata"].get("deletionTimestamp"))


def owner_references(manifest: Manifest) -> Sequence[Manifest]:
    return manifest["metadata"].get("ownerReferences") or ()


def controller_of(manifest: Manifest) -> Manifest | None:
    """The owner reference of the controller that manages the object, if any."""
    return next((owner for owner in owner_references(manifest) if owner.get("controller")), None)


def is_controlled_by(manifest: Manifest, owner: Manifest) -> bool:
    reference = controller_of(manifest)
    return reference is not None and reference.get("uid") == uid_of(owner)


def owner_reference(owner: Manifest) -> Manifest:
    return {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": owner["metadata"]["name"],
        "uid": uid_of(owner),
        "controller": True,
        "blockOwnerDeletion": True,
    }


def with_metadata(manifest: Manifest, **fields: object) -> Manifest:
    """A copy of the object with other metadata fields."""
    return {**manifest, "metadata": {**manifest["metadata"], **fields}}


def with_spec(manifest: Manifest, **fields: object) -> Manifest:
    """A copy of the object with other spec fields."""
    return {**manifest, "spec": {**manifest["spec"], **fields}}


def phase_of(pod: Manifest) -> str:
    phase: str = (pod.get("status") or {}).get("phase") or "Pending"
    return phase


def node_name_of(pod: Manifest) -> str:
    name: str = pod["spec"].get("nodeName") or ""
    return name


def is_finished(pod: Manifest) -> bool:
    return phase_of(pod) in ("Succeeded", "Failed")


def is_active(pod: Manifest) -> bool:
    return not is_finished(pod) and not is_deleting(pod)


def condition_of(manifest: Manifest, condition_type: str) -> Manifest | None:
    conditions: Sequence[Manifest] = (manifest.get("status") or {}).get("conditions") or ()
    return next((found for found in conditions if found.get("type") == condition_type), None)


def is_ready(pod: Manifest) -> bool:
    condition = condition_of(pod, "Ready")
    return condition is not None and condition.get("status") == "True"


def ready_since(pod: Manifest) -> float | None:
    condition = condition_of(pod, "Ready")
    if condition is None or condition.get("status") != "True":
        return None
    return parse_timestamp(condition.get("lastTransitionTime")) or 0.0


def available_in(pod: Manifest, min_ready_seconds: float, now: float) -> float | None:
    """Seconds until the pod counts as available: 0 when it does, None while it is not ready."""
    since = ready_since(pod)
    return None if since is None else max(0.0, since + min_ready_seconds - now)
