"""Small plugins for tests of the framework."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import (
    BindingApi,
    ExtensionPoint,
    PermitResult,
    PerNodePlugin,
    Plugin,
    PreFilterResult,
)
from scheduler_core.framework.registry import Registry, RegistryEntry
from scheduler_core.framework.runtime import Framework
from scheduler_core.framework.status import SUCCESS, Status, unschedulable
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import NoArgs
from scheduler_core.snapshot.node_view import NodeView
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.testing import NodeBuilder

P = TypeVar("P", bound=Plugin)


def snapshot_of(*nodes: NodeBuilder) -> Snapshot:
    snapshot = Snapshot()
    for node in nodes:
        snapshot.add_node(node.node())
    snapshot.refresh()
    return snapshot


class RejectNames(PerNodePlugin):
    """Rejects nodes by name; a name of `broken` raises."""

    name = "RejectNames"
    rejected: Mapping[str, Status] = {}
    broken: Sequence[str] = ()

    def filter_node(self, pod: PodInfo, node: NodeView) -> Status:
        if node.name in self.broken:
            raise LookupError(f"cannot read {node.name}")
        return self.rejected.get(node.name, SUCCESS)


class ScoreNames(PerNodePlugin):
    name = "ScoreNames"
    scores: Mapping[str, int] = {}

    def score_node(self, pod: PodInfo, node: NodeView) -> int:
        return self.scores.get(node.name, 0)


class PreFilterWith(Plugin):
    name = "PreFilterWith"
    result: PreFilterResult | Exception = PreFilterResult()

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


class Holding(Plugin):
    """Reserves and permits as told, and writes down what it was asked."""

    name = "Holding"
    reserve_status: Status = SUCCESS
    permit_result: PermitResult = PermitResult(SUCCESS)

    def __init__(self, args: Any, handle: Any) -> None:
        super().__init__(args, handle)
        self.calls: list[str] = []

    def reserve(self, state: CycleState, pod: PodInfo, node_name: str) -> Status:
        self.calls.append("reserve")
        return self.reserve_status

    def unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        self.calls.append("unreserve")

    def permit(self, state: CycleState, pod: PodInfo, node_name: str) -> PermitResult:
        self.calls.append("permit")
        return self.permit_result


class BindingSteps(Plugin):
    """A Bind plugin that answers as told, beside PreBind and PostBind."""

    name = "BindingSteps"
    answers: Mapping[str, Status] = {}

    def _answer(self, point: str) -> Status:
        return self.answers.get(point, SUCCESS)

    def pre_bind(self, state: CycleState, pod: PodInfo, node_name: str, api: BindingApi) -> Status:
        return self._answer("preBind")

    def bind(self, state: CycleState, pod: PodInfo, node_name: str, api: BindingApi) -> Status:
        return self._answer("bind")

    def post_bind(self, state: CycleState, pod: PodInfo, node_name: str, api: BindingApi) -> None:
        self._answer("postBind")


def made(plugin: type[P], name: str = "", **attributes: Any) -> P:
    """An instance of a subclass with these attributes."""
    subclass = type(name or plugin.name, (plugin,), {"name": name or plugin.name, **attributes})
    instance: P = subclass(None, None)
    return instance


def framework_of(plugins: Mapping[ExtensionPoint, Sequence[Plugin]], **weights: int) -> Framework:
    scoring = plugins.get(ExtensionPoint.SCORE, ())
    return Framework("default-scheduler", plugins, {plugin.name: weights.get(plugin.name, 1) for plugin in scoring})


def with_plugin(registry: Registry, plugin: type[Plugin]) -> Registry:
    return {**registry, plugin.name: RegistryEntry(plugin, NoArgs)}


def rejecting(*names: str, reason: str = "not here") -> RejectNames:
    return made(RejectNames, rejected=dict.fromkeys(names, unschedulable(reason)))


def times(count: int, make: Callable[[int], NodeBuilder]) -> list[NodeBuilder]:
    return [make(i) for i in range(count)]
