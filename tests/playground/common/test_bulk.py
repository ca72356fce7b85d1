"""Rows written in bulk are the rows the ORM would have written."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction

from playground.clusters.models import Cluster
from playground.common.bulk import rows_insert, rows_update, rows_upsert
from playground.scheduling.models import Binding, Decision, QueuedPod
from playground.scheduling.selectors.schedulers import scheduler_get
from tests.playground.builders import a_cluster

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def a_queued_pod(cluster: Cluster, uid: str, queue: str = "activeQ", **columns: object) -> QueuedPod:
    defaults = {"namespace": "default", "name": uid, "position": 1.5, "priority": 7, "attempts": 1, "since": 2.0}
    scheduler = scheduler_get(cluster_id=cluster.pk)
    return QueuedPod(cluster=cluster, scheduler=scheduler, pod_uid=uid, queue=queue, **(defaults | columns))


def test_every_kind_of_column_comes_back_as_it_was_written(cluster: Cluster) -> None:
    sent_at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    binding = Binding(
        cluster=cluster, pod_uid="u", namespace="default", name="web", node="n1", scheduler_name="s", sequence=1,
        at=1.25, generation=3, binding_data={"a": [1]}, sent_at=sent_at,
    )  # fmt: skip
    decision = Decision(
        cluster=cluster, sequence=1, pod_uid="u", namespace="default", name="web", attempt=1, at=1.0,
        outcome="scheduled", summary=b"{}", report=b"\x00\xff",
    )  # fmt: skip
    rows_insert([binding])
    rows_insert([decision])
    stored = Binding.objects.get()
    assert (stored.phase, stored.binding_data, stored.steps, stored.sent_at) == ("pending", {"a": [1]}, [], sent_at)
    assert bytes(Decision.objects.get().report) == b"\x00\xff"


def test_an_upsert_adds_what_is_new_and_changes_only_the_named_columns(cluster: Cluster) -> None:
    unique, update = ("scheduler", "pod_uid"), ("queue", "backoff_until")
    rows_upsert([a_queued_pod(cluster, "a"), a_queued_pod(cluster, "b")], unique=unique, update=update)
    changed = a_queued_pod(cluster, "a", "backoffQ", backoff_until=9.0, attempts=5)
    rows_upsert([changed, a_queued_pod(cluster, "c")], unique=unique, update=update)
    assert [(row.pod_uid, row.queue, row.attempts) for row in QueuedPod.objects.order_by("pod_uid")] == [
        ("a", "backoffQ", 1),
        ("b", "activeQ", 1),
        ("c", "activeQ", 1),
    ]


def test_an_update_changes_the_named_columns_of_the_rows_by_their_key(cluster: Cluster) -> None:
    rows_insert([a_queued_pod(cluster, "a"), a_queued_pod(cluster, "b")])
    row = QueuedPod.objects.get(pod_uid="a")
    row.message, row.attempts = "why not", 99
    rows_update([row], update=("message",))
    row.refresh_from_db()
    assert (row.message, row.attempts) == ("why not", 1)
    assert QueuedPod.objects.get(pod_uid="b").message == ""


def test_the_databases_constraints_hold(cluster: Cluster) -> None:
    rows_insert([a_queued_pod(cluster, "a")])
    with pytest.raises(IntegrityError), transaction.atomic():
        rows_insert([a_queued_pod(cluster, "a")])
    with pytest.raises(IntegrityError), transaction.atomic():
        rows_insert([a_queued_pod(cluster, "b", queue="nowhere")])


def test_nothing_to_write_is_no_statement(django_assert_num_queries: object) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]
        rows_insert([])
        rows_update([], update=("message",))
        rows_upsert([], unique=("cluster",), update=("message",))
