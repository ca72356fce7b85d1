"""Reading as of one moment, and values kept as text."""

from __future__ import annotations

import threading

import msgspec
import pytest

from playground.clusters import selectors
from playground.clusters.models import Cluster, Pod
from playground.common.database import chunks, consistent_read
from playground.common.fields import raw_json
from tests.playground.builders import a_cluster, a_pod, created


@pytest.mark.django_db(transaction=True)
def test_a_consistent_read_does_not_see_what_is_written_meanwhile() -> None:
    cluster = a_cluster()
    created(cluster, a_pod("before"))

    def write() -> None:
        created(cluster, a_pod("during"))
        from django.db import connection

        connection.close()

    with consistent_read():
        version = selectors.feed_version(cluster.pk)
        writer = threading.Thread(target=write)
        writer.start()
        writer.join()
        assert list(Pod.objects.values_list("name", flat=True)) == ["before"]
        assert selectors.feed_version(cluster.pk) == version
    assert Pod.objects.count() == 2


@pytest.mark.django_db
def test_json_is_kept_with_its_order_and_may_be_encoded_already() -> None:
    cluster = a_cluster()
    for value in ({"b": 1, "a": [None, "ü"]}, raw_json({"b": 1, "a": [None, "ü"]})):
        Cluster.objects.filter(pk=cluster.pk).update(settings=value)
        found = Cluster.objects.get(pk=cluster.pk).settings
        assert list(found.items()) == [("b", 1), ("a", [None, "ü"])]
    assert isinstance(raw_json([]), msgspec.Raw)


def test_chunks_are_full_but_for_the_last() -> None:
    assert [list(each) for each in chunks(range(5), 2)] == [[0, 1], [2, 3], [4]]
    assert list(chunks([], 2)) == []
