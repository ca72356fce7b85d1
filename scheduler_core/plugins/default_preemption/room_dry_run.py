"""Tries many nodes at once, where room alone decides.

The same question as `dry_run`, answered by arithmetic. Nodes are columns, their
potential victims are layers: layer j holds the j-th pod of every node that is to
be put back. Taking all of them off is a sum over layers, and putting them back
is one comparison for each layer, over all nodes.

Nodes are tried in batches; a node behind the one with which enough candidates
were found counts as not tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.interface import IntArray
from scheduler_core.framework.nominated import counted_pods
from scheduler_core.framework.room import Room, RoomFilter, room_of
from scheduler_core.framework.status import Status
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.default_preemption.budgets import split_by_violation
from scheduler_core.plugins.default_preemption.dry_run import NO_VICTIMS, DryRun, DryRunner, no_victim_needed
from scheduler_core.plugins.default_preemption.selection import PRIORITY_OFFSET, Candidates, joined_candidates
from scheduler_core.plugins.default_preemption.victim_index import NodePods, VictimIndex

Mask = NDArray[np.bool_]

# Below every priority.
_NO_PRIORITY = -(2**40)


class RoomDryRunner:
    """Tries nodes for one preemptor."""

    def __init__(self, runner: DryRunner, room_filter: RoomFilter, index: VictimIndex) -> None:
        self._runner = runner
        self._filter = room_filter
        self._index = index
        self._nominated = counted_pods(runner.state, runner.handle.nominated_pods, runner.pod, runner.snapshot)

    def run(self, rows: NDArray[np.intp], wanted: int) -> DryRun:
        """Tries `rows` in order until `wanted` candidates are found."""
        batches: list[_Batch] = []
        tried = found = 0
        harmless = False
        while tried < len(rows) and not (harmless and found >= wanted):
            batch = self._try(rows[tried : tried + max(wanted - found, 1) + 8])
            batch = batch.until_enough(wanted - found, harmless)
            batches.append(batch)
            tried += len(batch.rows)
            found += int(np.count_nonzero(batch.is_candidate))
            harmless = harmless or bool((batch.is_candidate & (batch.violations == 0)).any())
        return _joined(batches)

    def _try(self, rows: NDArray[np.intp]) -> _Batch:
        layers = _Layers.of(self._index.of_rows(self._runner.snapshot, rows), self._runner)
        room = self._emptied(rows, layers)
        verdicts = self._filter.filter_room(self._runner.pod, self._runner.snapshot, rows, room)
        fits = layers.counts > 0
        if verdicts.codes is not None:
            fits &= verdicts.codes == 0
        victims = self._reprieve(rows, layers, room, fits)
        statuses = [status.of(self._filter.name) for status in verdicts.statuses]
        codes = np.zeros(len(rows), dtype=np.int16) if verdicts.codes is None else verdicts.codes
        return _Batch.of(rows, layers, victims, codes, statuses, self._runner.snapshot.names)

    def _emptied(self, rows: NDArray[np.intp], layers: _Layers) -> Room:
        """The room without any potential victim, but with the nominated pods that count."""
        room = room_of(self._runner.snapshot, rows)
        free, pod_count = room.free + layers.requests.sum(axis=0), room.pod_count - layers.counts
        if self._nominated:
            # Which row of `rows` a nominated row is, if any.
            places = np.full(self._runner.snapshot.n, -1, dtype=np.intp)
            places[rows] = np.arange(len(rows), dtype=np.intp)
            where = places[self._nominated.rows]
            here = where >= 0
            free[:, where[here]] -= self._nominated.requests(self._runner.snapshot)[:, here]
            pod_count[where[here]] += self._nominated.counts[here]
        return Room(free, pod_count)

    def _reprieve(self, rows: NDArray[np.intp], layers: _Layers, room: Room, fits: Mask) -> Mask:
        """Who of the potential victims cannot stay, shape (layers, k)."""
        victims = np.zeros(layers.present.shape, dtype=np.bool_)
        free, pod_count = room
        for j, present in enumerate(layers.present & fits):
            with_pod = Room(free - layers.requests[j], pod_count + present)
            stays = self._filter.has_room(self._runner.pod, self._runner.snapshot, rows, with_pod) & present
            free = np.where(stays, with_pod.free, free)
            pod_count = pod_count + stays
            victims[j] = present & ~stays
        return victims


class _Layers(NamedTuple):
    """Potential victims of k nodes in the order in which they are put back."""

    # By node: its pods, and which of them each layer holds.
    nodes: Sequence[NodePods]
    places: list[Sequence[int]]
    # Shape (k,): potential victims.
    counts: IntArray
    # Shape (layers, k): some nodes have fewer than others.
    present: Mask
    # Would break a budget.
    violates: Mask
    priorities: IntArray
    starts: NDArray[np.float64]
    # Shape (layers, resources, k).
    requests: IntArray

    @classmethod
    def of(cls, nodes: Sequence[NodePods], runner: DryRunner) -> _Layers:
        ordered = [_in_order_of_return(node, runner) for node in nodes]
        places = [each for each, _ in ordered]
        counts = np.array([len(each) for each in places], dtype=np.int64)
        levels = np.arange(int(counts.max(initial=0)))[:, None]
        present = levels < counts
        violates = levels < np.array([violating for _, violating in ordered])
        # Where the pods of all nodes, one node after the other, go.
        columns, layers = np.nonzero(present.T)
        priorities = np.full(present.shape, _NO_PRIORITY, dtype=np.int64)
        starts = np.full(present.shape, np.inf)
        requests = np.zeros((len(levels), len(runner.snapshot.resource_names), len(nodes)), dtype=np.int64)
        if len(columns):
            taken = [(node, _cheap_index(each)) for node, each in zip(nodes, places, strict=True)]
            priorities[layers, columns] = np.concatenate([node.priorities[index] for node, index in taken])
            starts[layers, columns] = np.concatenate([node.starts[index] for node, index in taken])
            requests[layers, :, columns] = np.concatenate([node.requests[index] for node, index in taken])
        return cls(nodes, places, counts, present, violates, priorities, starts, requests)

    def pods_at(self, node: int, layers: NDArray[np.intp]) -> list[PodInfo]:
        """The pods of some layers of a node, most important first."""
        places = self.places[node]
        return [self.nodes[node].pods[place] for place in sorted(places[layer] for layer in layers.tolist())]


def _in_order_of_return(node: NodePods, runner: DryRunner) -> tuple[Sequence[int], int]:
    """Places of the potential victims, those that would break a budget first; and how many those are."""
    places = range(node.first_below(runner.pod.priority), len(node.pods))
    if not runner.budgets:
        return places, 0
    potential = [node.pods[place] for place in places]
    place_of = dict(zip((pod.uid for pod in potential), places, strict=True))
    violating, others = split_by_violation(potential, runner.budgets)
    return [place_of[pod.uid] for pod in (*violating, *others)], len(violating)


def _cheap_index(places: Sequence[int]) -> slice | list[int]:
    return slice(places.start, places.stop) if isinstance(places, range) else list(places)


class _Batch(NamedTuple):
    """Nodes tried together; arrays of shape (k,) unless said."""

    rows: NDArray[np.intp]
    layers: _Layers
    # Shape (layers, k).
    victims: Mask
    is_candidate: Mask
    violations: IntArray
    # For a node that is no candidate: index into `statuses`.
    codes: NDArray[np.int16]
    statuses: list[Status]

    @classmethod
    def of(
        cls,
        rows: NDArray[np.intp],
        layers: _Layers,
        victims: Mask,
        rejections: NDArray[np.int16],
        statuses: Sequence[Status],
        names: Sequence[str],
    ) -> _Batch:
        """`rejections` are Filter's codes for the emptied nodes."""
        is_candidate = np.count_nonzero(victims, axis=0) > 0
        nobody = layers.counts == 0
        codes = np.where(nobody, len(statuses), rejections - 1).astype(np.int16)
        all_statuses = [*statuses, NO_VICTIMS]
        for column in np.flatnonzero(~is_candidate & ~nobody & (rejections == 0)).tolist():
            codes[column] = len(all_statuses)
            all_statuses.append(no_victim_needed(names[rows[column]]))
        violations = np.count_nonzero(victims & layers.violates, axis=0)
        return cls(rows, layers, victims, is_candidate, violations, codes, all_statuses)

    def until_enough(self, missing: int, harmless: bool) -> _Batch:
        """Without the nodes behind the one that made it enough."""
        found = np.cumsum(self.is_candidate)
        fine: Mask = np.logical_or.accumulate(self.is_candidate & (self.violations == 0))
        enough = np.flatnonzero((found >= missing) & (fine | harmless) & self.is_candidate)
        if not len(enough) or int(enough[0]) + 1 == len(self.rows):
            return self
        end = int(enough[0]) + 1
        return self._replace(
            rows=self.rows[:end],
            victims=self.victims[:, :end],
            is_candidate=self.is_candidate[:end],
            violations=self.violations[:end],
            codes=self.codes[:end],
        )

    def candidates(self) -> Candidates:
        end = len(self.rows)
        victims, priorities = self.victims, self.layers.priorities[:, :end]
        highest = np.where(victims, priorities, _NO_PRIORITY).max(axis=0, initial=_NO_PRIORITY)
        of_highest = victims & (priorities == highest)
        columns = np.flatnonzero(self.is_candidate)
        every = Candidates(
            rows=self.rows,
            violations=self.violations,
            highest_priority=highest,
            sum_priority=np.where(victims, priorities + PRIORITY_OFFSET, 0).sum(axis=0),
            victim_count=np.count_nonzero(victims, axis=0),
            earliest_start=np.where(of_highest, self.layers.starts[:, :end], np.inf).min(axis=0, initial=np.inf),
            victims=lambda column: self.layers.pods_at(column, np.flatnonzero(victims[:, column])),
        )
        return every if len(columns) == end else every.chosen(columns)


def _joined(batches: Sequence[_Batch]) -> DryRun:
    statuses: list[Status] = []
    rows, codes = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.int16)]
    for batch in batches:
        rejected = ~batch.is_candidate
        rows.append(batch.rows[rejected])
        codes.append(batch.codes[rejected] + np.int16(len(statuses)))
        statuses.extend(batch.statuses)
    found = [batch.candidates() for batch in batches]
    candidates = found[0] if len(found) == 1 else joined_candidates(found)
    return DryRun(candidates.harmless_first(), np.concatenate(rows), np.concatenate(codes), statuses)
