"""The claims of a pod's volumes, as its kubelet asks for them before it starts anything."""

from __future__ import annotations

from typing import Protocol

from scheduler_core.objects.manifest import Manifest


class ClaimReader(Protocol):
    def get(self, kind: str, namespace: str, name: str) -> Manifest | None: ...


def unbound_claims(pod: Manifest, claims: ClaimReader) -> list[str]:
    """Names of claims that are missing or have no volume yet, in the order of the pod's volumes."""
    namespace = pod["metadata"]["namespace"]
    return [name for name in _claim_names(pod) if not _is_bound(claims.get("PersistentVolumeClaim", namespace, name))]


def _claim_names(pod: Manifest) -> list[str]:
    names: list[str] = []
    for volume in pod["spec"].get("volumes") or ():
        if volume.get("persistentVolumeClaim"):
            names.append(volume["persistentVolumeClaim"]["claimName"])
        elif volume.get("ephemeral"):
            names.append(f"{pod['metadata']['name']}-{volume['name']}")
    return names


def _is_bound(claim: Manifest | None) -> bool:
    return claim is not None and (claim.get("status") or {}).get("phase") == "Bound"
