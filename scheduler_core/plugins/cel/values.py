"""Pods and nodes as CEL sees them: plain values, one for each variable that an expression reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from scheduler_core.objects.node import Node
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.quantity import Quantity
from scheduler_core.plugins.cel.variables import POD_FIELDS
from scheduler_core.snapshot.node_row import NodeRow
from scheduler_core.snapshot.snapshot import Snapshot

RowArray = NDArray[np.intp]

# What counts pods among the resources.
_PODS = "pods"

# Variables whose value no pod changes.
OF_THE_NODE_ALONE = frozenset(
    {
        "node.name",
        "node.labels",
        "node.annotations",
        "node.taints",
        "node.unschedulable",
        "node.allocatable",
        "node.images",
    }
)


def pod_values(pod: PodInfo, names: Iterable[str]) -> dict[str, Any]:
    """The pod's variables among `names`."""
    return {name: _OF_POD[name](pod) for name in names if name in _OF_POD}


def pod_key(values: Mapping[str, Any]) -> bytes:
    """Equal for pods that an expression cannot tell apart."""
    return msgspec.json.encode(values)


class NodeReader:
    """Reads the node variables of an expression for many nodes.

    What is read of a node is a tuple with one entry for each variable. Where an expression asks only for certain keys
    of maps, the entry has their values and nothing else, so that nodes that it cannot tell apart have equal tuples.
    """

    def __init__(self, keys: Mapping[str, frozenset[str] | None], pod_fields: frozenset[str]) -> None:
        """`pod_fields` are what is asked of each pod on a node."""
        of_nodes = {name: wanted for name, wanted in keys.items() if name in _OF_NODES}
        pods = partial(_pods, tuple(sorted(pod_fields)))
        self._columns = [pods if name == "node.pods" else _column(name, wanted) for name, wanted in of_nodes.items()]
        self._names = tuple(of_nodes)
        # Of each variable the keys, or None where its entry is its value.
        self._keys = [None if wanted is None else tuple(sorted(wanted)) for wanted in of_nodes.values()]
        # Whether nodes can be compared by what is read of them, and it is worth it.
        self.is_comparable = "node.name" not in of_nodes and None not in (
            wanted for name, wanted in of_nodes.items() if name != "node.unschedulable"
        )

    def read(self, snapshot: Snapshot, rows: RowArray) -> Sequence[tuple[Any, ...]]:
        """In the order of the rows."""
        if not self._columns:
            return [()] * len(rows)
        return list(zip(*(column(snapshot, rows) for column in self._columns), strict=True))

    def data(self, read: tuple[Any, ...]) -> dict[str, Any]:
        """The variables, from what was read of a node."""
        entries = zip(self._names, self._keys, read, strict=True)
        return {name: entry if keys is None else _map_of(keys, entry) for name, keys, entry in entries}


def _map_of(keys: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    return {key: value for key, value in zip(keys, values, strict=True) if value is not None}


def values_of_node(node: Node, names: Iterable[str]) -> dict[str, Any]:
    """Of a node by itself, wherever it is; for the variables that no pod changes."""
    return {name: _OF_NODE[name](node) for name in names if name in _OF_NODE}


def _annotations(pod: PodInfo) -> Mapping[str, str]:
    return pod.pod.metadata.annotations


def _spec(pod: PodInfo) -> Any:
    # By way of JSON, so that it is what a manifest is: lists, and quantities as text.
    return msgspec.json.decode(msgspec.json.encode(pod.pod.spec, enc_hook=_quantity_text))


def _quantity_text(value: Any) -> str:
    if isinstance(value, Quantity):
        return value.text
    raise NotImplementedError(f"a pod's spec has no {type(value).__name__}")


_OF_POD: Mapping[str, Callable[[PodInfo], Any]] = {
    "pod.name": lambda pod: pod.name,
    "pod.namespace": lambda pod: pod.namespace,
    "pod.labels": lambda pod: pod.labels,
    "pod.annotations": _annotations,
    "pod.priority": lambda pod: pod.priority,
    "pod.requests": lambda pod: pod.requests,
    "pod.spec": _spec,
}


def _taints(node: Node) -> list[dict[str, str]]:
    return [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in node.spec.taints]


def _images(node: Node) -> list[str]:
    return [name for image in node.status.images for name in image.names]


def _allocatable(node: Node) -> dict[str, int]:
    return {name: amount for name, amount in node.allocatable.items() if amount}


_OF_NODE: Mapping[str, Callable[[Node], Any]] = {
    "node.name": lambda node: node.name,
    "node.labels": lambda node: node.labels,
    "node.annotations": lambda node: node.metadata.annotations,
    "node.taints": _taints,
    "node.unschedulable": lambda node: node.spec.unschedulable,
    "node.allocatable": _allocatable,
    "node.images": _images,
}


def _each(value: Callable[[Node], Any]) -> Callable[[Snapshot, RowArray], list[Any]]:
    def values(snapshot: Snapshot, rows: RowArray) -> list[Any]:
        records = snapshot.records
        return [value(records[row].node) for row in rows.tolist()]

    return values


def _all_allocatable(snapshot: Snapshot, rows: RowArray) -> list[dict[str, int]]:
    """From the columns: parsing the quantities of thousands of nodes is what takes long."""
    names, allowed = snapshot.resource_names, snapshot.allowed_pods[rows].tolist()
    amounts = snapshot.allocatable[:, rows].T.tolist()
    return [_amounts(names, each, pods) for each, pods in zip(amounts, allowed, strict=True)]


def _requested(snapshot: Snapshot, rows: RowArray) -> list[dict[str, int]]:
    """For every resource that the node has or that is asked of it; 0 where nothing is."""
    names, there = snapshot.resource_names, snapshot.allocatable[:, rows]
    requested = snapshot.requested[:, rows]
    known = ((there != 0) | (requested != 0)).T.tolist()
    counts = snapshot.pod_count[rows].tolist()
    return [
        {**{name: amount for name, amount, has in zip(names, each, having, strict=True) if has}, _PODS: pods}
        for each, having, pods in zip(requested.T.tolist(), known, counts, strict=True)
    ]


def _amounts(names: Sequence[str], amounts: Sequence[int], pods: int) -> dict[str, int]:
    found = {name: amount for name, amount in zip(names, amounts, strict=True) if amount}
    if pods:
        found[_PODS] = pods
    return found


def _pods(fields: tuple[str, ...], snapshot: Snapshot, rows: RowArray) -> list[list[dict[str, Any]]]:
    records = snapshot.records
    return [_pods_on(records[row], fields) for row in rows.tolist()]


def _pods_on(record: NodeRow, fields: tuple[str, ...]) -> list[dict[str, Any]]:
    """The fields have the names of PodInfo's own."""
    return [{field: getattr(pod, field) for field in fields} for pod in record.pods.values()]


_Column = Callable[[Snapshot, RowArray], list[Any]]

_OF_NODES: Mapping[str, _Column] = {
    **{name: _each(value) for name, value in _OF_NODE.items()},
    "node.allocatable": _all_allocatable,
    "node.requested": _requested,
    "node.pods": partial(_pods, tuple(sorted(POD_FIELDS))),
}


def _column(name: str, wanted: frozenset[str] | None) -> _Column:
    if wanted is None:
        return _OF_NODES[name]
    return _certain_keys(_OF_NODES[name], tuple(sorted(wanted)), name)


def _certain_keys(whole: _Column, keys: tuple[str, ...], name: str) -> _Column:
    if name in _AMOUNTS and _PODS not in keys:
        return partial(_AMOUNTS[name], keys)

    def column(snapshot: Snapshot, rows: RowArray) -> list[Any]:
        return [tuple(map(each.get, keys)) for each in whole(snapshot, rows)]

    return column


def _certain_allocatable(keys: tuple[str, ...], snapshot: Snapshot, rows: RowArray) -> list[Any]:
    columns = [[amount or None for amount in _amounts_of(key, snapshot.allocatable, snapshot, rows)] for key in keys]
    return list(zip(*columns, strict=True))


def _certain_requested(keys: tuple[str, ...], snapshot: Snapshot, rows: RowArray) -> list[Any]:
    columns = []
    for key in keys:
        requested = _amounts_of(key, snapshot.requested, snapshot, rows)
        there = _amounts_of(key, snapshot.allocatable, snapshot, rows)
        columns.append([amount if amount or has else None for amount, has in zip(requested, there, strict=True)])
    return list(zip(*columns, strict=True))


def _amounts_of(key: str, column: NDArray[np.int64], snapshot: Snapshot, rows: RowArray) -> list[int]:
    """One resource; 0 where nobody ever had it, without making room for it."""
    names = snapshot.resource_names
    amounts: list[int] = column[names.index(key), rows].tolist() if key in names else [0] * len(rows)
    return amounts


_AMOUNTS: Mapping[str, Callable[[tuple[str, ...], Snapshot, RowArray], list[Any]]] = {
    "node.allocatable": _certain_allocatable,
    "node.requested": _certain_requested,
}
