"""Which victims break a PodDisruptionBudget."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.objects.decode import decode
from scheduler_core.objects.workloads import PodDisruptionBudget
from scheduler_core.plugins.default_preemption.budgets import Budget, compile_budgets, split_by_violation
from scheduler_core.testing import make_pod

PODS = [make_pod(name).labels(app="web").pod_info() for name in ("a", "b", "c")]


def budget(
    allowed: int, selector: Any = None, namespace: str = "default", disrupted: tuple[str, ...] = ()
) -> list[Budget]:
    manifest = {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "x", "namespace": namespace},
        "spec": {"selector": {"matchLabels": {"app": "web"}} if selector is None else selector},
        "status": {"disruptionsAllowed": allowed, "disruptedPods": dict.fromkeys(disrupted, "2026-01-01T00:00:00Z")},
    }
    decoded = decode(manifest)
    assert isinstance(decoded, PodDisruptionBudget)
    return compile_budgets([decoded])


@pytest.mark.parametrize(
    ("budgets", "violating"),
    [
        pytest.param([], "", id="no budget"),
        pytest.param(budget(3), "", id="all allowed"),
        pytest.param(budget(1), "bc", id="the most important one is allowed"),
        pytest.param(budget(0), "abc", id="none allowed"),
        pytest.param(budget(0, namespace="other"), "", id="another namespace"),
        pytest.param(budget(0, selector={}), "", id="an empty selector covers nothing"),
        pytest.param(budget(0, disrupted=("a",)), "bc", id="an eviction that is known is not counted"),
        pytest.param(budget(1, disrupted=("a",)), "c", id="nor does it use up the budget"),
        pytest.param(budget(2) + budget(1), "bc", id="the stricter of two"),
    ],
)
def test_pods_that_exceed_a_budget(budgets: list[Budget], violating: str) -> None:
    exceeding, others = split_by_violation(PODS, budgets)
    assert "".join(pod.name for pod in exceeding) == violating
    assert len(exceeding) + len(others) == len(PODS)


def test_a_pod_without_labels_is_covered_by_nothing() -> None:
    everything = budget(0, selector={"matchExpressions": [{"key": "app", "operator": "DoesNotExist"}]})
    assert split_by_violation([make_pod("bare").pod_info()], everything)[0] == []
