"""A small picture of each cluster for the start page: its nodes, how full they are, and how its pods stand.

Cheap for many clusters: pods are summed up by the database, from two columns of
their rows, and at most `MOST_CELLS` nodes are read. What was drawn for a version
of a cluster is kept for as long as the cluster stays at it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

import msgspec
from django.db.models import Count, Q, Sum

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

    def of(self, cluster: Cluster) -> ClusterPicture:
        with self._lock:
            version, picture = self._kept.get(cluster.pk, (-1, None))
        if picture is None or version != cluster.resource_version:
            picture = draw(cluster)
        with self._lock:
            self._kept[cluster.pk] = (cluster.resource_version, picture)
            self._kept.move_to_end(cluster.pk)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return picture


def draw(cluster: Cluster) -> ClusterPicture:
    nodes = _some_nodes(cluster)
    requested = _requested(cluster, [node["metadata"]["name"] for node in nodes])
    counts = Pod.objects.filter(cluster=cluster).aggregate(
        pending=Count("pk", filter=Q(node_name="") & ~Q(phase__in=FINISHED)),
        running=Count("pk", filter=Q(phase="Running")),
    )
    return ClusterPicture(cells=[_cell(node, requested) for node in nodes], **counts)


def _cell(node: Mapping[str, Any], requested: Mapping[str, tuple[int, int, int]]) -> PictureCell:
    allocatable = (node.get("status") or {}).get("allocatable") or {}
    cpu, memory, pods = requested.get(node["metadata"]["name"], (0, 0, 0))
    return PictureCell(
        cpu=_percent(cpu, milli_value(allocatable.get("cpu", "0"))),
        memory=_percent(memory, value(allocatable.get("memory", "0"))),
        pods=pods,
        closed=_is_closed(node),
    )


def _some_nodes(cluster: Cluster) -> Sequence[Mapping[str, Any]]:
    nodes = Node.objects.filter(cluster=cluster).order_by("name")
    keys = list(nodes.values_list("pk", flat=True))
    if len(keys) > MOST_CELLS:
        keys = [keys[cell * len(keys) // MOST_CELLS] for cell in range(MOST_CELLS)]
    return list(nodes.filter(pk__in=keys).values_list("manifest", flat=True))


def _requested(cluster: Cluster, names: Sequence[str]) -> dict[str, tuple[int, int, int]]:
    """node -> millicores, bytes, pods"""
    pods = Pod.objects.filter(cluster=cluster, node_name__in=names).exclude(phase__in=FINISHED).order_by()
    sums = pods.values_list("node_name").annotate(Sum("cpu_request"), Sum("memory_request"), Count("pk"))
    return {name: (cpu, memory, count) for name, cpu, memory, count in sums}


def _percent(part: int, whole: int) -> int | None:
    return min(100, round(100 * part / whole)) if whole else None


def _is_closed(node: Mapping[str, Any]) -> bool:
    ready = condition_of(dict(node), "Ready")
    return bool((node.get("spec") or {}).get("unschedulable")) or (ready is not None and ready["status"] != "True")


pictures = Pictures()
