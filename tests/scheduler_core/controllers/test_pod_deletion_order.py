from typing import Any

import pytest

from scheduler_core.controllers.pod_deletion_order import DELETION_COST, deletion_cost, pods_to_delete
from scheduler_core.objects.manifest import Manifest
from scheduler_core.objects.timestamps import format_timestamp

NOW = 1_700_000_000.0


def pod(
    name: str, *, node: str = "n1", phase: str = "Running", ready: float | None = 1000, age: float = 1000, **more: Any
) -> Manifest:
    """`ready`: seconds since it became ready; None: it is not."""
    conditions = [{"type": "Ready", "status": "False"}]
    if ready is not None:
        conditions = [{"type": "Ready", "status": "True", "lastTransitionTime": format_timestamp(NOW - ready)}]
    annotations = {DELETION_COST: more["cost"]} if "cost" in more else {}
    return {
        "kind": "Pod",
        "metadata": {
            "name": name,
            "uid": name,
            "annotations": annotations,
            "creationTimestamp": format_timestamp(NOW - age),
        },
        "spec": {"nodeName": node} if node else {},
        "status": {
            "phase": phase,
            "conditions": conditions,
            "containerStatuses": [{"restartCount": more.get("restarts", 0)}],
        },
    }


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("unassigned before assigned", pod("z", node=""), pod("a", phase="Pending", ready=None)),
        ("pending before running", pod("z", phase="Pending"), pod("a", ready=None)),
        ("not ready before ready", pod("z", ready=None), pod("a", cost="-5")),
        ("cheap before dear", pod("z", cost="-5"), pod("a", ready=1)),
        ("ready for a shorter time first", pod("z", ready=10), pod("a", ready=1000, restarts=5)),
        ("more restarts first", pod("z", restarts=2), pod("a", age=1)),
        ("newer first", pod("z", age=10), pod("a", age=1000)),
        ("uid breaks ties", pod("a", age=1000), pod("b", age=1010)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_order(name: str, first: Manifest, second: Manifest) -> None:
    both = [second, first]
    assert pods_to_delete(both, 1, [], NOW) == [first], name


def test_the_more_crowded_node_first() -> None:
    pods = [pod("a", node="n1"), pod("b", node="n2"), pod("c", node="n2")]
    assert pods_to_delete(pods, 1, pods, NOW) == [pods[1]]


def test_all_of_them_where_all_must_go() -> None:
    pods = [pod("a"), pod("b")]
    assert pods_to_delete(pods, 2, pods, NOW) == pods


@pytest.mark.parametrize(("text", "cost"), [("7", 7), ("-7", -7), ("x", 0), ("", 0), ("99999999999", 0), ("1.5", 0)])
def test_a_cost_that_is_no_number_counts_as_nothing(text: str, cost: int) -> None:
    assert deletion_cost({"metadata": {"annotations": {DELETION_COST: text}}}) == cost
