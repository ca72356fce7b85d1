"""Which candidate hurts least: six rules, each breaking the ties of the one before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.default_preemption.importance import start_time

# Added to every priority in the sum, so that more victims never look cheaper for having negative priorities.
_PRIORITY_OFFSET = 2**31


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeVictims:
    """A node where preemption makes room, and at which cost."""

    node_name: str
    row: int
    # Most important first; at least one.
    victims: tuple[PodInfo, ...]
    # Victims that break a PodDisruptionBudget.
    violations: int

    @property
    def highest_priority(self) -> int:
        return self.victims[0].priority

    @property
    def sum_priority(self) -> int:
        return sum(victim.priority + _PRIORITY_OFFSET for victim in self.victims)

    @property
    def earliest_start(self) -> float:
        """When the oldest of the highest-priority victims started."""
        return min(start_time(victim) for victim in self.victims if victim.priority == self.highest_priority)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One tie-break: the candidates with the lowest cost go on."""

    # As shown to people.
    words: str
    cost: Callable[[NodeVictims], float]


RULES = (
    Rule(words="fewest PodDisruptionBudget violations", cost=lambda each: each.violations),
    Rule(words="lowest priority of its most important victim", cost=lambda each: each.highest_priority),
    Rule(words="lowest sum of the victims' priorities", cost=lambda each: each.sum_priority),
    Rule(words="fewest victims", cost=lambda each: len(each.victims)),
    Rule(words="latest start of its most important victims", cost=lambda each: -each.earliest_start),
)
ONLY_CANDIDATE = "the only candidate"
FIRST = "first of equal candidates"


def select(candidates: Sequence[NodeVictims]) -> tuple[NodeVictims, str]:
    """The best of at least one candidate, and the rule that decided."""
    left = candidates
    if len(left) == 1:
        return left[0], ONLY_CANDIDATE
    for rule in RULES:
        costs = [rule.cost(each) for each in left]
        lowest = min(costs)
        left = [each for each, cost in zip(left, costs, strict=True) if cost == lowest]
        if len(left) == 1:
            return left[0], rule.words
    return left[0], FIRST
