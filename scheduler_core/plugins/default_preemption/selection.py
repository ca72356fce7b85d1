"""Which candidate hurts least: six rules, each breaking the ties of the one before.

Candidates are columns, since there are often a hundred of them and only one is
taken; a candidate's victims are looked up when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.default_preemption.importance import start_time

# Added to every priority in the sum, so that more victims never look cheaper for having negative priorities.
PRIORITY_OFFSET = 2**31

RULES = (
    "fewest PodDisruptionBudget violations",
    "lowest priority of its most important victim",
    "lowest sum of the victims' priorities",
    "fewest victims",
    "latest start of its most important victims",
)
ONLY_CANDIDATE = "the only candidate"
FIRST = "first of equal candidates"


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """Nodes where preemption makes room, and at which cost; arrays of shape (c,), int64 unless said."""

    # int32
    rows: NDArray[np.intp]
    # Victims that break a PodDisruptionBudget.
    violations: NDArray[np.int64]
    highest_priority: NDArray[np.int64]
    # Each raised by PRIORITY_OFFSET.
    sum_priority: NDArray[np.int64]
    victim_count: NDArray[np.int64]
    # float64: when the oldest of the highest-priority victims started; infinite if none has.
    earliest_start: NDArray[np.float64]
    # Index of a candidate -> its victims, most important first.
    victims: Callable[[int], Sequence[PodInfo]]

    def __len__(self) -> int:
        return len(self.rows)

    def chosen(self, indexes: NDArray[np.intp]) -> Candidates:
        """Some of them, in the order given."""
        places = indexes.tolist()
        return Candidates(
            rows=self.rows[indexes],
            violations=self.violations[indexes],
            highest_priority=self.highest_priority[indexes],
            sum_priority=self.sum_priority[indexes],
            victim_count=self.victim_count[indexes],
            earliest_start=self.earliest_start[indexes],
            victims=lambda i: self.victims(places[i]),
        )

    def harmless_first(self) -> Candidates:
        """Those without a budget violation before the others."""
        if not self.violations.any():
            return self
        return self.chosen(np.argsort(self.violations > 0, kind="stable"))

    def select(self) -> tuple[int, str]:
        """The best of at least one candidate, and the rule that decided."""
        left = np.arange(len(self))
        if len(left) == 1:
            return 0, ONLY_CANDIDATE
        for rule, costs in zip(RULES, self._costs(), strict=True):
            of_left = costs[left]
            left = left[of_left == of_left.min()]
            if len(left) == 1:
                return int(left[0]), rule
        return int(left[0]), FIRST

    def _costs(self) -> tuple[NDArray[np.int64] | NDArray[np.float64], ...]:
        return self.violations, self.highest_priority, self.sum_priority, self.victim_count, -self.earliest_start


def joined_candidates(parts: Sequence[Candidates]) -> Candidates:
    """One behind the other."""
    owners = [(part, i) for part in parts for i in range(len(part))]

    def victims(i: int) -> Sequence[PodInfo]:
        part, place = owners[i]
        return part.victims(place)

    return Candidates(
        rows=np.concatenate([part.rows for part in parts]),
        violations=np.concatenate([part.violations for part in parts]),
        highest_priority=np.concatenate([part.highest_priority for part in parts]),
        sum_priority=np.concatenate([part.sum_priority for part in parts]),
        victim_count=np.concatenate([part.victim_count for part in parts]),
        earliest_start=np.concatenate([part.earliest_start for part in parts]),
        victims=victims,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeVictims:
    """One candidate that was found node by node."""

    row: int
    # Most important first; at least one.
    victims: tuple[PodInfo, ...]
    violations: int


def as_candidates(found: Sequence[NodeVictims]) -> Candidates:
    highest = [each.victims[0].priority for each in found]
    return Candidates(
        rows=np.array([each.row for each in found], dtype=np.intp),
        violations=np.array([each.violations for each in found], dtype=np.int64),
        highest_priority=np.array(highest, dtype=np.int64),
        sum_priority=np.array([_sum_priority(each.victims) for each in found], dtype=np.int64),
        victim_count=np.array([len(each.victims) for each in found], dtype=np.int64),
        earliest_start=np.array([_earliest_start(each.victims) for each in found], dtype=np.float64),
        victims=lambda i: found[i].victims,
    )


def _sum_priority(victims: Sequence[PodInfo]) -> int:
    return sum(victim.priority + PRIORITY_OFFSET for victim in victims)


def _earliest_start(victims: Sequence[PodInfo]) -> float:
    return min(start_time(victim) for victim in victims if victim.priority == victims[0].priority)
