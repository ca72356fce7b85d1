"""Budgets tell how many of their pods may be missed."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.controllers.disruption_budgets import refusal_to_evict
from scheduler_core.objects.manifest import Manifest, condition_of
from tests.scheduler_core.controllers.cluster import TinyCluster, node, workload


def budget(name: str = "web", **spec: Any) -> Manifest:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}, **spec},
    }


def numbers(cluster: TinyCluster) -> tuple[int, int, int, int]:
    status = cluster.get("PodDisruptionBudget", "web")["status"]
    return tuple(status[key] for key in ("expectedPods", "currentHealthy", "desiredHealthy", "disruptionsAllowed"))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"minAvailable": 2}, (4, 4, 2, 2)),
        ({"minAvailable": 9}, (4, 4, 9, 0)),
        ({"minAvailable": "50%"}, (4, 4, 2, 2)),
        ({"minAvailable": "51%"}, (4, 4, 3, 1)),
        ({"maxUnavailable": 1}, (4, 4, 3, 1)),
        ({"maxUnavailable": "30%"}, (4, 4, 2, 2)),
        ({"maxUnavailable": 0}, (4, 4, 4, 0)),
    ],
)
def test_what_may_be_missed_follows_from_the_spec(
    cluster: TinyCluster, spec: dict[str, Any], expected: tuple[int, int, int, int]
) -> None:
    cluster.store.create(node("n1"))
    cluster.store.create(workload("Deployment", replicas=4))
    cluster.store.create(budget(**spec))
    cluster.settle()
    cluster.run_all()
    assert numbers(cluster) == expected


def test_it_follows_the_pods_and_the_scale(cluster: TinyCluster) -> None:
    cluster.store.create(node("n1"))
    cluster.store.create(workload("Deployment", replicas=2))
    cluster.store.create(budget(maxUnavailable=1))
    cluster.settle()
    assert numbers(cluster) == (2, 0, 1, 0)
    cluster.run_all()
    assert numbers(cluster) == (2, 2, 1, 1)
    cluster.set_ready(cluster.pods()[0], False)
    cluster.settle()
    assert numbers(cluster) == (2, 1, 1, 0)
    cluster.change_spec("Deployment", "web", replicas=3)
    cluster.settle()
    cluster.run_all()
    assert numbers(cluster) == (3, 3, 2, 1)


def test_pods_of_an_owner_without_a_scale_may_not_be_missed_by_share(cluster: TinyCluster) -> None:
    cluster.store.create(node("n1"))
    cluster.store.create(workload("DaemonSet"))
    cluster.store.create(budget(maxUnavailable=1))
    cluster.settle()
    cluster.run_all()
    found = condition_of(cluster.get("PodDisruptionBudget", "web"), "DisruptionAllowed")
    assert found is not None
    assert (found["status"], found["reason"]) == ("False", "SyncFailed")


def a_pod(*, ready: bool = True, phase: str = "Running", **metadata: Any) -> Manifest:
    conditions = [{"type": "Ready", "status": str(ready)}]
    return {
        "kind": "Pod",
        "metadata": {"name": "a", "namespace": "default", "labels": {"app": "web"}, **metadata},
        "spec": {"containers": []},
        "status": {"phase": phase, "conditions": conditions},
    }


@pytest.mark.parametrize(
    ("pod", "spec", "refused"),
    [
        (a_pod(), {"minAvailable": 1}, True),
        (a_pod(), {"minAvailable": 0}, False),
        (a_pod(ready=False), {"minAvailable": 1}, True),
        (a_pod(ready=False), {"minAvailable": 1, "unhealthyPodEvictionPolicy": "AlwaysAllow"}, False),
        (a_pod(ready=False, phase="Pending"), {"minAvailable": 1}, False),
        (a_pod(ready=False, phase="Failed"), {"minAvailable": 1}, False),
        (a_pod(deletionTimestamp="2026-01-01T00:00:00Z"), {"minAvailable": 1}, False),
    ],
)
def test_a_pod_is_evicted_where_its_budget_is_kept(pod: Manifest, spec: dict[str, Any], refused: bool) -> None:
    refusal = refusal_to_evict(pod, [budget(**spec)], [pod], lambda *_: None)
    assert (refusal is not None) == refused


def test_a_pod_that_does_not_serve_may_go_where_enough_others_do() -> None:
    others = [{**a_pod(), "metadata": {**a_pod()["metadata"], "name": "b"}}]
    sick = a_pod(ready=False)
    assert refusal_to_evict(sick, [budget(minAvailable=1)], [sick, *others], lambda *_: None) is None
