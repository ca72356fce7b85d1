"""CEL for policies and match conditions: compiled once, bounded, errors with their place.

What an expression can cost is bounded three ways: its length, the iterations of
its macros (CEL's own budget), and how much text or lists can grow and patterns cost
(`scheduler_core.framework.cel_bounds`). There is no `cel.bind`: policies have
variables.

Variables are untyped, as the objects of all kinds pass here: a misspelled field
shows when an object is looked at, a wrong operator where the policy is created.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from cel_expr_python import cel  # type: ignore[import-untyped]
from cel_expr_python.ext import ext_optional  # type: ignore[import-untyped]

from playground.clusters.admission.mutation.literals import Rewritten, rewritten
from scheduler_core.framework.cel_bounds import TooCostly, check_cost
from scheduler_core.framework.cel_texts import MAX_TEXT, text_functions

MAX_LENGTH = 10 * 1024
# Of a result: values within it, and levels.
MAX_VALUES, MAX_DEPTH = 20_000, 64

VARIABLES = ("object", "oldObject", "request", "params", "namespaceObject", "variables")

_PLACE = re.compile(r"ERROR: <input>:(\d+):(\d+): (.*)")
# What the library raises for a value it cannot take in or hand out, and for a spent budget.
_EVALUATION_FAILURES = (RuntimeError, TypeError, ValueError, OverflowError, MemoryError)


class ExpressionError(Exception):
    """An expression that does not compile or cannot be evaluated; `line` and `column` from 1 where known."""

    def __init__(self, text: str, *, line: int = 0, column: int = 0) -> None:
        super().__init__(text)
        self.line, self.column = line, column


class Expression:
    """One compiled expression. Raises ExpressionError."""

    def __init__(self, source: str) -> None:
        self.source = source
        if len(source) > MAX_LENGTH:
            raise ExpressionError(f"the expression has {len(source)} characters; at most {MAX_LENGTH} are allowed")
        text = rewritten(source)
        try:
            check_cost(text.text)
            self._program = _environment().compile(text.text)
        except RuntimeError as failure:
            raise _compile_error(str(failure), text) from None
        except TooCostly as failure:
            raise _too_costly(failure, text) from None
        self._type = self._program.return_type()

    def returns(self, *types: Any) -> bool:
        """Whether it may give one of these types, as far as that can be known beforehand."""
        return self._type in (*types, cel.Type.DYN)

    def evaluate(self, variables: Mapping[str, Any]) -> Any:
        """The value as JSON has it. Raises ExpressionError."""
        values = dict.fromkeys(VARIABLES) | dict(variables)
        try:
            answer = self._program.eval(data=values)
            if answer.type() == cel.Type.ERROR:
                raise ExpressionError(_reason(str(answer.value())))
            return _Reading().json_of(answer)
        except _EVALUATION_FAILURES as failure:
            raise ExpressionError(_reason(str(failure))) from None


@lru_cache(maxsize=1024)
def compiled(source: str) -> Expression:
    """The compiled expression, once for each text. Raises ExpressionError."""
    return Expression(source)


def is_boolean(expression: Expression) -> bool:
    return expression.returns(cel.Type.BOOL)


def is_map(expression: Expression) -> bool:
    return expression.returns(cel.Type.MAP) or "MAP" in repr(expression._type)


def is_list(expression: Expression) -> bool:
    return expression.returns(cel.Type.LIST) or "LIST" in repr(expression._type)


def _compile_error(text: str, source: Rewritten) -> ExpressionError:
    """The first error, at its place in what the author wrote."""
    match = _PLACE.search(text)
    if match is None:
        return ExpressionError(f"compilation failed: {_reason(text)}")
    line, column = max(int(match[1]), 1), max(int(match[2]), 1)
    column = source.source_column(line, column)
    return ExpressionError(f"compilation failed: {line}:{column}: {_reason(match[3])}", line=line, column=column)


def _too_costly(failure: TooCostly, source: Rewritten) -> ExpressionError:
    before = source.text[: failure.place]
    line, column = before.count("\n") + 1, failure.place - before.rfind("\n")
    return ExpressionError(str(failure), line=line, column=source.source_column(line, column))


def _reason(text: str) -> str:
    """Without the library's status codes around it."""
    if "Iteration budget exceeded" in text:
        return "the expression needs too many iterations (CEL's budget is spent)"
    first = text.strip().splitlines()[0] if text.strip() else "it cannot be evaluated"
    return re.sub(r"^(?:NOT_FOUND|INVALID_ARGUMENT|INTERNAL|UNKNOWN): ", "", re.sub(r" \[[A-Z_]+\]$", "", first))[:500]


class _Reading:
    """CEL's values as JSON, so many and no more."""

    def __init__(self) -> None:
        self._left = MAX_VALUES

    def json_of(self, value: Any, depth: int = 0) -> Any:
        self._left -= 1
        if self._left < 0 or depth > MAX_DEPTH:
            raise ExpressionError(f"the result is too large: at most {MAX_VALUES} values, {MAX_DEPTH} levels")
        plain = value.value() if isinstance(value, cel.Value) else value
        if isinstance(plain, dict):
            return {self._key(key): self.json_of(each, depth + 1) for key, each in plain.items()}
        if isinstance(plain, list):
            return [self.json_of(each, depth + 1) for each in plain]
        if isinstance(plain, str) and len(plain) > MAX_TEXT:
            raise ExpressionError(f"the result has a text of {len(plain)} characters; at most {MAX_TEXT} are allowed")
        if plain is None or isinstance(plain, bool | int | str):
            return plain
        if isinstance(plain, float):
            return self._number(plain)
        raise ExpressionError(f"the result has a value that JSON does not: {type(plain).__name__}")

    @staticmethod
    def _number(value: float) -> float:
        if not math.isfinite(value):
            raise ExpressionError(f"the result has the number {value}, which JSON does not")
        return value

    def _key(self, key: Any) -> str:
        plain = key.value() if isinstance(key, cel.Value) else key
        if not isinstance(plain, str):
            raise ExpressionError(f"the result has a map with the key {plain!r}; keys are strings")
        return plain


# Functions


def _escape_key(text: str) -> str:
    """A name as one step of a JSON pointer."""
    return text.replace("~", "~0").replace("/", "~1")


def _function(name: str, *overloads: tuple[Callable[..., Any], Any, tuple[Any, ...]], member: bool = True) -> Any:
    declared = [
        cel.Overload(f"admission_{name.replace('.', '_')}_{i}", returns, list(parameters), member, implementation)
        for i, (implementation, returns, parameters) in enumerate(overloads)
    ]
    return cel.FunctionDecl(name, declared)


@lru_cache(maxsize=1)
def _environment() -> Any:
    text = cel.Type.STRING
    functions = [
        *text_functions("admission"),
        _function("jsonpatch.escapeKey", (_escape_key, text, (text,)), member=False),
    ]
    return cel.NewEnv(
        variables=dict.fromkeys(VARIABLES, cel.Type.DYN), functions=functions, extensions=[ext_optional.ExtOptional()]
    )
