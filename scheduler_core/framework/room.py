"""Room on nodes, for questions of the form: what if there were so much of it?

Nominated pods and preemption ask how a node would be judged with some pods more
or less on it. In general the pods are put on the node in a trial and every
plugin is asked again. But most pods are filtered by what is written on the
node, which no pod changes, and then by room alone: requests and the number of
pods. For those the question is arithmetic, for many nodes at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import FilterReads, IntArray, Plugin, Verdicts

if TYPE_CHECKING:
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.objects.pod_info import PodInfo
    from scheduler_core.snapshot.snapshot import Snapshot


class Room(NamedTuple):
    """So much is free on some nodes."""

    # Shape (resources, k), rows as in `Snapshot.free`.
    free: IntArray
    # Shape (k,).
    pod_count: IntArray


class RoomFilter(Protocol):
    """A Filter plugin with `FilterReads.ROOM`; room that is larger never makes it reject."""

    name: str

    def has_room(self, pod: PodInfo, snapshot: Snapshot, rows: NDArray[np.intp], room: Room) -> NDArray[np.bool_]:
        """Whether the pod fits on each of the rows, were this the room there."""
        ...

    def filter_room(self, pod: PodInfo, snapshot: Snapshot, rows: NDArray[np.intp], room: Room) -> Verdicts:
        """Filter's answer for the rows, were this the room there."""
        ...


def sole_room_filter(framework: Framework, state: CycleState) -> RoomFilter | None:
    """The plugin that alone decides by the pods on a node, and after all others. None: it is not that simple."""
    found: RoomFilter | None = None
    for name, plugin in framework.filter:
        if name in state.skip_filter_plugins:
            continue
        reads = cast(Plugin, plugin).filter_reads
        if found is not None or reads is FilterReads.PODS:
            return None
        if reads is FilterReads.ROOM:
            found = cast(RoomFilter, plugin)
    return found


def room_of(snapshot: Snapshot, rows: NDArray[np.intp]) -> Room:
    """The room there is; a copy."""
    return Room(snapshot.free[:, rows], snapshot.pod_count[rows])
