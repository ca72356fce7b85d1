"""The search for devices: claims in order, requests in order, devices in the order of their pools.

Depth first with backtracking, because a constraint over several requests (the
same NUMA node, say) may fail late. A claim that asks for all devices of a class
gets all or none. The search is bounded by a number of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from scheduler_core.objects.node import Node
from scheduler_core.objects.resource_claims import (
    DeviceAttribute,
    DeviceClass,
    DeviceConstraint,
    DeviceRequest,
    DeviceSelector,
    DeviceSubRequest,
    ResourceClaim,
)
from scheduler_core.plugins.dynamic_resources.pools import DeviceId, Pool, PoolDevice

# Devices one claim can have.
MAX_DEVICES = 32
MAX_STEPS = 100_000

ALL_DEVICES = "All"


class AllocationError(Exception):
    """Something is wrong with a claim or a class, not with the node."""


class SearchTooLong(Exception):
    """The search was given up."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One request of one claim, in one of its alternatives."""

    # `request` or `request/alternative`.
    name: str
    # The request as constraints may also name it.
    parent: str
    body: DeviceSubRequest
    selectors: tuple[DeviceSelector, ...]

    @property
    def wants_all(self) -> bool:
        return self.body.allocation_mode == ALL_DEVICES

    @property
    def count(self) -> int:
        return self.body.count or 1


@dataclass(frozen=True, slots=True)
class Picked:
    """A device for a request."""

    ask: Ask
    device: PoolDevice


# For each claim its devices.
Allocation = tuple[tuple[Picked, ...], ...]

# (selector, device) -> whether it matches; raises AllocationError.
Matches = Callable[[ResourceClaim, Sequence[DeviceSelector], PoolDevice], bool]


@dataclass(slots=True)
class Allocator:
    """What the search on every node has in common."""

    claims: Sequence[ResourceClaim]
    classes: Callable[[str], DeviceClass | None]
    # Devices that are taken.
    allocated: frozenset[DeviceId]
    matches: Matches

    def allocate(self, node: Node, pools: Sequence[Pool]) -> Allocation | None:
        """Devices for all of the claims on the node; None where there are not enough."""
        return _Search(self, pools).run()

    def asks(self, request: DeviceRequest) -> list[Ask]:
        """The alternatives of a request, the best first."""
        if request.exactly is not None:
            return [self._ask(request.name, request.name, request.exactly)]
        return [self._ask(f"{request.name}/{each.name}", request.name, each) for each in request.first_available]

    def _ask(self, name: str, parent: str, body: DeviceSubRequest) -> Ask:
        device_class = self.classes(body.device_class_name)
        if device_class is None:
            raise AllocationError(f"request {name}: device class {body.device_class_name} does not exist")
        return Ask(name, parent, body, (*device_class.spec.selectors, *body.selectors))


@dataclass(slots=True)
class _Constraint:
    """`matchAttribute` or `distinctAttribute`, with the values of the devices picked so far."""

    written: DeviceConstraint
    values: list[tuple[object, ...]] = field(default_factory=list)

    def concerns(self, ask: Ask) -> bool:
        names = self.written.requests
        return not names or ask.name in names or ask.parent in names

    def add(self, device: PoolDevice) -> bool:
        """Whether the device may join the others; if so, it has."""
        wanted = self.written.match_attribute or self.written.distinct_attribute
        if wanted is None:
            return False
        value = _attribute_value(device, wanted)
        if value is None:
            return False
        if self.written.match_attribute is not None:
            fits = not self.values or self.values[0] == value
        else:
            fits = value not in self.values
        if fits:
            self.values.append(value)
        return fits

    def remove(self) -> None:
        self.values.pop()


def _attribute_value(device: PoolDevice, name: str) -> tuple[object, ...] | None:
    attributes = device.device.attributes
    attribute = attributes.get(name)
    if attribute is None:
        domain, _, identifier = name.rpartition("/")
        attribute = attributes.get(identifier) if domain == device.id.driver else None
    return _value(attribute) if attribute is not None else None


def _value(attribute: DeviceAttribute) -> tuple[object, ...]:
    return attribute.string, attribute.int_value, attribute.bool_value, attribute.version


class _Search:
    """One search on one node."""

    def __init__(self, allocator: Allocator, pools: Sequence[Pool]) -> None:
        self._allocator = allocator
        self._pools = pools
        self._usable = [
            device for pool in pools if not (pool.is_incomplete or pool.is_invalid) for device in pool.devices
        ]
        self._picked: list[list[Picked]] = [[] for _ in allocator.claims]
        self._taken: set[DeviceId] = set()
        self._constraints = [
            [_Constraint(each) for each in claim.spec.devices.constraints] for claim in allocator.claims
        ]
        self._steps = 0

    def run(self) -> Allocation | None:
        if self._request(0, 0):
            return tuple(map(tuple, self._picked))
        return None

    def _request(self, claim: int, request: int) -> bool:
        """Satisfy this request of this claim and all that come after."""
        if claim == len(self._allocator.claims):
            return True
        requests = self._allocator.claims[claim].spec.devices.requests
        if request == len(requests):
            return self._request(claim + 1, 0)
        return any(self._alternative(claim, request, ask) for ask in self._allocator.asks(requests[request]))

    def _alternative(self, claim: int, request: int, ask: Ask) -> bool:
        if ask.wants_all:
            wanted = list(self._all_devices(claim, ask))
            fits = bool(wanted) and self._has_room(claim, len(wanted))
            return fits and self._pick_all(claim, request, ask, wanted, 0)
        return self._has_room(claim, ask.count) and self._pick_some(claim, request, ask, ask.count, 0)

    def _has_room(self, claim: int, more: int) -> bool:
        return len(self._picked[claim]) + more <= MAX_DEVICES

    def _all_devices(self, claim: int, ask: Ask) -> Iterator[PoolDevice]:
        for pool in self._pools:
            if not pool.is_usable:
                state = "currently being updated" if pool.is_incomplete else "currently invalid"
                raise AllocationError(
                    f"claim {_name(self._allocator.claims[claim])}, request {ask.name}: asks for all devices, "
                    f"but resource pool {pool.driver}/{pool.name} is {state}"
                )
            yield from (device for device in pool.devices if self._matches(claim, ask, device))

    def _pick_all(self, claim: int, request: int, ask: Ask, wanted: Sequence[PoolDevice], index: int) -> bool:
        if index == len(wanted):
            return self._request(claim, request + 1)
        return self._try(claim, ask, wanted[index], lambda: self._pick_all(claim, request, ask, wanted, index + 1))

    def _pick_some(self, claim: int, request: int, ask: Ask, missing: int, start: int) -> bool:
        if missing == 0:
            return self._request(claim, request + 1)
        for index in range(start, len(self._usable)):
            device = self._usable[index]
            if not self._matches(claim, ask, device):
                continue
            rest = self._rest(claim, request, ask, missing - 1, index + 1)
            if self._try(claim, ask, device, rest):
                return True
        return False

    def _rest(self, claim: int, request: int, ask: Ask, missing: int, start: int) -> Callable[[], bool]:
        return lambda: self._pick_some(claim, request, ask, missing, start)

    def _matches(self, claim: int, ask: Ask, device: PoolDevice) -> bool:
        return self._allocator.matches(self._allocator.claims[claim], ask.selectors, device)

    def _try(self, claim: int, ask: Ask, device: PoolDevice, rest: Callable[[], bool]) -> bool:
        """Take the device and go on; put it back where that leads nowhere."""
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise SearchTooLong
        is_taken = device.id in self._taken or device.id in self._allocator.allocated
        if is_taken and not ask.body.admin_access:
            return False
        joined = self._join(claim, ask, device)
        if joined is None:
            return False
        self._picked[claim].append(Picked(ask, device))
        if not ask.body.admin_access:
            self._taken.add(device.id)
        if rest():
            return True
        self._picked[claim].pop()
        if not ask.body.admin_access:
            # Access for administrators took nothing: another request may hold the device.
            self._taken.discard(device.id)
        for constraint in joined:
            constraint.remove()
        return False

    def _join(self, claim: int, ask: Ask, device: PoolDevice) -> list[_Constraint] | None:
        joined: list[_Constraint] = []
        for constraint in self._constraints[claim]:
            if not constraint.concerns(ask):
                continue
            if not constraint.add(device):
                for earlier in joined:
                    earlier.remove()
                return None
            joined.append(constraint)
        return joined


def _name(claim: ResourceClaim) -> str:
    return f"{claim.namespace}/{claim.name}"
