"""One node of each zone in turn."""

from __future__ import annotations

import pytest

from scheduler_core.snapshot.zone_order import ZoneOrder, zone_key

ZONE = "topology.kubernetes.io/zone"
REGION = "topology.kubernetes.io/region"


def order_of(*nodes: tuple[str, str]) -> ZoneOrder:
    order = ZoneOrder()
    for name, zone in nodes:
        order.place(name, {ZONE: zone})
    return order


def test_zones_take_turns_in_the_order_they_appeared() -> None:
    order = order_of(("b1", "b"), ("b2", "b"), ("a1", "a"), ("a2", "a"))
    assert order.names() == ["b1", "a1", "b2", "a2"]


def test_a_zone_that_ran_out_is_passed_over() -> None:
    order = order_of(("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("c1", "c"), ("c2", "c"))
    assert order.names() == ["a1", "b1", "c1", "a2", "c2", "a3"]


def test_a_node_that_moves_goes_to_the_end_of_its_new_zone() -> None:
    order = order_of(("a1", "a"), ("a2", "a"), ("b1", "b"))
    assert order.place("a1", {ZONE: "b"})
    assert order.names() == ["a2", "b1", "a1"]


def test_a_node_that_stays_in_its_zone_keeps_its_place() -> None:
    order = order_of(("a1", "a"), ("a2", "a"))
    assert not order.place("a1", {ZONE: "a", "disk": "ssd"})
    assert order.names() == ["a1", "a2"]


def test_an_emptied_zone_loses_its_turn() -> None:
    order = order_of(("a1", "a"), ("b1", "b"))
    order.remove("a1")
    order.place("a2", {ZONE: "a"})
    assert order.names() == ["b1", "a2"]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        pytest.param({}, ("", ""), id="no labels"),
        pytest.param({ZONE: "z", REGION: "r"}, ("r", "z"), id="region and zone"),
        pytest.param({"failure-domain.beta.kubernetes.io/zone": "old", ZONE: "new"}, ("", "old"), id="beta first"),
    ],
)
def test_the_zone_of_a_node(labels: dict[str, str], expected: tuple[str, str]) -> None:
    assert zone_key(labels) == expected
