"""The cluster as NumPy columns: what the plugins of a cycle read.

A node has a row, the same one in every column, and rows are kept in
kube-scheduler's order (`zone_order`), so that the nodes a search looks at are a
slice, or two where it wraps around. Several parts hold the columns; a pod that
comes or goes changes one row in each. Nodes that come, go or change zone are
written at once and put in their place by the next `refresh`, all together.

The attributes without methods are views of exactly `n` rows. They are replaced,
not changed in size, when nodes come or go: read them anew in every cycle.
A value kept by a plugin holds while `node_generation` (nodes) or
`pod_generation` (pods too) is the same.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scheduler_core.report import NodeNames
from scheduler_core.snapshot.affinity_terms import AffinityTerms, TermClass, TermKind
from scheduler_core.snapshot.host_ports import HostPortTable
from scheduler_core.snapshot.images import Image, ImageTable
from scheduler_core.snapshot.node_columns import NodeColumns
from scheduler_core.snapshot.node_row import NodeRow, SnapshotPart
from scheduler_core.snapshot.node_view import NodeView
from scheduler_core.snapshot.pod_counts import CountedView, LabelClass, PodCounts
from scheduler_core.snapshot.resource_columns import ResourceColumns
from scheduler_core.snapshot.trial import Trial
from scheduler_core.snapshot.volume_uses import VolumeUses
from scheduler_core.snapshot.zone_order import ZoneOrder

if TYPE_CHECKING:
    from collections.abc import Callable

    from scheduler_core.objects.label_selector import Selector
    from scheduler_core.objects.node import Node
    from scheduler_core.objects.pod_info import PodInfo
    from scheduler_core.objects.taints import Taint

_FIRST_CAPACITY = 64
# Pod changes remembered for those who bring a column up to date row by row.
_LOG_LENGTH = 4096


class Snapshot:
    """Read by plugins; written by the cache, and by preemption within `trial`."""

    # Shape (resources, n), int64.
    allocatable: NDArray[np.int64]
    requested: NDArray[np.int64]
    # allocatable - requested
    free: NDArray[np.int64]
    # Shape (2, n): cpu and memory, with scoring's defaults for containers without a request.
    scoring_requested: NDArray[np.int64]
    # Shape (n,).
    pod_count: NDArray[np.int64]
    allowed_pods: NDArray[np.int64]
    unschedulable: NDArray[np.bool_]
    # Index into `taint_classes`.
    taint_class: NDArray[np.int32]

    def __init__(self) -> None:
        # Number of nodes.
        self.n = 0
        # By row.
        self.names: list[str] = []
        self.records: list[NodeRow] = []
        self.node_generation = 0
        self.pod_generation = 0
        self._by_name: dict[str, NodeRow] = {}
        self._order = ZoneOrder()
        self._out_of_order = False
        self._capacity = 0
        self._resources = ResourceColumns()
        self._node_columns = NodeColumns()
        self._images = ImageTable()
        self._ports = HostPortTable()
        self._pods = PodCounts()
        self._terms = AffinityTerms()
        self._volumes = VolumeUses()
        self._parts: tuple[SnapshotPart, ...] = (
            self._resources,
            self._node_columns,
            self._images,
            self._ports,
            self._pods,
            self._terms,
            self._volumes,
        )
        self._pod_parts = (self._resources, self._ports, self._pods, self._terms, self._volumes)
        # Pods on nodes by priority.
        self._priorities: Counter[int] = Counter()
        # One record for each step of `pod_generation`.
        self._log: deque[NodeRow] = deque(maxlen=_LOG_LENGTH)
        # Shared by every search that wants all rows or any slice of them.
        self.all_rows = np.arange(0, dtype=np.intp)
        self._publish()

    # --- nodes -------------------------------------------------------------

    def add_node(self, node: Node, pods: Iterable[PodInfo] = ()) -> None:
        """A node that is not there yet, with the pods known to be on it."""
        record = NodeRow(node.name, node, len(self.records))
        self._make_room(len(self.records) + 1)
        self.records.append(record)
        self._by_name[node.name] = record
        self._order.place(node.name, node.labels)
        self._resources.node_added(record)
        self._write(record)
        self._out_of_order = True
        for pod in pods:
            self.add_pod(record, pod)

    def update_node(self, node: Node) -> None:
        record = self._by_name[node.name]
        for part in self._parts:
            part.node_cleared(record)
        record.node = node
        self._write(record)
        if self._order.place(node.name, node.labels):
            self._out_of_order = True

    def remove_node(self, name: str) -> None:
        """The node and the pods on it are no longer counted anywhere."""
        record = self._by_name.pop(name)
        for pod in list(record.pods.values()):
            self.remove_pod(record, pod)
        for part in self._parts:
            part.node_cleared(record)
        self._order.remove(name)
        self.node_generation += 1
        self._out_of_order = True

    def _write(self, record: NodeRow) -> None:
        for part in self._parts:
            part.node_set(record)
        self.node_generation += 1
        self._publish_new_resources()

    def refresh(self) -> None:
        """Put the rows in order. Called before a snapshot is read."""
        if not self._out_of_order:
            return
        self.records = [self._by_name[name] for name in self._order.names()]
        old_rows = np.fromiter((record.row for record in self.records), dtype=np.intp, count=len(self.records))
        for part in self._parts:
            part.permute(old_rows)
        for row, record in enumerate(self.records):
            record.row = row
        self.names = [record.name for record in self.records]
        self._out_of_order = False
        self._publish()

    def _make_room(self, rows: int) -> None:
        if rows <= self._capacity:
            return
        self._capacity = max(_FIRST_CAPACITY, 2 * self._capacity, rows)
        for part in self._parts:
            part.resize(self._capacity)

    def _publish(self) -> None:
        """Point the public views at the columns as they are now."""
        n = self.n = len(self.records)
        resources, nodes = self._resources, self._node_columns
        self.allocatable = resources.allocatable[:, :n]
        self.requested = resources.requested[:, :n]
        self.free = resources.free[:, :n]
        self.scoring_requested = resources.scoring_requested[:, :n]
        self.pod_count = resources.pod_count[:n]
        self.allowed_pods = resources.allowed_pods[:n]
        self.unschedulable = nodes.unschedulable[:n]
        self.taint_class = nodes.taint_class[:n]
        if len(self.all_rows) != n:
            self.all_rows = np.arange(n, dtype=np.intp)

    def _publish_new_resources(self) -> None:
        if len(self._resources.names) != len(self.allocatable) and not self._out_of_order:
            self._publish()

    # --- pods --------------------------------------------------------------

    def add_pod(self, record: NodeRow, pod: PodInfo) -> None:
        record.pods[pod.uid] = pod
        self._priorities[pod.priority] += 1
        for part in self._pod_parts:
            part.pod_added(record, pod)
        self._pod_changed(record)

    def remove_pod(self, record: NodeRow, pod: PodInfo) -> None:
        del record.pods[pod.uid]
        self._priorities[pod.priority] -= 1
        for part in self._pod_parts:
            part.pod_removed(record, pod)
        self._pod_changed(record)

    def replace_pod(self, record: NodeRow, old: PodInfo, new: PodInfo) -> None:
        """A newer version of a pod takes its place among the node's pods."""
        record.pods[new.uid] = new
        self._priorities[old.priority] -= 1
        self._priorities[new.priority] += 1
        if old.class_key != new.class_key or old.is_terminating != new.is_terminating:
            for part in self._pod_parts:
                part.pod_removed(record, old)
                part.pod_added(record, new)
        self._pod_changed(record)

    def _pod_changed(self, record: NodeRow) -> None:
        self.pod_generation += 1
        self._log.append(record)
        self._publish_new_resources()

    @contextmanager
    def trial(self) -> Iterator[Trial]:
        """Changes of pods that are taken back at the end, whatever happens."""
        trial = Trial(self)
        try:
            yield trial
        finally:
            trial.undo()

    # --- reading -----------------------------------------------------------

    def row_of(self, name: str) -> int:
        """Raises KeyError where there is no such node."""
        return self._by_name[name].row

    def record_of(self, name: str) -> NodeRow | None:
        return self._by_name.get(name)

    def names_of(self, rows: slice | NDArray[np.intp]) -> NodeNames:
        return NodeNames(self.names, self.all_rows[rows])

    def has_node(self, name: str) -> bool:
        return name in self._by_name

    def node_at(self, row: int) -> Node:
        return self.records[row].node

    def pods_on(self, row: int) -> list[PodInfo]:
        """In the order they came."""
        return list(self.records[row].pods.values())

    def has_pods_below(self, priority: int) -> bool:
        """Whether any pod on any node has a lower priority."""
        return any(count and each < priority for each, count in self._priorities.items())

    def views(self, rows: slice | NDArray[np.intp]) -> list[NodeView]:
        """The nodes one by one, for plugins written that way."""
        chosen = self.records[rows] if isinstance(rows, slice) else [self.records[row] for row in rows]
        return [NodeView(self, record) for record in chosen]

    @property
    def resource_names(self) -> Sequence[str]:
        return self._resources.names

    def resource_index(self, name: str) -> int:
        """The row of a resource in the resource columns."""
        index = self._resources.index.get(name)
        if index is None:
            index = self._resources.resource_index(name)
            self._publish_new_resources()
        return index

    def request_vector(self, pod: PodInfo) -> NDArray[np.int64]:
        """The pod's requests, one number a resource; do not write to it."""
        vector = self._resources.vector(pod)
        self._publish_new_resources()
        return vector

    @property
    def taint_classes(self) -> Sequence[tuple[Taint, ...]]:
        """Grows only: a class may have no node any more."""
        return self._node_columns.taint_classes

    def label_codes(self, key: str) -> NDArray[np.int32]:
        """Shape (n,): index into `label_values(key)`, -1 where the node lacks the label."""
        return self._node_columns.label_column(key, self.records).codes[: self.n]

    def label_values(self, key: str) -> Sequence[str]:
        """Distinct values of a label. Grows only: a value may have no node any more."""
        return self._node_columns.label_column(key, self.records).values

    def label_code(self, key: str, value: str) -> int:
        """The code of one value, -1 where no node has ever had it."""
        return self._node_columns.label_column(key, self.records).code_of(value)

    def image(self, name: str) -> Image | None:
        """None: on no node."""
        return self._images.by_name.get(name)

    def port_users(self, protocol: str, port: int) -> Iterator[tuple[str, NDArray[np.intp]]]:
        """Each address on which the host port is taken, with the rows where it is."""
        return self._ports.users(protocol, port)

    def claim_users(self, namespace: str, claim: str) -> int:
        """How often pods on nodes use a PersistentVolumeClaim."""
        return self._volumes.claim_users(namespace, claim)

    def rows_with_volumes(self) -> NDArray[np.intp]:
        """Rows of the nodes that have pods with volumes which matter for scheduling."""
        return self._volumes.rows()

    def pods_with_volumes(self, row: int) -> Collection[PodInfo]:
        return self._volumes.pods_on(self.records[row])

    def matching_pods(
        self, namespaces: frozenset[str] | None, selector: Selector, *, include_terminating: bool = True
    ) -> NDArray[np.int32]:
        """Shape (n,): pods per node that `selector` matches in `namespaces` (None: all). Do not write to it."""

        def matches(pods: LabelClass) -> bool:
            in_namespace = namespaces is None or pods.namespace in namespaces
            return in_namespace and (include_terminating or not pods.terminating) and selector.matches(pods.labels)

        return self.counted_pods((namespaces, selector, include_terminating), matches)

    def counted_pods(self, key: Hashable, matches: Callable[[LabelClass], bool]) -> NDArray[np.int32]:
        """Shape (n,): pods per node whose label class `matches`. Equal keys must mean equal `matches`."""
        return self._pods.view(key, matches).counts[: self.n]

    def counted_view(self, key: Hashable, matches: Callable[[LabelClass], bool]) -> CountedView:
        """The same with its total; `counts` has spare rows at its end."""
        return self._pods.view(key, matches)

    def affinity_terms(self, kind: TermKind) -> Collection[TermClass]:
        """The classes of such terms among the pods that are on nodes."""
        return self._terms.classes[kind].values()

    @property
    def has_affinity_terms(self) -> bool:
        """Whether any pod on a node has a term of any kind."""
        return any(self._terms.classes.values())

    @property
    def affinity_term_generation(self) -> int:
        """Rises when a class of terms appears or goes."""
        return self._terms.generation

    def term_pods(self, term_class: TermClass) -> NDArray[np.int32]:
        """Shape (n,): pods per node that have the term. Do not write to it."""
        return term_class.column(self._capacity)[: self.n]

    def recently_changed(self, changes: int) -> list[int]:
        """Rows of the last few pod changes; a row may come twice."""
        log = self._log
        return [log[-i].row for i in range(1, changes + 1)]

    def changed_rows(self, since: int) -> NDArray[np.intp] | None:
        """Rows whose pods changed after `pod_generation` was `since`; None where nobody remembers that far."""
        changes = self.pod_generation - since
        if changes > len(self._log):
            return None
        recent = islice(reversed(self._log), changes)
        return np.unique(np.fromiter((record.row for record in recent), dtype=np.intp, count=changes))
