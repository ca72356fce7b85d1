"""Assumed and bound pods, and pods whose node is not there."""

from __future__ import annotations

import pytest

from scheduler_core.cache.cache import Cache
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.testing import make_node, make_pod


def a_pod(node: str = "", cpu: str = "1") -> PodInfo:
    return make_pod("p").requests(cpu=cpu).on(node).pod_info()


@pytest.fixture
def cache() -> Cache:
    cache = Cache()
    cache.add_node(make_node("n1").node())
    cache.add_node(make_node("n2").node())
    return cache


def requested(cache: Cache) -> dict[str, int]:
    snapshot = cache.snapshot
    return {name: int(cpu) for name, cpu in zip(snapshot.names, snapshot.requested[0], strict=True) if cpu}


def test_an_assumed_pod_counts_at_once(cache: Cache) -> None:
    cache.assume_pod(a_pod(), "n1")
    assert requested(cache) == {"n1": 1000}
    assert cache.is_assumed(a_pod().uid)


def test_a_forgotten_pod_does_not_count(cache: Cache) -> None:
    cache.assume_pod(a_pod(), "n1")
    cache.forget_pod(a_pod().uid)
    assert requested(cache) == {}


def test_a_confirmed_pod_counts_once_and_cannot_be_forgotten(cache: Cache) -> None:
    cache.assume_pod(a_pod(), "n1")
    cache.set_pod(a_pod("n1"))
    cache.forget_pod(a_pod().uid)
    assert requested(cache) == {"n1": 1000}
    assert not cache.is_assumed(a_pod().uid)


def test_a_pod_bound_elsewhere_moves(cache: Cache) -> None:
    cache.assume_pod(a_pod(), "n1")
    cache.set_pod(a_pod("n2"))
    assert requested(cache) == {"n2": 1000}


def test_a_pod_cannot_be_assumed_twice(cache: Cache) -> None:
    cache.assume_pod(a_pod(), "n1")
    with pytest.raises(ValueError, match="pod default/p is already on node n1"):
        cache.assume_pod(a_pod(), "n2")


def test_a_resized_pod_counts_with_its_new_size(cache: Cache) -> None:
    cache.set_pod(a_pod("n1"))
    cache.set_pod(a_pod("n1", cpu="3"))
    assert requested(cache) == {"n1": 3000}
    assert [pod.name for pod in cache.snapshot.pods_on(cache.snapshot.row_of("n1"))] == ["p"]


def test_pods_of_a_node_that_comes_later_are_counted_when_it_comes(cache: Cache) -> None:
    cache.set_pod(a_pod("late"))
    assert requested(cache) == {}
    cache.add_node(make_node("late").node())
    assert requested(cache) == {"late": 1000}


def test_pods_of_a_node_that_went_come_back_with_it(cache: Cache) -> None:
    cache.set_pod(a_pod("n1"))
    cache.remove_node("n1")
    assert cache.snapshot.names == ["n2"]
    cache.add_node(make_node("n1").node())
    assert requested(cache) == {"n1": 1000}


def test_a_pod_deleted_while_its_node_is_away_does_not_come_back(cache: Cache) -> None:
    cache.set_pod(a_pod("n1"))
    cache.remove_node("n1")
    cache.remove_pod(a_pod().uid)
    cache.add_node(make_node("n1").node())
    assert requested(cache) == {}


def test_what_is_not_known_can_be_removed_without_harm(cache: Cache) -> None:
    cache.remove_pod("nobody")
    cache.remove_node("nowhere")
    cache.forget_pod("nobody")
    assert cache.snapshot.names == ["n1", "n2"]
