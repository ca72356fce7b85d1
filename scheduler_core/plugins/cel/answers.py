"""An expression's answers for all nodes, kept as long as nothing it reads has changed.

Between two pods that the expression cannot tell apart usually one node has
changed. So answers are kept by what is read of the pod, one for each node, and
only nodes whose object (or, where the expression reads them, whose pods) are
others than before are evaluated again. A question met for the first time is
answered for the nodes asked about; it is kept when it comes again.

An evaluation that fails is an answer, too: it fails the cycle of a pod that
asks about this node, and no other. A question that takes too long (`patience`)
is given up, and not asked again until something about the nodes is new.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from scheduler_core.framework.interface import IntArray, Rows
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.cel.errors import CelBudgetError, CelEvaluationError, CelProblem, CelTimeError
from scheduler_core.plugins.cel.language import CelExpression
from scheduler_core.plugins.cel.patience import Patience
from scheduler_core.plugins.cel.values import (
    OF_THE_NODE_ALONE,
    NodeReader,
    RowArray,
    pod_key,
    pod_values,
    values_of_node,
)
from scheduler_core.snapshot.node_row import NodeRow
from scheduler_core.snapshot.snapshot import Snapshot

MAX_KEPT = 32
# Stands for an evaluation that failed.
FAILED = np.iinfo(np.int64).min


class NodeFailure(CelEvaluationError):
    """The expression failed for a node; the text names it."""

    def __init__(self, node: str, problem: CelProblem) -> None:
        super().__init__(problem)
        self.node = node
        self.args = (f"node {node}: {problem}",)


class _Kept:
    __slots__ = ("answers", "given_up", "node_generation", "nodes", "only_asked", "pod_generation")

    def __init__(self) -> None:
        # By row; None: the question was met once.
        self.answers: IntArray | None = None
        # What they were worked out for, by name of the node, with the answer.
        self.nodes: dict[str, tuple[NodeRow | None, Node | None, int]] = {}
        # Why it was not answered for the nodes of these generations.
        self.given_up: NodeFailure | None = None
        # All nodes take too long.
        self.only_asked = False
        self.node_generation = -1
        self.pod_generation = -1


class Answers:
    """Of one expression over the nodes of a snapshot."""

    def __init__(self, expression: CelExpression) -> None:
        self._expression = expression
        self._reader = NodeReader(expression.keys, expression.pod_fields)
        of_nodes = {name for name in expression.reads if name.startswith("node.")}
        # Whether pods that come or go can change an answer.
        self._reads_pods = not of_nodes <= OF_THE_NODE_ALONE
        self._kept: OrderedDict[bytes, _Kept] = OrderedDict()

    @property
    def depend_on_pods(self) -> bool:
        """Whether pods on nodes can change an answer."""
        return self._reads_pods

    @property
    def are_costly(self) -> bool:
        """Too much so to be worked out for every event: waking a pod in vain is cheaper."""
        return self._expression.is_costly

    def get(self, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        """Shape (len(rows),); read-only. Raises NodeFailure for the first node for which it fails."""
        of_pod = pod_values(pod, self._expression.reads)
        key = pod_key(of_pod)
        kept = self._known(key)
        if kept is None:
            kept = self._kept[key]
            return self._asked_only(kept, of_pod, snapshot, snapshot.all_rows[rows])
        if not self._bring_up_to_date(kept, of_pod, snapshot):
            return self._asked_only(kept, of_pod, snapshot, snapshot.all_rows[rows])
        assert kept.answers is not None
        answers = kept.answers[rows]
        failed = np.flatnonzero(answers == FAILED)
        if len(failed):
            self._asked_only(kept, of_pod, snapshot, snapshot.all_rows[rows][failed[:1]])
        return answers

    def of_node(self, pod: PodInfo, node: Node) -> int:
        """For a node wherever it is. Raises CelEvaluationError; only where answers do not depend on pods."""
        reads = self._expression.reads
        return self._expression.evaluate({**pod_values(pod, reads), **values_of_node(node, reads)})

    def one_by_one(self, pod: PodInfo, snapshot: Snapshot) -> Callable[[int], int]:
        """Answers for the row it is given, worked out anew; it raises CelEvaluationError."""
        asking = _Asking(self._expression, self._reader, pod_values(pod, self._expression.reads))
        return lambda row: asking.answer(self._reader.read(snapshot, snapshot.all_rows[row : row + 1])[0])

    def _known(self, key: bytes) -> _Kept | None:
        """None: the question is met for the first time."""
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        self._kept[key] = _Kept()
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return None

    def _asked_only(self, kept: _Kept, of_pod: Mapping[str, Any], snapshot: Snapshot, rows: RowArray) -> IntArray:
        self._check_given_up(kept, snapshot)
        answers = np.empty(len(rows), dtype=np.int64)
        asking = _Asking(self._expression, self._reader, of_pod)
        for i, read in enumerate(self._reader.read(snapshot, rows)):
            try:
                answers[i] = asking.answer(read)
            except CelEvaluationError as failure:
                told = NodeFailure(snapshot.names[rows[i]], failure.problem)
                if isinstance(failure, CelTimeError):
                    self._give_up(kept, snapshot, told)
                raise told from None
        return answers

    def _give_up(self, kept: _Kept, snapshot: Snapshot, told: NodeFailure) -> None:
        kept.given_up = told
        kept.node_generation, kept.pod_generation = snapshot.node_generation, snapshot.pod_generation

    def _check_given_up(self, kept: _Kept, snapshot: Snapshot) -> None:
        """Raises NodeFailure where the same was asked before, and took too long."""
        if kept.given_up is None:
            return
        same_pods = not self._reads_pods or kept.pod_generation == snapshot.pod_generation
        if same_pods and kept.node_generation == snapshot.node_generation:
            raise NodeFailure(kept.given_up.node, kept.given_up.problem)
        kept.given_up = None

    def _bring_up_to_date(self, kept: _Kept, of_pod: Mapping[str, Any], snapshot: Snapshot) -> bool:
        """False: it takes too many steps for some node, so that nothing is worked out for nodes not asked about."""
        if kept.only_asked:
            return False
        stale = self._stale_rows(kept, snapshot)
        try:
            self._evaluate(kept, of_pod, snapshot, stale)
        except CelBudgetError as failure:
            kept.only_asked = isinstance(failure, CelTimeError)
            kept.answers = None
            kept.nodes.clear()
            return False
        kept.node_generation, kept.pod_generation = snapshot.node_generation, snapshot.pod_generation
        return True

    def _stale_rows(self, kept: _Kept, snapshot: Snapshot) -> RowArray:
        """Rows to evaluate; afterwards `answers` is right in all others."""
        changed = self._rows_with_other_pods(kept, snapshot)
        if changed is None:
            kept.nodes.clear()
        if kept.answers is not None and changed is not None and kept.node_generation == snapshot.node_generation:
            return changed
        answers = np.full(snapshot.n, FAILED, dtype=np.int64)
        # A node that is gone was in a row that is another's now, or nobody's.
        stale = [] if changed is None else changed[changed < snapshot.n].tolist()
        nodes, kept.nodes = kept.nodes, {}
        for row, record in enumerate(snapshot.records):
            known = nodes.get(record.name, _NOBODY)
            if known[0] is record and known[1] is record.node:
                answers[row] = known[2]
                kept.nodes[record.name] = known
            else:
                stale.append(row)
        kept.answers = answers
        return np.unique(np.array(stale, dtype=np.intp))

    def _rows_with_other_pods(self, kept: _Kept, snapshot: Snapshot) -> RowArray | None:
        """None: all of them may have."""
        if not self._reads_pods:
            return np.empty(0, dtype=np.intp)
        return snapshot.changed_rows(kept.pod_generation) if kept.answers is not None else None

    def _evaluate(self, kept: _Kept, of_pod: Mapping[str, Any], snapshot: Snapshot, rows: RowArray) -> None:
        assert kept.answers is not None
        asking, records = _Asking(self._expression, self._reader, of_pod), snapshot.records
        for row, read in zip(rows.tolist(), self._reader.read(snapshot, rows), strict=True):
            answer = asking.answer_or_failed(read)
            record = records[row]
            kept.answers[row] = answer
            kept.nodes[record.name] = (record, record.node, answer)


class _Asking:
    """One pod's question about many nodes; those that the expression cannot tell apart are asked about once."""

    def __init__(self, expression: CelExpression, reader: NodeReader, of_pod: Mapping[str, Any]) -> None:
        self._expression = expression
        self._reader = reader
        self._of_pod = of_pod
        self._known: dict[tuple[Any, ...], int] | None = {} if reader.is_comparable else None
        self._patience = Patience()

    def answer(self, read: tuple[Any, ...]) -> int:
        """Raises CelEvaluationError."""
        known = self._known
        answer = None if known is None else known.get(read)
        if answer is None:
            answer = self._expression.evaluate({**self._of_pod, **self._reader.data(read)})
            self._patience.check()
            if known is not None:
                known[read] = answer
        return answer

    def answer_or_failed(self, read: tuple[Any, ...]) -> int:
        """Raises CelBudgetError only."""
        try:
            return self.answer(read)
        except CelBudgetError:
            raise
        except CelEvaluationError:
            return FAILED


_NOBODY: tuple[None, None, int] = (None, None, FAILED)
