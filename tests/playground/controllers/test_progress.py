"""What a sweep and an idle check see."""

from __future__ import annotations

import pytest

from playground.clusters import clock
from playground.clusters.idle import work_left
from playground.clusters.services.clusters import cluster_clock_advance, cluster_delete
from playground.clusters.services.objects import DeleteOptions, object_delete
from playground.controllers.models import ControllerState, KubeletStep
from playground.controllers.selectors import clusters_to_wake
from playground.controllers.services import run, store
from tests.playground.controllers.town import Town, deployment, pod


def left(town: Town) -> list[str]:
    town.cluster.refresh_from_db()
    answers = work_left(town.cluster)
    return answers.get("controllers", []) + answers.get("kubelet", [])


def test_a_cluster_with_changes_nobody_saw_is_woken(town: Town) -> None:
    town.run()
    assert clusters_to_wake() == []
    town.create(deployment())
    assert clusters_to_wake() == [town.id]
    assert left(town) == ["changes to look at"]
    town.run()
    assert clusters_to_wake() == []
    assert left(town) == []


def test_a_step_that_is_due_wakes_it(town: Town) -> None:
    town.create(pod("a"))
    town.bind("a")
    assert town.run().due_in is not None
    assert left(town) == ["1 pods to pull images"]
    assert clusters_to_wake() == []

    with town.tx() as tx:
        cluster_clock_advance(tx, to=clock.now(tx.cluster) + 3)
    assert clusters_to_wake() == [town.id]
    town.run()
    assert left(town) == ["1 pods to start"]
    town.pass_time(1)
    assert left(town) == []
    assert not KubeletStep.objects.exists()


def test_a_pod_deleted_by_force_leaves_no_step_behind(town: Town) -> None:
    town.create(pod("a"))
    town.bind("a")
    town.run()
    with town.tx() as tx:
        options = DeleteOptions(grace_period_seconds=0)
        object_delete(tx, kind="Pod", namespace="default", name="a", options=options)
    town.run()
    assert not KubeletStep.objects.exists()


def test_a_cluster_that_is_gone_is_no_error(town: Town) -> None:
    town.create(deployment())
    town.run()
    cluster_delete(cluster_id=town.id)
    assert town.run().due_in is None


def test_a_cluster_that_goes_while_it_is_looked_at_is_no_error(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    town.run()

    def nothing_to_do(*_: object) -> bool:
        cluster_delete(cluster_id=town.id)
        return False

    monkeypatch.setattr(run, "_has_work", nothing_to_do)
    assert town.run().due_in is None
    assert not ControllerState.objects.exists()


def test_a_failure_in_the_middle_is_made_good_by_the_next_run(town: Town) -> None:
    town.create(deployment(replicas=3))
    with pytest.MonkeyPatch.context() as patched:

        def fail(*args: object, **kwargs: object) -> None:
            raise RuntimeError("the database is away")

        patched.setattr(store, "event_record_many", fail)
        with pytest.raises(RuntimeError, match="away"):
            town.run()
    assert town.pods() == []
    town.run()
    assert len(town.pods()) == 3


def test_a_clock_that_runs_again_is_work(town: Town) -> None:
    town.create(pod("a"))
    town.pause()
    town.bind("a")
    town.run()
    assert left(town) == []
    town.resume()
    assert left(town) == ["changes to look at"]
    town.run()
    assert left(town) == ["1 pods to pull images"]
