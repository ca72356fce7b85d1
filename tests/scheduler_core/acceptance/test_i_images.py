"""Acceptance, section I: ImageLocality."""

from __future__ import annotations

from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.acceptance.reading import score_of
from tests.scheduler_core.acceptance.running_cluster import RunningCluster

MIB = 1024 * 1024


def test_i1_a_small_image_on_one_of_three_nodes_does_not_count() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("has").image("app:v1", size=76_595_659), make_node("b"), make_node("c"))
    cluster.add(make_pod("p").image("app:v1"))
    assert score_of(cluster.attempt(), "ImageLocality") == {"has": 0, "b": 0, "c": 0}


def test_i2_the_thresholds_grow_with_the_containers() -> None:
    sizes = {"small:v1": 30 * MIB, "medium:v1": 600 * MIB, "large:v1": 1500 * MIB}
    cluster = RunningCluster()
    some, every, other = make_node("n1"), make_node("n2"), make_node("n3")
    for name, size in sizes.items():
        every.image(name, size=size)
        (other if name == "medium:v1" else some).image(name, size=size)
    cluster.add(some, every, other)
    cluster.add(make_pod("p").image("small:v1").container("b", image="medium:v1").container("c", image="large:v1"))

    scores = score_of(cluster.attempt(), "ImageLocality")

    assert scores["n1"] == 33
    assert scores["n2"] == 46


def test_i2_an_image_without_a_tag_is_the_latest() -> None:
    cluster = RunningCluster()
    cluster.add(make_node("a").image("registry:5000/app:latest", size=2000 * MIB), make_node("b"))
    cluster.add(make_pod("p").image("registry:5000/app"))
    assert score_of(cluster.attempt(), "ImageLocality")["a"] == 100
