"""Choices between Reserve and the objects themselves.

A volume promised to a claim must not be promised again before the claim's own
objects say so. An entry is dropped when they do, or by Unreserve.
"""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.framework.interface import Lister
from scheduler_core.objects.storage import PersistentVolume, PersistentVolumeClaim

# (namespace, name)
ClaimKey = tuple[str, str]


class AssumedBindings:
    """What Reserve decided."""

    def __init__(self) -> None:
        # Volume name -> the claim it is promised to.
        self._volumes: dict[str, ClaimKey] = {}
        # Claim -> the node its volume is to be provisioned for.
        self._nodes: dict[ClaimKey, str] = {}

    def promise(self, volume: str, claim: PersistentVolumeClaim) -> None:
        self._volumes[volume] = key_of(claim)

    def provision(self, claim: PersistentVolumeClaim, node: str) -> None:
        self._nodes[key_of(claim)] = node

    def forget(self, claims: Iterable[PersistentVolumeClaim]) -> None:
        keys = {key_of(claim) for claim in claims}
        self._volumes = {volume: claim for volume, claim in self._volumes.items() if claim not in keys}
        for key in keys:
            self._nodes.pop(key, None)

    def settle(self, lister: Lister) -> None:
        """Forget what the objects themselves say by now."""
        for name, _ in list(self._volumes.items()):
            volume: PersistentVolume | None = lister.get("PersistentVolume", None, name)
            if volume is None or volume.spec.claim_ref is not None:
                del self._volumes[name]
        for key in list(self._nodes):
            claim: PersistentVolumeClaim | None = lister.get("PersistentVolumeClaim", *key)
            if claim is None or claim.spec.volume_name:
                del self._nodes[key]

    def claim_of(self, volume: str) -> ClaimKey | None:
        """The claim the volume is promised to."""
        return self._volumes.get(volume)

    def node_of(self, claim: PersistentVolumeClaim) -> str | None:
        """The node the claim's volume is to be provisioned for."""
        return self._nodes.get(key_of(claim))


def key_of(claim: PersistentVolumeClaim) -> ClaimKey:
    return claim.namespace, claim.name
