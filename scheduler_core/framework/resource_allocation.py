"""What would be requested of a node and what it has, for the plugins that score by resources.

cpu and memory of pods on the node count with scoring's defaults unless the real
requests are wanted; every other resource counts as requested. A resource that a
node does not have, or an extended one the pod does not ask for, is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.interface import IntArray, Rows
from scheduler_core.framework.memo import ClassMemo, GenerationMemo
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.requests import CPU, MEMORY, incoming_scoring_requests
from scheduler_core.objects.resource_names import CORE_RESOURCES, is_scalar
from scheduler_core.snapshot.snapshot import Snapshot

_SCORING_ROW = {CPU: 0, MEMORY: 1}


class WeightedResource(Protocol):
    """A resource in a plugin's arguments."""

    @property
    def name(self) -> str: ...
    @property
    def weight(self) -> int: ...


class Share(NamedTuple):
    """One resource of the chosen nodes; arrays of shape (len(rows),)."""

    weight: int
    # Including the pod.
    requested: IntArray
    allocatable: IntArray
    # Nodes that have the resource at all; None: every node of the cluster has.
    present: NDArray[np.bool_] | None


class NodeShare(NamedTuple):
    """One resource of one node."""

    weight: int
    # Including the pod.
    requested: int
    allocatable: int


class Asked(NamedTuple):
    """A resource that counts for a pod, and what the pod adds."""

    name: str
    weight: int
    amount: int


class ResourceAllocation:
    """Knows which resources count, and with which of the two sorts of requests."""

    def __init__(self, resources: Sequence[WeightedResource], *, real_requests: bool) -> None:
        self._resources = tuple(resources)
        self._real_requests = real_requests
        self._asked: ClassMemo[tuple[Asked, ...]] = ClassMemo()
        # Resource -> whether every node has it.
        self._everywhere: GenerationMemo[bool] = GenerationMemo()

    def asked(self, pod: PodInfo) -> tuple[Asked, ...]:
        """The resources that count for the pod."""
        asked = self._asked.get(pod.class_key)
        if asked is None:
            asked = self._asked.put(pod.class_key, self._counting(self._requests(pod)))
        return asked

    def _requests(self, pod: PodInfo) -> Mapping[str, int]:
        return pod.requests if self._real_requests else incoming_scoring_requests(pod.pod)

    def _counting(self, requests: Mapping[str, int]) -> tuple[Asked, ...]:
        every = (Asked(each.name, each.weight, requests.get(each.name, 0)) for each in self._resources)
        return tuple(each for each in every if each.name in CORE_RESOURCES or (each.amount and is_scalar(each.name)))

    def shares(self, asked: Iterable[Asked], snapshot: Snapshot, rows: Rows) -> list[Share]:
        """One entry for each resource that counts for the pod."""
        return [self._share(each, snapshot, rows) for each in asked]

    def node_shares(self, asked: Iterable[Asked], snapshot: Snapshot, row: int) -> list[NodeShare]:
        """The same for one node."""
        return [self._node_share(each, snapshot, row) for each in asked]

    def _node_share(self, asked: Asked, snapshot: Snapshot, row: int) -> NodeShare:
        index = snapshot.resource_index(asked.name)
        scoring_row = None if self._real_requests else _SCORING_ROW.get(asked.name)
        if scoring_row is None:
            requested = snapshot.requested.item(index, row)
        else:
            requested = snapshot.scoring_requested.item(scoring_row, row)
        return NodeShare(asked.weight, requested + asked.amount, snapshot.allocatable.item(index, row))

    def _share(self, asked: Asked, snapshot: Snapshot, rows: Rows) -> Share:
        index = snapshot.resource_index(asked.name)
        scoring_row = None if self._real_requests else _SCORING_ROW.get(asked.name)
        if scoring_row is None:
            requested = snapshot.requested[index, rows]
        else:
            requested = snapshot.scoring_requested[scoring_row, rows]
        allocatable = snapshot.allocatable[index, rows]
        present = None if self._is_everywhere(index, snapshot) else allocatable != 0
        return Share(asked.weight, requested + asked.amount, allocatable, present)

    def _is_everywhere(self, index: int, snapshot: Snapshot) -> bool:
        known = self._everywhere.get(snapshot.node_generation, index)
        if known is None:
            answer = bool((snapshot.allocatable[index] > 0).all())
            known = self._everywhere.put(snapshot.node_generation, index, answer)
        return known
