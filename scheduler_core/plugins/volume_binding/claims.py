"""The claims of a pod, sorted by what is to be done about them."""

from __future__ import annotations

from dataclasses import dataclass, field

from scheduler_core.framework.interface import Lister
from scheduler_core.objects.pod import claim_name
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.storage import WAIT_FOR_FIRST_CONSUMER, PersistentVolumeClaim, StorageClass

# Set by the volume controller when both sides of a binding are written.
BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
# Names the node a volume is to be provisioned for.
SELECTED_NODE = "volume.kubernetes.io/selected-node"
STORAGE = "storage"


class ClaimProblem(Exception):
    """A claim the pod cannot be scheduled with; the text says why."""


class ClassProblem(Exception):
    """A storage class that is not usable at all; the cycle fails with this text."""


@dataclass(slots=True)
class PodClaims:
    """All claims of a pod."""

    bound: list[PersistentVolumeClaim] = field(default_factory=list)
    # Must be bound by the volume controller before the pod can be scheduled.
    immediate: list[PersistentVolumeClaim] = field(default_factory=list)
    # Decided together with the node.
    delayed: list[PersistentVolumeClaim] = field(default_factory=list)


def check_claims(pod: PodInfo, lister: Lister) -> bool:
    """Whether the pod has claims at all. Raises ClaimProblem where one is missing, lost or going."""
    has_claims = False
    for volume in pod.pod.spec.volumes:
        name = claim_name(pod.name, volume)
        if name is None:
            continue
        has_claims = True
        claim: PersistentVolumeClaim | None = lister.get("PersistentVolumeClaim", pod.namespace, name)
        if claim is None:
            raise ClaimProblem(_missing(name, is_ephemeral=volume.ephemeral is not None))
        _check(claim)
        if volume.ephemeral is not None and not _is_owned_by(claim, pod):
            raise ClaimProblem(f"PVC {pod.namespace}/{name} was not created for pod {pod.key} (pod is not owner)")
    return has_claims


def _missing(name: str, *, is_ephemeral: bool) -> str:
    if is_ephemeral:
        return f'waiting for ephemeral volume controller to create the persistentvolumeclaim "{name}"'
    return f'persistentvolumeclaim "{name}" not found'


def _check(claim: PersistentVolumeClaim) -> None:
    if claim.status.phase == "Lost":
        raise ClaimProblem(
            f'persistentvolumeclaim "{claim.name}" bound to non-existent persistentvolume "{claim.spec.volume_name}"'
        )
    if claim.metadata.deletion_timestamp is not None:
        raise ClaimProblem(f'persistentvolumeclaim "{claim.name}" is being deleted')


def _is_owned_by(claim: PersistentVolumeClaim, pod: PodInfo) -> bool:
    owner = claim.metadata.controller
    return owner is not None and owner.kind == "Pod" and owner.uid == pod.uid


def pod_claims(pod: PodInfo, lister: Lister) -> PodClaims:
    """For a pod whose claims were checked. Raises ClassProblem."""
    sorted_out = PodClaims()
    for name in pod.claim_names:
        claim: PersistentVolumeClaim | None = lister.get("PersistentVolumeClaim", pod.namespace, name)
        if claim is None:
            continue
        if claim.spec.volume_name and BIND_COMPLETED in claim.metadata.annotations:
            sorted_out.bound.append(claim)
        elif not claim.spec.volume_name and _waits_for_first_consumer(claim, lister):
            sorted_out.delayed.append(claim)
        else:
            sorted_out.immediate.append(claim)
    return sorted_out


def _waits_for_first_consumer(claim: PersistentVolumeClaim, lister: Lister) -> bool:
    name = claim.class_name
    storage_class: StorageClass | None = lister.get("StorageClass", None, name) if name else None
    if storage_class is None:
        return False
    if storage_class.volume_binding_mode is None:
        raise ClassProblem(f'VolumeBindingMode not set for StorageClass "{name}"')
    return storage_class.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER


def requested_bytes(claim: PersistentVolumeClaim) -> int:
    requested = claim.spec.resources.requests.get(STORAGE)
    return requested.value if requested is not None else 0
