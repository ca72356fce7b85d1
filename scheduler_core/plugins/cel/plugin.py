"""Plugins written as CEL expressions, by people who use the playground.

A definition becomes a class of its own, which a profile names like any other
plugin: it has a Filter if there is a filter expression, a Score if there is a
score expression. That a field is missing on some node is an error of the pod's
cycle, as with the selectors of devices: an expression that works on most nodes
only is a mistake people want to hear of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec
import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    EventRegistration,
    FilterReads,
    Handle,
    HintAnswer,
    IntArray,
    Plugin,
    Rows,
    Verdicts,
)
from scheduler_core.framework.registry import RegistryEntry
from scheduler_core.framework.status import Status, unresolvable, unschedulable
from scheduler_core.framework.verdicts import reject_where
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import NoArgs
from scheduler_core.plugins.cel.answers import Answers
from scheduler_core.plugins.cel.errors import CelCompileError, CelEvaluationError, CelProblem
from scheduler_core.plugins.cel.language import Purpose, cel_expression
from scheduler_core.snapshot.snapshot import Snapshot

MAX_NAME_LENGTH = 63
MAX_MESSAGE_LENGTH = 256

_NAME = re.compile(r"[A-Za-z](?:[-A-Za-z0-9]*[A-Za-z0-9])?", re.ASCII)
# Of a node, and the events that change it.
_NODE_EVENTS = {
    "node.labels": "UpdateNodeLabel",
    "node.annotations": "UpdateNodeAnnotation",
    "node.taints": "UpdateNodeTaint",
    "node.unschedulable": "UpdateNodeTaint",
    "node.allocatable": "UpdateNodeAllocatable",
    "node.requested": "UpdateNodeAllocatable",
}
# Of a pod, and can be changed while it waits.
_CHANGING = frozenset({"pod.labels", "pod.annotations", "pod.spec"})


class CelPluginDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """A plugin as it is written and stored."""

    # As profiles name it.
    name: str
    # Says of pod and node whether they go together; "": the plugin rejects nothing.
    filter: str = ""
    # 0..100, halves rounded up; "": the plugin scores nothing.
    score: str = ""
    # Why a node is rejected, as people will read it; "": in words of ours.
    message: str = ""

    @property
    def rejection(self) -> str:
        return self.message or f"node(s) didn't match CEL filter of {self.name}"


class DefinitionProblem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing wrong with a definition."""

    # Of the definition.
    field: str
    message: str
    # In the expression, counted from 1; 0: about the whole field.
    line: int = 0
    column: int = 0


def definition_problems(definition: CelPluginDefinition) -> list[DefinitionProblem]:
    """Everything that speaks against it."""
    problems = []
    if len(definition.name) > MAX_NAME_LENGTH or not _NAME.fullmatch(definition.name):
        text = f"must be letters, digits and dashes, begin with a letter, and have at most {MAX_NAME_LENGTH} characters"
        problems.append(DefinitionProblem(field="name", message=text))
    if len(definition.message) > MAX_MESSAGE_LENGTH or "\n" in definition.message:
        text = f"must be one line of at most {MAX_MESSAGE_LENGTH} characters"
        problems.append(DefinitionProblem(field="message", message=text))
    if not definition.filter.strip() and not definition.score.strip():
        problems.append(
            DefinitionProblem(field="filter", message="give a filter expression, a score expression or both")
        )
    for purpose, text in _expressions(definition):
        problems += [_problem(purpose, each) for each in compile_problems(text, purpose)]
    return problems


def compile_problems(text: str, purpose: Purpose) -> Sequence[CelProblem]:
    """What the compiler has against an expression."""
    try:
        cel_expression(text, purpose)
    except CelCompileError as failure:
        return failure.problems
    return ()


def _expressions(definition: CelPluginDefinition) -> list[tuple[Purpose, str]]:
    written = ((Purpose.FILTER, definition.filter), (Purpose.SCORE, definition.score))
    return [(purpose, text) for purpose, text in written if text.strip()]


def _problem(purpose: Purpose, problem: CelProblem) -> DefinitionProblem:
    return DefinitionProblem(field=purpose.value, message=problem.message, line=problem.line, column=problem.column)


def cel_plugin_entry(definition: CelPluginDefinition) -> RegistryEntry:
    """The definition as a plugin that profiles may name. Raises CelCompileError."""
    expressions = dict(_expressions(definition))
    parts = [_PARTS[purpose] for purpose in expressions]
    attributes: dict[str, Any] = {
        "__doc__": definition.filter or definition.score,
        "name": definition.name,
        "definition": definition,
    }
    if Purpose.FILTER not in expressions or not Answers(_compiled(definition, Purpose.FILTER)).depend_on_pods:
        attributes["filter_reads"] = FilterReads.NODE
    for purpose in expressions:
        _compiled(definition, purpose)
    return RegistryEntry(type(definition.name, (*parts, CelPlugin), attributes), NoArgs)


def _compiled(definition: CelPluginDefinition, purpose: Purpose) -> Any:
    return cel_expression(definition.filter if purpose is Purpose.FILTER else definition.score, purpose)


class CelPlugin(Plugin):
    """What all of them have; `cel_plugin_entry` makes a class for each definition."""

    definition: ClassVar[CelPluginDefinition]

    def __init__(self, args: object, handle: Handle) -> None:
        super().__init__(args, handle)
        self._answers = {
            purpose: Answers(_compiled(self.definition, purpose)) for purpose, _ in _expressions(self.definition)
        }

    def _ask(self, purpose: Purpose, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        try:
            return self._answers[purpose].get(pod, snapshot, rows)
        except CelEvaluationError as failure:
            raise CelPluginFailure(f"{purpose.value} expression of {self.name}: {failure}") from failure


class CelPluginFailure(ValueError):
    """An expression failed; the text says which, for which node and where."""


class _CelFilter(CelPlugin):
    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        fits = self._ask(Purpose.FILTER, pod, snapshot, rows)
        return reject_where(fits == 0, self._rejection)

    @property
    def _rejection(self) -> Status:
        # No pod that goes makes a difference to what is written on a node.
        text = self.definition.rejection
        return unschedulable(text) if self._answers[Purpose.FILTER].depend_on_pods else unresolvable(text)

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        return (f"make the filter of {self.name} true for this node: {self.definition.filter}",)

    def events_to_register(self) -> Sequence[EventRegistration]:
        """Whatever changes something that the expression reads."""
        reads = _compiled(self.definition, Purpose.FILTER).reads
        of_node = {"Add", *(_NODE_EVENTS[name] for name in reads if name in _NODE_EVENTS)}
        answers = self._answers[Purpose.FILTER]
        hint = None if answers.depend_on_pods or answers.are_costly else self._node_changed
        events = [on("Node", *of_node, hint=hint)]
        if answers.depend_on_pods:
            # A pod that comes can help as well: an expression may ask for company.
            events.append(on("Pod", "Add", "Delete", "UpdatePodLabel", "UpdatePodScaleDown"))
        elif reads & _CHANGING:
            events.append(on("Pod", "Update", hint=self._pod_changed))
        return events

    def _node_changed(self, pod: PodInfo, old: Node | None, new: Node | None) -> HintAnswer:
        # One that fails is to be told in a cycle.
        if new is None or not self._takes(pod, new, if_it_fails=True):
            return skip("the CEL filter still rejects the node")
        if old is not None and self._takes(pod, old, if_it_fails=False):
            return skip("the CEL filter let the node pass before, too")
        return queue("the CEL filter lets the node pass")

    def _takes(self, pod: PodInfo, node: Node, *, if_it_fails: bool) -> bool:
        try:
            return bool(self._answers[Purpose.FILTER].of_node(pod, node))
        except CelEvaluationError:
            return if_it_fails

    def _pod_changed(self, pod: PodInfo, old: Pod | None, new: Pod | None) -> HintAnswer:
        if new is None or PodInfo(new).uid != pod.uid:
            return skip("another pod changed")
        return queue("the pod changed, and the CEL filter reads it")


class _CelScore(CelPlugin):
    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        scores = self._ask(Purpose.SCORE, pod, snapshot, rows)
        # A view of what is kept would change with it.
        return scores if scores.base is None else np.array(scores)


_PARTS: dict[Purpose, type[CelPlugin]] = {Purpose.FILTER: _CelFilter, Purpose.SCORE: _CelScore}
