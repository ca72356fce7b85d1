"""A small picture of each cluster for the start page: its nodes, how full they are, and how its pods stand.

Cheap for many clusters: pods are summed up by the database, from two columns of
their rows, and at most `MOST_CELLS` nodes of each are read, all clusters' at once. What
was drawn for a version of a cluster is kept for as long as the cluster stays at it.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

import msgspec
from django.db.models import Count, Q, Sum, Window
from django.db.models.functions import RowNumber

from playground.clusters.models import Cluster, Node, Pod
from scheduler_core.objects.manifest import condition_of
from scheduler_core.objects.quantity import milli_value, value

MOST_CELLS = 200
# Pictures kept in a process.
KEPT = 200
FINISHED = ("Succeeded", "Failed")


class PictureCell(msgspec.Struct, kw_only=True):
    """One node."""

    # Requested, in percent of allocatable, at most 100; None: the node has none of it.
    cpu: int | None
    memory: int | None
    # Bound to it and not finished.
    pods: int
    # It takes no new pods: cordoned, or not ready.
    closed: bool


class ClusterPicture(msgspec.Struct, kw_only=True):
    # By the nodes' names; of more than 200 nodes, 200 that lie evenly among them.
    cells: list[PictureCell]
    # Pods without a node, and pods that run.
    pending: int
    running: int


class Pictures:
    """The newest pictures of a process, the least wanted given up."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        # cluster id -> version, picture
        self._kept: OrderedDict[int, tuple[int, ClusterPicture]] = OrderedDict()
        self._lock = Lock()

    def of(self, clusters: Sequence[Cluster]) -> list[ClusterPicture]:
        """In their order; those that are not kept are drawn together."""
        with self._lock:
            known = {cluster.pk: self._kept_of(cluster) for cluster in clusters}
        drawn = draw([cluster for cluster in clusters if known[cluster.pk] is None])
        found = {pk: picture for pk, picture in known.items() if picture is not None} | drawn
        with self._lock:
            for cluster in clusters:
                self._keep(cluster, found[cluster.pk])
        return [found[cluster.pk] for cluster in clusters]

    def _kept_of(self, cluster: Cluster) -> ClusterPicture | None:
        version, picture = self._kept.get(cluster.pk, (-1, None))
        return picture if version == cluster.resource_version else None

    def _keep(self, cluster: Cluster, picture: ClusterPicture) -> None:
        self._kept[cluster.pk] = (cluster.resource_version, picture)
        self._kept.move_to_end(cluster.pk)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)


def draw(clusters: Sequence[Cluster]) -> dict[int, ClusterPicture]:
    """cluster id -> its picture; as many queries for many clusters as for one."""
    ids = [cluster.pk for cluster in clusters]
    if not ids:
        return {}
    nodes, requested, counts = _some_nodes(ids), _requested(ids), _counts(ids)
    return {pk: _picture(nodes[pk], requested[pk], *counts.get(pk, (0, 0))) for pk in ids}


def _picture(
    nodes: Sequence[Mapping[str, Any]], requested: Mapping[str, tuple[int, int, int]], pending: int, running: int
) -> ClusterPicture:
    return ClusterPicture(cells=[_cell(node, requested) for node in nodes], pending=pending, running=running)


def _cell(node: Mapping[str, Any], requested: Mapping[str, tuple[int, int, int]]) -> PictureCell:
    allocatable = (node.get("status") or {}).get("allocatable") or {}
    cpu, memory, pods = requested.get(node["metadata"]["name"], (0, 0, 0))
    return PictureCell(
        cpu=_percent(cpu, milli_value(allocatable.get("cpu", "0"))),
        memory=_percent(memory, value(allocatable.get("memory", "0"))),
        pods=pods,
        closed=_is_closed(node),
    )


def _some_nodes(ids: Sequence[int]) -> defaultdict[int, list[Mapping[str, Any]]]:
    """cluster id -> manifests by name; of n > 200 nodes those with which row * 200 / n becomes another whole number."""
    row = Window(RowNumber(), partition_by="cluster", order_by="name") - 1
    many = Window(Count("pk"), partition_by="cluster")
    lots = Node.objects.filter(cluster__in=ids).annotate(lot=row * MOST_CELLS % many)
    drawn = Node.objects.filter(pk__in=lots.filter(lot__lt=MOST_CELLS).values("pk")).order_by("cluster", "name")
    found: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for pk, manifest in drawn.values_list("cluster", "manifest"):
        found[pk].append(manifest)
    return found


def _requested(ids: Sequence[int]) -> defaultdict[int, dict[str, tuple[int, int, int]]]:
    """cluster id -> node -> millicores, bytes, pods"""
    pods = Pod.objects.filter(cluster__in=ids).exclude(node_name="").exclude(phase__in=FINISHED).order_by()
    sums = pods.values_list("cluster", "node_name").annotate(Sum("cpu_request"), Sum("memory_request"), Count("pk"))
    found: defaultdict[int, dict[str, tuple[int, int, int]]] = defaultdict(dict)
    for pk, name, cpu, memory, count in sums:
        found[pk][name] = (cpu, memory, count)
    return found


def _counts(ids: Sequence[int]) -> dict[int, tuple[int, int]]:
    """cluster id -> pods without a node, pods that run"""
    counted = (
        Pod.objects.filter(cluster__in=ids)
        .order_by()
        .values_list("cluster")
        .annotate(
            pending=Count("pk", filter=Q(node_name="") & ~Q(phase__in=FINISHED)),
            running=Count("pk", filter=Q(phase="Running")),
        )
    )
    return {pk: (pending, running) for pk, pending, running in counted}


def _percent(part: int, whole: int) -> int | None:
    return min(100, round(100 * part / whole)) if whole else None


def _is_closed(node: Mapping[str, Any]) -> bool:
    ready = condition_of(dict(node), "Ready")
    return bool((node.get("spec") or {}).get("unschedulable")) or (ready is not None and ready["status"] != "True")


pictures = Pictures()
