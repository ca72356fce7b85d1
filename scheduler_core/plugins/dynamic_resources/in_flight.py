"""Allocations between Reserve and the claim's own status.

The devices of a reserved pod are taken, although its claim does not say so
before PreBind has written it and the write has come back. An entry is dropped
when it has, or by Unreserve.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scheduler_core.framework.interface import Lister
from scheduler_core.objects.resource_claims import ResourceClaim
from scheduler_core.plugins.dynamic_resources.claims import claim_key
from scheduler_core.plugins.dynamic_resources.pools import DeviceId


class InFlightAllocations:
    """Devices by claim."""

    def __init__(self) -> None:
        # Claim key -> (namespace, name, devices)
        self._claims: dict[str, tuple[str, str, frozenset[DeviceId]]] = {}

    def __contains__(self, claim: ResourceClaim) -> bool:
        return claim_key(claim) in self._claims

    def add(self, claim: ResourceClaim, devices: Iterable[DeviceId]) -> None:
        self._claims[claim_key(claim)] = (claim.namespace, claim.name, frozenset(devices))

    def remove(self, claim: ResourceClaim) -> None:
        self._claims.pop(claim_key(claim), None)

    def settle(self, lister: Lister) -> None:
        """Forget what the claims themselves say by now, and what became of deleted claims."""
        for key, (namespace, name, _) in list(self._claims.items()):
            claim: ResourceClaim | None = lister.get("ResourceClaim", namespace, name)
            if claim is None or claim_key(claim) != key or claim.status.allocation is not None:
                del self._claims[key]

    def devices(self) -> Iterator[DeviceId]:
        for _, _, devices in self._claims.values():
            yield from devices


def allocated_devices(lister: Lister) -> Iterator[DeviceId]:
    """Devices that the claims' statuses hold; access for administrators holds none."""
    for claim in lister.list("ResourceClaim"):
        allocation = claim.status.allocation
        if allocation is not None:
            for result in allocation.devices.results:
                if not result.admin_access:
                    yield DeviceId(result.driver, result.pool, result.device)
