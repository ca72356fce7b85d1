"""How many pods of which sort are on each node, kept up to date pod by pod.

Pods with the same namespace and labels form a *label class*: a selector is
evaluated once per class. A class counts its pods per node sparsely. Whoever
needs the pods matching a selector asks for a *counted view*: a column of
numbers that is built once from the classes it matches, and from then on follows
every pod that comes or goes. Views that nobody asked for lately are dropped.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scheduler_core.snapshot.node_row import NodeRow, permuted, resized

if TYPE_CHECKING:
    from scheduler_core.objects.pod_info import PodInfo

# Views kept at once; each is 4 bytes a node.
MAX_VIEWS = 512


class LabelClass:
    """Pods alike in namespace, labels and whether they are being deleted."""

    __slots__ = ("labels", "namespace", "per_node", "terminating", "views")

    def __init__(self, namespace: str, labels: Mapping[str, str], terminating: bool) -> None:
        self.namespace = namespace
        self.labels = labels
        self.terminating = terminating
        self.per_node: dict[NodeRow, int] = {}
        # The views that count this class.
        self.views: list[CountedView] = []


class CountedView:
    """Pods per node of every class that `matches`."""

    __slots__ = ("counts", "matches", "total")

    def __init__(self, matches: Callable[[LabelClass], bool], capacity: int) -> None:
        self.matches = matches
        # Shape (capacity,).
        self.counts = np.zeros(capacity, dtype=np.int32)
        # Over all nodes.
        self.total = 0

    def absorb(self, label_class: LabelClass) -> None:
        """Count the class from now on."""
        for node, count in label_class.per_node.items():
            self.counts[node.row] += count
            self.total += count
        label_class.views.append(self)


class PodCounts:
    """Label classes and the views on them."""

    def __init__(self) -> None:
        self._capacity = 0
        self._classes: dict[Hashable, LabelClass] = {}
        self._views: OrderedDict[Hashable, CountedView] = OrderedDict()

    def view(self, key: Hashable, matches: Callable[[LabelClass], bool]) -> CountedView:
        """The view known as `key`; equal keys must mean equal `matches`."""
        view = self._views.get(key)
        if view is None:
            view = self._build(matches)
            self._views[key] = view
            self._trim()
        else:
            self._views.move_to_end(key)
        return view

    def _build(self, matches: Callable[[LabelClass], bool]) -> CountedView:
        view = CountedView(matches, self._capacity)
        for label_class in self._classes.values():
            if matches(label_class):
                view.absorb(label_class)
        return view

    def _trim(self) -> None:
        while len(self._views) > MAX_VIEWS:
            _, dropped = self._views.popitem(last=False)
            for label_class in self._classes.values():
                if dropped in label_class.views:
                    label_class.views.remove(dropped)

    def _class_of(self, pod: PodInfo) -> LabelClass:
        key = (pod.label_key, pod.is_terminating)
        label_class = self._classes.get(key)
        if label_class is None:
            label_class = LabelClass(pod.namespace, pod.labels, pod.is_terminating)
            self._classes[key] = label_class
            for view in self._views.values():
                if view.matches(label_class):
                    view.absorb(label_class)
        return label_class

    def pod_added(self, record: NodeRow, pod: PodInfo) -> None:
        label_class = self._class_of(pod)
        per_node = label_class.per_node
        per_node[record] = per_node.get(record, 0) + 1
        for view in label_class.views:
            view.counts[record.row] += 1
            view.total += 1

    def pod_removed(self, record: NodeRow, pod: PodInfo) -> None:
        label_class = self._class_of(pod)
        per_node = label_class.per_node
        per_node[record] -= 1
        if not per_node[record]:
            del per_node[record]
        for view in label_class.views:
            view.counts[record.row] -= 1
            view.total -= 1
        if not per_node:
            del self._classes[pod.label_key, pod.is_terminating]

    def resize(self, capacity: int) -> None:
        self._capacity = capacity
        for view in self._views.values():
            view.counts = resized(view.counts, capacity)

    def permute(self, old_rows: NDArray[np.intp]) -> None:
        for view in self._views.values():
            view.counts = permuted(view.counts, old_rows)

    def node_set(self, record: NodeRow) -> None:
        """Only pods are counted."""

    def node_cleared(self, record: NodeRow) -> None:
        """Only pods are counted."""
