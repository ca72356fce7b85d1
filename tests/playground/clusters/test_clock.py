"""Cluster time: running, standing, faster, moved forward; told to the page."""

from __future__ import annotations

import pytest

from playground.clusters import clock
from playground.clusters.models import Cluster
from playground.clusters.services.clusters import (
    cluster_clock_advance,
    cluster_pause,
    cluster_resume,
    cluster_speed,
)
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import Invalid
from tests.playground.builders import a_cluster
from tests.playground.freshness import LiveWatch


def standing(at: float = 100.0, *, speed: float = 1.0, wall: float = 1000.0) -> Cluster:
    return Cluster(clock_state="running", clock_speed=speed, anchor_cluster=at, anchor_wall=wall)


def test_time_runs_from_its_anchor_at_its_speed() -> None:
    assert clock.now(standing(), wall=1005.0) == 105.0
    assert clock.now(standing(speed=10.0), wall=1005.0) == 150.0


def test_a_paused_clock_stands() -> None:
    cluster = standing()
    cluster.clock_state = "paused"
    assert clock.now(cluster, wall=9999.0) == 100.0
    assert clock.wall_seconds_until(cluster, 101.0) is None
    assert clock.wall_seconds_until(cluster, 99.0) == 0.0


def test_waiting_is_told_in_wall_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock.time, "time", lambda: 1000.0)
    assert clock.wall_seconds_until(standing(speed=10.0), 150.0) == 5.0


def test_times_are_written_as_kubernetes_does_and_read_back() -> None:
    assert clock.timestamp(0.9) == "1970-01-01T00:00:00Z"
    assert clock.micro_timestamp(1.5) == "1970-01-01T00:00:01.500000Z"
    assert clock.parse_timestamp("1970-01-01T00:01:00Z") == 60.0
    with pytest.raises(ValueError, match="isoformat"):
        clock.parse_timestamp("yesterday")


@pytest.mark.django_db
def test_pause_resume_speed_and_advance_are_told_to_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    wall = 1000.0
    monkeypatch.setattr(clock.time, "time", lambda: wall)
    cluster = a_cluster()
    watch = LiveWatch(cluster)
    with cluster_transaction(cluster.pk) as tx:
        cluster_pause(tx)
    wall = 1100.0
    with cluster_transaction(cluster.pk) as tx:
        assert tx.now == 1000.0
        cluster_clock_advance(tx, to=1010.0)
        cluster_clock_advance(tx, to=900.0)
        assert tx.now == 1010.0
        cluster_speed(tx, speed=5.0)
        cluster_resume(tx)
    cluster.refresh_from_db()
    assert clock.now(cluster, wall=1102.0) == 1020.0
    assert [message["cluster"]["state"] for message in watch.assert_fresh()] == [
        "paused",
        "paused",
        "paused",
        "running",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("speed", [0.0, -1.0, 1e9, float("nan"), float("inf")])
def test_a_speed_out_of_bounds_is_refused(speed: float) -> None:
    cluster = a_cluster()
    with pytest.raises(Invalid, match="speed"), cluster_transaction(cluster.pk) as tx:
        cluster_speed(tx, speed=speed)


@pytest.mark.parametrize(("speed", "wall"), [(0.1, 300.0), (1.0, 30.0), (100.0, 0.3)])
def test_what_is_due_in_cluster_time_is_waited_for_by_the_wall(
    monkeypatch: pytest.MonkeyPatch, speed: float, wall: float
) -> None:
    monkeypatch.setattr(clock.time, "time", lambda: 1_000.0)
    cluster = standing(5_000.0, speed=speed)
    assert clock.wall_seconds_until(cluster, 5_030.0) == pytest.approx(wall)
    assert clock.now(cluster, 1_000.0 + wall) == pytest.approx(5_030.0)


def test_another_speed_does_not_move_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock.time, "time", lambda: 1_010.0)
    cluster = standing(5_000.0, speed=100.0)
    before = clock.now(cluster)
    clock.anchor(cluster)
    cluster.clock_speed = 0.1
    assert clock.now(cluster) == before == 6_000.0
