"""PodDisruptionBudgets: which victims would break one.

A budget allows so many disruptions. Victims are counted against it from the
most important on, so the ones that exceed it are the least important of those
it covers. A pod can be covered by several budgets and violates if any is
exceeded. Pods whose eviction the budget already knows of are not counted again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scheduler_core.objects.label_selector import Selector, compile_selector
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.workloads import PodDisruptionBudget


class Budget(NamedTuple):
    """One PodDisruptionBudget, ready to be asked."""

    namespace: str
    name: str
    selector: Selector
    allowed: int
    # Names of pods whose eviction is under way.
    disrupted: frozenset[str]

    def covers(self, pod: PodInfo) -> bool:
        return pod.namespace == self.namespace and pod.name not in self.disrupted and self.selector.matches(pod.labels)


def compile_budgets(budgets: Iterable[PodDisruptionBudget]) -> list[Budget]:
    """Budgets that can cover a pod; one with an empty selector covers none."""
    compiled = [
        Budget(
            each.namespace or "default",
            each.name,
            compile_selector(each.spec.selector),
            each.status.disruptions_allowed,
            frozenset(each.status.disrupted_pods),
        )
        for each in budgets
    ]
    return [each for each in compiled if not each.selector.is_empty and not each.selector.nothing]


def split_by_violation(pods: Sequence[PodInfo], budgets: Sequence[Budget]) -> tuple[list[PodInfo], list[PodInfo]]:
    """(violating, the others), each in the order of `pods`."""
    if not budgets:
        return [], list(pods)
    allowed = [budget.allowed for budget in budgets]
    violating: list[PodInfo] = []
    others: list[PodInfo] = []
    for pod in pods:
        (violating if _exceeds(pod, budgets, allowed) else others).append(pod)
    return violating, others


def _exceeds(pod: PodInfo, budgets: Sequence[Budget], allowed: list[int]) -> bool:
    """Counts the pod against every budget that covers it."""
    exceeds = False
    if not pod.labels:
        return False
    for i, budget in enumerate(budgets):
        if budget.covers(pod):
            allowed[i] -= 1
            exceeds = exceeds or allowed[i] < 0
    return exceeds
