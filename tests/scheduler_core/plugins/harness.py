"""One plugin on a cluster of its own, without queue or scheduler."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from scheduler_core.cache.lister import ObjectStore
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import Plugin, PreFilterResult
from scheduler_core.framework.status import SUCCESS, Status
from scheduler_core.objects.decode import decode
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.testing import NodeBuilder, PodBuilder

Manifest = Mapping[str, Any]


class Bench:
    """Snapshot, objects and the handle that lends them."""

    def __init__(self, *objects: NodeBuilder | PodBuilder | Manifest, gates: Mapping[str, bool] | None = None) -> None:
        self.snapshot = Snapshot()
        self.lister = ObjectStore()
        self.feature_gates: Mapping[str, bool] = gates or {}
        self.add(*objects)

    def now(self) -> float:
        return 0.0

    def add(self, *objects: NodeBuilder | PodBuilder | Manifest) -> None:
        decoded = [decode(each.build() if isinstance(each, NodeBuilder | PodBuilder) else each) for each in objects]
        for node in decoded:
            if isinstance(node, Node):
                self.snapshot.add_node(node)
        self.snapshot.refresh()
        for each in decoded:
            if isinstance(each, Pod):
                self.snapshot.add_pod(self.record(each.spec.node_name), PodInfo(each))
            elif not isinstance(each, Node):
                self.lister.put(each)

    def record(self, node: str) -> Any:
        record = self.snapshot.record_of(node)
        assert record is not None, f"there is no node {node}"
        return record

    def plugin(self, name: str, **args: Any) -> Plugin:
        entry = DEFAULT_REGISTRY[name]
        return entry.plugin(entry.args(**args), self)  # type: ignore[arg-type]

    @property
    def every_row(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        return self.snapshot.all_rows

    def pre_filter(self, plugin: Any, pod: PodInfo, state: CycleState) -> PreFilterResult:
        if not hasattr(plugin, "pre_filter"):
            return PreFilterResult()
        result: PreFilterResult = plugin.pre_filter(state, pod, self.snapshot)
        return result

    def filter(self, plugin: Any, pod: PodInfo, state: CycleState | None = None) -> dict[str, Status]:
        """Node -> Status. A rejection by PreFilter is every node's."""
        if state is None:
            state = CycleState()
            status = self.pre_filter(plugin, pod, state).status
            if status.is_skip:
                return dict.fromkeys(self.snapshot.names, SUCCESS)
            if not status.is_success:
                return dict.fromkeys(self.snapshot.names, status)
        codes, statuses = plugin.filter(state, pod, self.snapshot, self.every_row)
        if codes is None:
            return dict.fromkeys(self.snapshot.names, SUCCESS)
        answers = [SUCCESS, *statuses]
        return {name: answers[code] for name, code in zip(self.snapshot.names, codes, strict=True)}

    def score(self, plugin: Any, pod: PodInfo, nodes: Iterable[str] | None = None) -> dict[str, int] | None:
        """Node -> normalised score among `nodes` (all of them by default). None: PreScore said Skip."""
        state = CycleState()
        self.pre_filter(plugin, pod, state)
        names = list(self.snapshot.names if nodes is None else nodes)
        rows = np.array([self.snapshot.row_of(name) for name in names], dtype=np.int32)
        if hasattr(plugin, "pre_score"):
            status = plugin.pre_score(state, pod, self.snapshot, rows)
            if status.is_skip:
                return None
            assert status.is_success, status
        scores = plugin.score(state, pod, self.snapshot, rows)
        if hasattr(plugin, "normalize"):
            scores = plugin.normalize(state, pod, scores)
        return dict(zip(names, map(int, scores), strict=True))


class FakeApi:
    """The objects a binding cycle reads and patches, as manifests."""

    def __init__(self, *manifests: dict[str, Any]) -> None:
        self.objects: dict[tuple[str, str | None, str], dict[str, Any]] = {}
        for each in manifests:
            metadata = each["metadata"]
            self.objects[each["kind"], metadata.get("namespace"), metadata["name"]] = each
        self.bound: list[tuple[str, str, str, str]] = []

    def bind(self, namespace: str, name: str, uid: str, node_name: str) -> Status:
        self.bound.append((namespace, name, uid, node_name))
        return SUCCESS

    def get(self, kind: str, namespace: str | None, name: str) -> dict[str, Any] | None:
        return self.objects.get((kind, namespace, name))

    def patch(self, kind: str, namespace: str | None, name: str, patch: Mapping[str, Any]) -> Status:
        _merge(self.objects[kind, namespace, name], patch)
        return SUCCESS


def _merge(target: dict[str, Any], patch: Mapping[str, Any]) -> None:
    for key, value in patch.items():
        if isinstance(value, Mapping) and isinstance(target.get(key), dict):
            _merge(target[key], value)
        else:
            target[key] = value
