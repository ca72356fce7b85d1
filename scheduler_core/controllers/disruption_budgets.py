"""How many pods of a PodDisruptionBudget may be missed, and whether a pod may be evicted.

The disruption controller writes the numbers into budgets' statuses; the
eviction API asks at the moment of the eviction. Both count here, from the pods
as they are, so that two evictions in a row cannot both use the last disruption.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scheduler_core.controllers.interface import EvictionRefusal
from scheduler_core.controllers.selectors import budget_selector
from scheduler_core.objects.manifest import (
    Manifest,
    controller_of,
    is_deleting,
    is_finished,
    is_ready,
    labels_of,
    phase_of,
)

# kind, namespace, name -> the object
Find = Callable[[str, str, str], Manifest | None]

TOO_MANY = "TooManyRequests"
BROKEN = "InternalError"
WOULD_VIOLATE = "Cannot evict pod as it would violate the pod's disruption budget."
SEVERAL_BUDGETS = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
# Owners whose replicas say how many pods there should be.
_SCALED = frozenset({"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"})


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetStanding:
    expected: int = 0
    healthy: int = 0
    # Pods that must stay healthy.
    desired: int = 0
    # Why the numbers cannot be told; then nothing may be disrupted.
    problem: str = ""

    @property
    def allowed(self) -> int:
        if self.problem or self.expected <= 0:
            return 0
        return max(0, self.healthy - self.desired)


def covers(budget: Manifest, pod: Manifest) -> bool:
    return budget_selector(budget).matches(labels_of(pod))


def standing_of(budget: Manifest, pods: Sequence[Manifest], find: Find) -> BudgetStanding:
    """`pods`: those of the budget's namespace."""
    covered = [pod for pod in pods if covers(budget, pod)]
    healthy = sum(1 for pod in covered if not is_deleting(pod) and is_ready(pod))
    spec = budget.get("spec") or {}
    least, most = spec.get("minAvailable"), spec.get("maxUnavailable")
    if isinstance(least, int) and most is None:
        return BudgetStanding(expected=len(covered), healthy=healthy, desired=least)
    expected, problem = _expected_scale(covered, find)
    if problem:
        return BudgetStanding(healthy=healthy, problem=problem)
    desired = max(0, expected - _amount(most, expected)) if most is not None else _amount(least or 0, expected)
    return BudgetStanding(expected=expected, healthy=healthy, desired=desired)


def _expected_scale(pods: Sequence[Manifest], find: Find) -> tuple[int, str]:
    """How many pods their controllers want, each controller counted once; a pod without one is left out."""
    scales: dict[str, int] = {}
    for pod in pods:
        reference = controller_of(pod)
        if reference is None or reference["uid"] in scales:
            continue
        found = _scaled_owner(pod, reference, find)
        if found is None:
            name, kind = pod["metadata"]["name"], reference["kind"]
            return 0, f'found no controllers with a scale for pod "{name}", which a {kind} owns'
        scales[found["metadata"]["uid"]] = int((found.get("spec") or {}).get("replicas", 1))
    return sum(scales.values()), ""


def _scaled_owner(pod: Manifest, reference: Manifest, find: Find) -> Manifest | None:
    namespace = pod["metadata"]["namespace"]
    owner = find(reference["kind"], namespace, reference["name"])
    if owner is None or owner["metadata"]["uid"] != reference["uid"] or reference["kind"] not in _SCALED:
        return None
    above = controller_of(owner)
    if above is None or above["kind"] != "Deployment":
        return owner
    return find("Deployment", namespace, above["name"]) or owner


def _amount(value: Any, total: int) -> int:
    """A number, or a percentage of `total` rounded up."""
    if isinstance(value, int):
        return value
    return -(-int(str(value).removesuffix("%")) * total // 100)


def refusal_to_evict(
    pod: Manifest, budgets: Sequence[Manifest], pods: Sequence[Manifest], find: Find
) -> EvictionRefusal | None:
    """None: the pod may go. `budgets` and `pods` are those of its namespace."""
    if is_finished(pod) or is_deleting(pod) or phase_of(pod) == "Pending":
        return None
    asked = [budget for budget in budgets if covers(budget, pod)]
    if len(asked) > 1:
        return EvictionRefusal(reason=BROKEN, message=SEVERAL_BUDGETS)
    return _refusal_of(asked[0], pod, pods, find) if asked else None


def _refusal_of(budget: Manifest, pod: Manifest, pods: Sequence[Manifest], find: Find) -> EvictionRefusal | None:
    standing = standing_of(budget, pods, find)
    if not is_ready(pod):
        # A pod that does not serve may go where those that must serve do so.
        policy = (budget.get("spec") or {}).get("unhealthyPodEvictionPolicy", "IfHealthyBudget")
        if policy == "AlwaysAllow" or (standing.healthy >= standing.desired > 0 and not standing.problem):
            return None
    if standing.allowed > 0:
        return None
    name = budget["metadata"]["name"]
    numbers = f"needs {standing.desired} healthy pods and has {standing.healthy} currently"
    detail = f"The disruption budget {name} {standing.problem or numbers}"
    return EvictionRefusal(reason=TOO_MANY, message=WOULD_VIOLATE, budget=name, detail=detail)
