"""A cluster may be deleted at any moment: whoever works on it finds out and leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from playground.clusters.models import Cluster
from playground.clusters.services.clusters import cluster_delete
from playground.common.errors import NotFound
from playground.scheduling.models import SchedulerLease, SchedulerState
from playground.scheduling.selectors.schedulers import scheduler_get
from playground.scheduling.services import slice as slices
from playground.scheduling.services.lease import lease_acquire
from playground.scheduling.services.slice import slice_run
from playground.scheduling.services.steps import step_request
from tests.playground.builders import a_cluster

pytestmark = pytest.mark.django_db


def take_the_lease(cluster: Cluster) -> object:
    return lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk), holder="host/1/a")


def ask_for_a_step(cluster: Cluster) -> object:
    return step_request(cluster=cluster)


@pytest.mark.parametrize("act", [take_the_lease, ask_for_a_step])
def test_what_comes_too_late_is_told_that_the_cluster_is_gone(act: Callable[[Cluster], object]) -> None:
    cluster = a_cluster()
    gone = Cluster.objects.get(pk=cluster.pk)
    cluster_delete(cluster_id=cluster.pk)
    with pytest.raises(NotFound, match="does not exist"):
        act(gone)
    assert not SchedulerLease.objects.exists()
    assert not SchedulerState.objects.exists()


def test_a_cluster_deleted_in_the_middle_of_a_slice_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = a_cluster()
    record = slices.slice_record

    def deleted_before(**arguments: object) -> object:
        cluster_delete(cluster_id=cluster.pk)
        return record(**arguments)

    monkeypatch.setattr(slices, "slice_record", deleted_before)
    with pytest.raises(NotFound, match="does not exist"):
        slice_run(scheduler_id=scheduler_get(cluster_id=cluster.pk).pk)
    assert not SchedulerState.objects.exists()
