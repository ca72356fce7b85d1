"""Who belongs to which pod group, wherever the pods are."""

from __future__ import annotations

from typing import Literal

from scheduler_core.objects.change import ObjectChange
from scheduler_core.testing import PodBuilder, make_node, make_pod
from tests.scheduler_core.acceptance.gangs import LABEL, gang_cluster, member
from tests.scheduler_core.acceptance.running_cluster import RunningCluster


def names(cluster: RunningCluster, group: str = "gang", namespace: str = "default") -> list[str]:
    return [pod.name for pod in cluster.scheduler.cache.group_members.of(namespace, group).values()]


def tell(cluster: RunningCluster, event: Literal["ADDED", "MODIFIED", "DELETED"], pod: PodBuilder) -> None:
    cluster.scheduler.handle(ObjectChange(event=event, object=pod.pod()))


def test_pending_gated_and_bound_pods_are_members_whoever_schedules_them() -> None:
    cluster = gang_cluster()
    cluster.add(make_node("n1"), member("pending"), member("gated").gate("example.com/quota"))
    cluster.add(member("bound").on("n1"), member("foreign").scheduler("another"), make_pod("none"))
    assert names(cluster) == ["pending", "gated", "bound", "foreign"]
    assert len(cluster.scheduler.cache.group_members.placed("default", "gang")) == 1


def test_who_is_deleted_or_has_finished_is_none_any_more() -> None:
    cluster = gang_cluster()
    cluster.add(member("a"), member("b"), member("c"))
    tell(cluster, "DELETED", member("a"))
    tell(cluster, "MODIFIED", member("b").status(phase="Succeeded"))
    assert names(cluster) == ["c"]


def test_a_changed_label_changes_the_group() -> None:
    cluster = gang_cluster()
    cluster.add(member("a"), member("b"))
    tell(cluster, "MODIFIED", member("a", of="other"))
    tell(cluster, "MODIFIED", member("b").label(LABEL, ""))
    assert (names(cluster), names(cluster, "other")) == ([], ["a"])


def test_another_worker_knows_them_too() -> None:
    cluster = gang_cluster()
    cluster.add(make_node("n1"), member("a"), member("b").on("n1"))
    cluster.take_over()
    assert sorted(names(cluster)) == ["a", "b"]
