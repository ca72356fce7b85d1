"""PodDisruptionBudgets, asked when a pod is to be evicted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from playground.common.errors import Cause, TooManyRequests
from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.label_selector import LabelSelector, compile_selector

Manifest = Mapping[str, Any]

RETRY_AFTER_SECONDS = 10


def require_disruption_allowed(pod: Manifest, budgets: Sequence[Manifest], pods: Sequence[Manifest]) -> None:
    """Raises TooManyRequests where a budget of the pod's namespace would be broken by its eviction."""
    if not _is_healthy(pod):
        # A pod that does not serve cannot be missed.
        return
    for budget in budgets:
        covered = [each for each in pods if _covers(budget, each)]
        if _covers(budget, pod):
            _require_room(budget, covered)


def _covers(budget: Manifest, pod: Manifest) -> bool:
    selector = (budget.get("spec") or {}).get("selector")
    if selector is None:
        return False
    return compile_selector(decode_as(LabelSelector, selector)).matches(pod["metadata"].get("labels") or {})


def _is_healthy(pod: Manifest) -> bool:
    if pod["metadata"].get("deletionTimestamp"):
        return False
    conditions = (pod.get("status") or {}).get("conditions") or ()
    return any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)


def _require_room(budget: Manifest, covered: Sequence[Manifest]) -> None:
    healthy = sum(map(_is_healthy, covered))
    needed = _needed(budget["spec"], len(covered))
    if healthy - needed > 0:
        return
    name = budget["metadata"]["name"]
    message = f"The disruption budget {name} needs {needed} healthy pods and has {healthy} currently"
    raise TooManyRequests(
        "Cannot evict pod as it would violate the pod's disruption budget.",
        [Cause(path="", message=message, reason="DisruptionBudget")],
        retry_after_seconds=RETRY_AFTER_SECONDS,
    )


def _needed(spec: Manifest, total: int) -> int:
    """Pods that must stay healthy."""
    if "minAvailable" in spec:
        return _amount(spec["minAvailable"], total)
    return max(0, total - _amount(spec.get("maxUnavailable", 0), total))


def _amount(value: Any, total: int) -> int:
    """A number, or a percentage of `total` rounded up."""
    if isinstance(value, int):
        return value
    return -(-int(str(value).removesuffix("%")) * total // 100)
