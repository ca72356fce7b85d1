"""An expression of a plugin: compiled once, evaluated for many pods and nodes.

Everything readable is a declared variable with a dotted name (`variables`), so
that the compiler knows its type: a field that does not exist and a comparison of
a text with a number are errors before any pod is scheduled, with line and column
(`errors`). Only what it reads (`reads`) is handed to it.

What it may cost is bounded by its text (`shape`) and by the library, which stops
an evaluation after 10,000 steps of comprehensions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any

from cel_expr_python import cel  # type: ignore[import-untyped]
from cel_expr_python.ext import ext_math, ext_optional  # type: ignore[import-untyped]

from scheduler_core.plugins.cel.errors import (
    CelBudgetError,
    CelCompileError,
    CelEvaluationError,
    CelProblem,
    line_and_column,
)
from scheduler_core.plugins.cel.reads import keys_read, pod_fields, variables_read
from scheduler_core.plugins.cel.shape import MACRO, check_joins, checked_shape, may_take_long
from scheduler_core.plugins.cel.variables import VARIABLES

_TYPE = cel.Type
_COMPILER_ERROR = re.compile(r"ERROR: <input>:(-?\d+):(-?\d+): (.*?)(?: \(in container ''\))?$", re.MULTILINE)
_MISSING_KEY = re.compile(r'Key not found in map : "(.*)"')
_BUDGET = "Iteration budget exceeded"


class Purpose(StrEnum):
    """What an expression is for, which says what it must come to."""

    FILTER = "filter"
    SCORE = "score"

    @property
    def wanted(self) -> str:
        return "true or false" if self is Purpose.FILTER else "a number from 0 to 100"


class CelExpression:
    """One compiled expression."""

    def __init__(self, text: str, purpose: Purpose) -> None:
        self.text = text
        self.purpose = purpose
        without_texts = checked_shape(text)
        self._program = _compiled(text)
        _check_type(self._program.return_type(), purpose)
        check_joins(self._program.serialize(), [found[1] for found in MACRO.finditer(without_texts)])
        # The variables it needs; of a map the keys, where it asks for nothing but certain keys, or None: all of it.
        self.keys: Mapping[str, frozenset[str] | None] = {
            name: keys_read(name, text, without_texts) for name in sorted(set(variables_read(without_texts)))
        }
        self.reads = frozenset(self.keys)
        # Whether one evaluation may take milliseconds.
        self.is_costly = may_take_long(without_texts)
        # The fields it needs of each of `node.pods`.
        self.pod_fields = pod_fields(without_texts)

    def __repr__(self) -> str:
        return f"CelExpression({self.text!r})"

    def evaluate(self, data: Mapping[str, Any]) -> int:
        """1 or 0 for a filter, the number for a score. `data` has what the expression reads.

        Raises CelEvaluationError.
        """
        try:
            answer = self._program.eval(data=data)
        except RuntimeError as failure:
            raise self._stopped(str(failure)) from None
        if answer.type() == _TYPE.ERROR:
            raise CelEvaluationError(self._runtime_problem(str(answer.value())))
        return self._number(answer.value())

    def _number(self, value: Any) -> int:
        if self.purpose is Purpose.FILTER:
            if isinstance(value, bool):
                return int(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            return value
        elif isinstance(value, float) and math.isfinite(value) and abs(value) < 2**53:
            # Halves up, as people round.
            return math.floor(value + 0.5)
        raise CelEvaluationError(CelProblem(f"the expression came to {value!r:.80}, expected {self.purpose.wanted}"))

    def _stopped(self, text: str) -> CelEvaluationError:
        if _BUDGET in text:
            return CelBudgetError(CelProblem("the expression takes more than 10,000 steps; look at fewer things"))
        return CelEvaluationError(CelProblem(_without_code(text)))

    def _runtime_problem(self, text: str) -> CelProblem:
        missing = _MISSING_KEY.search(text)
        if missing is None:
            return CelProblem(_without_code(text))
        key = missing[1]
        hint = "ask for it with `in`, has() or [?...].orValue(...) first"
        return CelProblem(f'there is no key "{key}"; {hint}', *_place_of_key(self.text, key))


@lru_cache(maxsize=256)
def cel_expression(text: str, purpose: Purpose) -> CelExpression:
    """The compiled expression. Raises CelCompileError."""
    return CelExpression(text, purpose)


def _compiled(text: str) -> Any:
    try:
        return _environment().compile(text)
    except RuntimeError as failure:
        raise CelCompileError(*_compiler_problems(str(failure))) from None


def _compiler_problems(text: str) -> list[CelProblem]:
    # The place is -1 where there is none.
    found = [
        CelProblem(_said(message), max(0, int(line)), max(0, int(column))) for line, column, message in _found(text)
    ]
    return list(dict.fromkeys(found)) or [CelProblem(_without_code(text))]


def _found(text: str) -> list[tuple[str, str, str]]:
    return _COMPILER_ERROR.findall(text)


def _said(message: str) -> str:
    unknown = re.fullmatch(r"undeclared reference to '(pod|node)(\..*)?'", message)
    if unknown:
        known = ", ".join(name for name in VARIABLES if name.startswith(f"{unknown[1]}."))
        return f"{message}; known are {known}"
    return message


def _check_type(returned: Any, purpose: Purpose) -> None:
    good = (_TYPE.BOOL,) if purpose is Purpose.FILTER else (_TYPE.INT, _TYPE.DOUBLE, _TYPE.UINT)
    if returned not in (*good, _TYPE.DYN):
        message = f"the expression comes to a value of type {returned.name().lower()}, expected {purpose.wanted}"
        raise CelCompileError(CelProblem(message, 1, 1))


def _place_of_key(text: str, key: str) -> tuple[int, int]:
    """Line and column where the key is written, if it is in one place only."""
    written = re.compile(rf"(?<=[\"'.]){re.escape(key)}(?![\w.\-/])")
    places = [found.start() for found in written.finditer(text)]
    if len(places) != 1:
        return (0, 0)
    return line_and_column(text, places[0])


def _without_code(text: str) -> str:
    """The library's message without its status codes."""
    return re.sub(r"^[A-Z_]+: | \[[A-Z_]+\]$", "", text)


@lru_cache(maxsize=1)
def _environment() -> Any:
    return cel.NewEnv(variables=VARIABLES, extensions=[ext_optional.ExtOptional(), ext_math.ExtMath()])
