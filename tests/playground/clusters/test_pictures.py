"""The start page's pictures: how full the nodes are, exactly, and no more of them than can be drawn."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from playground.clusters.models import Cluster, Pod
from playground.clusters.pictures import MOST_CELLS, ClusterPicture, Pictures, draw
from playground.clusters.services.many import node_create_many
from playground.clusters.services.nodes import node_cordon
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import cluster_transaction
from tests.playground.builders import a_cluster, a_node, a_pod, created

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster() -> Cluster:
    cluster = a_cluster()
    created(cluster, a_node("n1", cpu="2"), a_node("n2", cpu="2"), a_pod("half", cpu="1"), a_pod("waits"))
    with cluster_transaction(cluster.pk) as tx:
        pod_bind_many(tx, bindings=[PodBinding(namespace="default", name="half", node_name="n1")])
        node_cordon(tx, name="n2")
    cluster.refresh_from_db()
    return cluster


def drawn(cluster: Cluster) -> ClusterPicture:
    return draw([cluster])[cluster.pk]


def test_the_list_of_clusters_has_a_picture_of_each(client: Client, cluster: Cluster) -> None:
    a_cluster("empty")
    demo, empty = client.get("/api/clusters/").json()["results"]
    busy = {"cpu": 50, "memory": 0, "pods": 1, "closed": False}
    cordoned = {"cpu": 0, "memory": 0, "pods": 0, "closed": True}
    assert demo["picture"] == {"cells": [busy, cordoned], "pending": 1, "running": 0}
    assert empty["picture"] == {"cells": [], "pending": 0, "running": 0}


def test_finished_pods_take_no_room(cluster: Cluster) -> None:
    Pod.objects.filter(name="half").update(phase="Succeeded")
    assert [(cell.cpu, cell.pods) for cell in drawn(cluster).cells] == [(0, 0), (0, 0)]


def test_of_many_nodes_some_are_drawn(cluster: Cluster) -> None:
    node_create_many(cluster_id=cluster.pk, manifest=a_node(), count=450, prefix="many-")
    cells = drawn(cluster).cells
    assert len(cells) == MOST_CELLS
    # n1 and n2 come behind all of the others: of the two, the first is one of those that lie evenly.
    assert [cell.cpu for cell in cells if cell.pods] == [50]


def test_a_picture_is_drawn_once_a_version(cluster: Cluster, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    pictures = Pictures()
    first = pictures.of([cluster])
    with django_assert_num_queries(0):
        assert pictures.of([cluster])[0] is first[0]
    created(cluster, a_node("n3"))
    cluster.refresh_from_db()
    assert len(pictures.of([cluster])[0].cells) == 3


def test_many_pictures_cost_as_many_queries_as_one(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    clusters = [a_cluster(f"c{number}") for number in range(20)]
    for number, cluster in enumerate(clusters):
        created(cluster, *(a_node(f"n{each}") for each in range(number % 3)), a_pod("waits"))
    with django_assert_num_queries(3):
        found = Pictures().of(clusters)
    assert [(len(picture.cells), picture.pending) for picture in found] == [(each % 3, 1) for each in range(20)]


def test_requests_beyond_every_column_are_still_stored(cluster: Cluster) -> None:
    created(cluster, a_pod("vast", cpu="9E"))
    assert Pod.objects.get(name="vast").cpu_request == 2**62
