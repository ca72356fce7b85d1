"""What can be wrong with an expression, with its place."""

from __future__ import annotations

from typing import NamedTuple


class CelProblem(NamedTuple):
    """One thing wrong with an expression."""

    message: str
    # Counted from 1; 0 where it is about the whole.
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.message} (line {self.line}, column {self.column})" if self.line else self.message


class CelCompileError(ValueError):
    """An expression that cannot be used."""

    def __init__(self, *problems: CelProblem) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


class CelEvaluationError(ValueError):
    """An expression that failed for one pod and node."""

    def __init__(self, problem: CelProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class CelBudgetError(CelEvaluationError):
    """It took too many steps; it would for other nodes as well."""


class CelTimeError(CelBudgetError):
    """It took too long over many nodes."""


def problem_at(text: str, place: int, message: str) -> CelProblem:
    return CelProblem(message, *line_and_column(text, place))


def line_and_column(text: str, place: int) -> tuple[int, int]:
    before = text[:place]
    return before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1
