"""What a definition would say about every node, for people who are still writing it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.cel.answers import Answers
from scheduler_core.plugins.cel.errors import CelBudgetError, CelEvaluationError
from scheduler_core.plugins.cel.language import Purpose, cel_expression
from scheduler_core.plugins.cel.plugin import CelPluginDefinition
from scheduler_core.snapshot.snapshot import Snapshot

MAX_SCORE = 100


class CelFailure(msgspec.Struct, frozen=True, kw_only=True):
    """An expression that fails for a node."""

    # filter or score.
    field: str
    message: str
    # In the expression, counted from 1; 0: nobody knows.
    line: int = 0
    column: int = 0


class CelNodePreview(msgspec.Struct, frozen=True, kw_only=True):
    """One node's answer."""

    node: str
    # Whether the filter lets the node pass; None: there is no filter, or it fails.
    fits: bool | None = None
    # None: there is no score, or it fails.
    score: int | None = None
    failures: list[CelFailure] = []


def preview(definition: CelPluginDefinition, pod: PodInfo, snapshot: Snapshot) -> list[CelNodePreview]:
    """In the order of the snapshot; an expression that takes too many steps is not asked again.

    Raises CelCompileError.
    """
    asked = {
        purpose: _Asked(Answers(cel_expression(text, purpose)).one_by_one(pod, snapshot), purpose)
        for purpose, text in ((Purpose.FILTER, definition.filter), (Purpose.SCORE, definition.score))
        if text.strip()
    }
    return [_of_node(name, row, asked) for row, name in enumerate(snapshot.names)]


class _Asked:
    """One expression, node after node."""

    def __init__(self, ask: Callable[[int], int], purpose: Purpose) -> None:
        self._ask = ask
        self._purpose = purpose
        self._given_up: CelFailure | None = None

    def answer(self, row: int) -> int | CelFailure:
        if self._given_up is not None:
            return self._given_up
        try:
            answer = int(self._ask(row))
        except CelEvaluationError as failure:
            failed = self._failure(failure)
            if isinstance(failure, CelBudgetError):
                self._given_up = failed
            return failed
        if self._purpose is Purpose.SCORE and not 0 <= answer <= MAX_SCORE:
            message = f"the score is {answer}, it should be in the range of [0, {MAX_SCORE}]"
            return CelFailure(field=self._purpose.value, message=message)
        return answer

    def _failure(self, failure: CelEvaluationError) -> CelFailure:
        problem = failure.problem
        return CelFailure(field=self._purpose.value, message=problem.message, line=problem.line, column=problem.column)


def _of_node(name: str, row: int, asked: dict[Purpose, _Asked]) -> CelNodePreview:
    answers = {purpose: each.answer(row) for purpose, each in asked.items()}
    fits, score = answers.get(Purpose.FILTER), answers.get(Purpose.SCORE)
    return CelNodePreview(
        node=name,
        fits=bool(fits) if isinstance(fits, int) else None,
        score=score if isinstance(score, int) else None,
        failures=[each for each in answers.values() if isinstance(each, CelFailure)],
    )
