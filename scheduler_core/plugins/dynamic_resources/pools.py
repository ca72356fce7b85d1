"""The devices a node can reach, by pool.

A slice is of one node, of the nodes it selects, or of all. A pool is spread
over slices of one generation; with some of them missing (*incomplete*) or with
a device named twice (*invalid*) nothing is taken from it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scheduler_core.framework.interface import Lister
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.objects.affinity import NodeSelector
from scheduler_core.objects.node import Node
from scheduler_core.objects.resource_claims import Device, ResourceSlice
from scheduler_core.snapshot.node_selection import compile_node_selector

_SLICE = "ResourceSlice"


class DeviceId(NamedTuple):
    """The identity of a device in the cluster."""

    driver: str
    pool: str
    device: str


class PoolDevice(NamedTuple):
    """A device on offer."""

    id: DeviceId
    device: Device
    # Where the device can be used, if not only on the node it was found for.
    node_selector: NodeSelector | None
    all_nodes: bool


class Pool(NamedTuple):
    driver: str
    name: str
    devices: tuple[PoolDevice, ...]
    is_incomplete: bool
    is_invalid: bool

    @property
    def is_usable(self) -> bool:
        return not (self.is_incomplete or self.is_invalid)


class Pools:
    """Pools by node, kept until a slice or a node changes."""

    def __init__(self, lister: Lister) -> None:
        self._lister = lister
        self._by_node: GenerationMemo[tuple[Pool, ...]] = GenerationMemo()
        self._index: GenerationMemo[_SliceIndex] = GenerationMemo()

    @property
    def generation(self) -> int:
        return self._lister.generation(_SLICE)

    def reachable(self, node: Node, node_generation: int) -> tuple[Pool, ...]:
        """Pools with devices the node can reach, ordered by driver and name."""
        generation = (self.generation, node_generation)
        pools = self._by_node.get(generation, node.name)
        if pools is None:
            pools = self._by_node.put(generation, node.name, _pools(self._slices(node)))
        return pools

    def _slices(self, node: Node) -> list[ResourceSlice]:
        index = self._index.get(self.generation, None)
        if index is None:
            index = self._index.put(self.generation, None, _SliceIndex(self._lister.list(_SLICE)))
        return index.reachable(node)


class _SliceIndex:
    """Slices by the node they are of."""

    def __init__(self, slices: Iterable[ResourceSlice]) -> None:
        self._local: defaultdict[str, list[ResourceSlice]] = defaultdict(list)
        self._shared: list[ResourceSlice] = []
        for each in slices:
            if each.spec.node_name:
                self._local[each.spec.node_name].append(each)
            else:
                self._shared.append(each)

    def reachable(self, node: Node) -> list[ResourceSlice]:
        return [*self._local.get(node.name, ()), *(each for each in self._shared if _reaches(each, node))]


def _reaches(slice_: ResourceSlice, node: Node) -> bool:
    spec = slice_.spec
    if spec.all_nodes:
        return True
    return spec.node_selector is not None and compile_node_selector(spec.node_selector).matches(node)


def _pools(slices: Sequence[ResourceSlice]) -> tuple[Pool, ...]:
    by_pool: defaultdict[tuple[str, str], list[ResourceSlice]] = defaultdict(list)
    for each in slices:
        by_pool[each.spec.driver, each.spec.pool.name].append(each)
    return tuple(_pool(*key, by_pool[key]) for key in sorted(by_pool))


def _pool(driver: str, name: str, slices: Sequence[ResourceSlice]) -> Pool:
    newest = max(each.spec.pool.generation for each in slices)
    current = sorted((each for each in slices if each.spec.pool.generation == newest), key=lambda each: each.name)
    devices = tuple(
        PoolDevice(DeviceId(driver, name, device.name), device, each.spec.node_selector, each.spec.all_nodes)
        for each in current
        for device in each.spec.devices
    )
    expected = current[0].spec.pool.resource_slice_count
    distinct = {each.id for each in devices}
    return Pool(driver, name, devices, len(current) != expected, len(distinct) != len(devices))
