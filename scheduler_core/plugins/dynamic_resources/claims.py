"""The claims of a pod, as its status and the objects tell."""

from __future__ import annotations

from scheduler_core.framework.interface import Lister
from scheduler_core.objects.pod import PodResourceClaim
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.resource_claims import ResourceClaim

# How many consumers a claim can have.
MAX_RESERVED_FOR = 256


class ClaimUnavailable(Exception):
    """A claim the pod needs is not there; the text says why."""


def pod_claims(pod: PodInfo, lister: Lister) -> list[ResourceClaim]:
    """All claims of the pod. Raises ClaimUnavailable."""
    claims = []
    for entry in pod.pod.spec.resource_claims:
        name = _claim_name(pod, entry)
        if name is not None:
            claims.append(_get(pod, entry, name, lister))
    return claims


def _claim_name(pod: PodInfo, entry: PodResourceClaim) -> str | None:
    """None: the template needed no claim."""
    if entry.resource_claim_name is not None:
        return entry.resource_claim_name
    if entry.resource_claim_template_name is None:
        raise ClaimUnavailable(f'pod "{pod.key}", claim "{entry.name}": neither a claim nor a template is named')
    for status in pod.pod.status.resource_claim_statuses:
        if status.name == entry.name:
            return status.resource_claim_name
    raise ClaimUnavailable(f'pod "{pod.key}": ResourceClaim not created yet')


def _get(pod: PodInfo, entry: PodResourceClaim, name: str, lister: Lister) -> ResourceClaim:
    claim: ResourceClaim | None = lister.get("ResourceClaim", pod.namespace, name)
    if claim is None:
        raise ClaimUnavailable(f'could not find ResourceClaim "{pod.namespace}/{name}"')
    if claim.metadata.deletion_timestamp is not None:
        raise ClaimUnavailable(f'resourceclaim "{name}" is being deleted')
    if entry.resource_claim_template_name is not None and not _is_owned_by(claim, pod):
        raise ClaimUnavailable(
            f"ResourceClaim {pod.namespace}/{name} was not created for pod {pod.key} (pod is not owner)"
        )
    return claim


def _is_owned_by(claim: ResourceClaim, pod: PodInfo) -> bool:
    owner = claim.metadata.controller
    return owner is not None and owner.kind == "Pod" and owner.uid == pod.uid


def is_reserved_for(claim: ResourceClaim, pod: PodInfo) -> bool:
    return any(consumer.uid == pod.uid for consumer in claim.status.reserved_for)


def can_be_reserved(claim: ResourceClaim) -> bool:
    return len(claim.status.reserved_for) < MAX_RESERVED_FOR


def claim_key(claim: ResourceClaim) -> str:
    """The identity of a claim: its uid, or its name where it never was stored."""
    return claim.metadata.uid or f"{claim.namespace}/{claim.name}"
