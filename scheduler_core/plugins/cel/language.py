"""The CEL that a plugin may be written in: what an expression sees, and what it may cost.

Everything readable is a declared variable with a dotted name (`node.labels`,
`pod.priority`), so that the compiler knows its type: a field that does not
exist and a comparison of a text with a number are errors before any pod is
scheduled, with line and column. It also tells what an expression reads, and
only that is handed to it.

The library stops an evaluation after 10,000 steps of comprehensions. A few
steps can still make a value that doubles with each of them, so text is not
joined within comprehensions, they are nested two deep at the most, and run over
what pod and node have, not over lists that were put together. Nor may a step be
large: where there are many, whole lists and maps are not compared in it, and
patterns are small. That is checked in the text, before it is ever run.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from cel_expr_python import cel  # type: ignore[import-untyped]
from cel_expr_python.ext import ext_math, ext_optional  # type: ignore[import-untyped]

from scheduler_core.framework.cel_bounds import TooCostly, check_patterns, closing

MAX_EXPRESSION_LENGTH = 2048
MAX_COMPREHENSIONS = 8
MAX_NESTING = 2

_TYPE = cel.Type
_TEXTS = _TYPE.Map(_TYPE.STRING, _TYPE.STRING)
_AMOUNTS = _TYPE.Map(_TYPE.STRING, _TYPE.INT)
_ANYTHING = _TYPE.Map(_TYPE.STRING, _TYPE.DYN)

# What an expression may read. Amounts are millicores of cpu and whole units (bytes, pieces) of anything else.
VARIABLES: Mapping[str, Any] = {
    "pod.name": _TYPE.STRING,
    "pod.namespace": _TYPE.STRING,
    "pod.labels": _TEXTS,
    "pod.annotations": _TEXTS,
    "pod.priority": _TYPE.INT,
    "pod.requests": _AMOUNTS,
    "pod.spec": _ANYTHING,
    "node.name": _TYPE.STRING,
    "node.labels": _TEXTS,
    "node.annotations": _TEXTS,
    "node.taints": _TYPE.List(_TEXTS),
    "node.unschedulable": _TYPE.BOOL,
    "node.allocatable": _AMOUNTS,
    "node.images": _TYPE.List(_TYPE.STRING),
    "node.requested": _AMOUNTS,
    "node.pods": _TYPE.List(_ANYTHING),
}

# Of each of `node.pods`.
POD_FIELDS = frozenset({"name", "namespace", "labels", "priority", "requests"})

_LITERAL = re.compile(r'([A-Za-z]*)("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')')
# What would make it unsure where a text ends.
_UNUSUAL = re.compile(r"//|`")
_VARIABLE = re.compile(r"\b(pod|node)\s*\.\s*([a-z]\w*)", re.IGNORECASE)
# A list or map that is not looked into, neither by `.`, `[` nor `in`.
_WHOLE = re.compile(
    r"(?<!\bin )(?<!\bin)\b(?:pod\s*\.\s*(?:labels|annotations|requests|spec)"
    r"|node\s*\.\s*(?:labels|annotations|taints|allocatable|images|requested|pods))\b(?!\s*[.\[])"
)
_MACRO = re.compile(
    r"\.\s*(all|exists|exists_one|existsOne|filter|map|optMap|optFlatMap|transformList|transformMap)\s*\("
)
_MAKES_VALUES = frozenset({"map", "optMap", "optFlatMap", "transformList", "transformMap"})
# Overloads of `+` whose result is larger than what goes in; filter() and map() have one of the second kind in them.
_JOINS_TEXT = (b"add_string", b"add_bytes")
_JOINS_LISTS = b"add_list"
_JOIN_LISTS_THEMSELVES = frozenset({"filter", "map"})
# A list or map that is written out with more than constants in it.
_CONSTANTS = re.compile(r"(?:[\s,:.\d\-]|true|false|null)*")
# Anything else before a bracket makes it an index.
_OPENS_LITERAL = re.compile(r"(?:^|[^\w\])\s]|\bin)\s*[\[{]")
# `labels["a"]`, `labels[?"a"]`, `labels.a`, `labels.?a`, but no call of a method.
_KEY_BEHIND = re.compile(r'\s*(?:\[\s*\??\s*(" *")\s*\]|\.\s*\??\s*([A-Za-z_]\w*)(?!\w|\s*\())')
# `"a" in labels`
_KEY_BEFORE = re.compile(r'(?:^|[(&|?:,])\s*(" *")\s*in\s*$')
# `node.pods.exists(p,` and `node.pods.size()`
_GOES_THROUGH = re.compile(r"\s*\.\s*(?:all|exists|exists_one)\s*\(\s*([A-Za-z_]\w*)\s*(?=,)")
_SIZE_BEHIND = re.compile(r"\s*\.\s*size\s*\(\s*\)")
_FIELD_BEHIND = re.compile(r"\s*\.\s*([A-Za-z_]\w*)(?!\w|\s*\()")
_NAMES_IT = re.compile(r"\s*,")
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


class CelExpression:
    """One compiled expression."""

    def __init__(self, text: str, purpose: Purpose) -> None:
        self.text = text
        self.purpose = purpose
        without_texts = _checked_shape(text)
        self._program = _compiled(text)
        _check_type(self._program.return_type(), purpose)
        _check_joins(self._program.serialize(), [found[1] for found in _MACRO.finditer(without_texts)])
        # The variables it needs; of a map the keys, where it asks for nothing but certain keys, or None: all of it.
        self.keys: Mapping[str, frozenset[str] | None] = {
            name: _keys_read(name, text, without_texts) for name in sorted(set(_read(without_texts)))
        }
        self.reads = frozenset(self.keys)
        # Whether one evaluation may take milliseconds.
        self.is_costly = _may_take_long(without_texts)
        # The fields it needs of each of `node.pods`.
        self.pod_fields = _pod_fields(without_texts)

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


def _checked_shape(text: str) -> str:
    """The expression with its texts emptied, if its shape is bounded."""
    if len(text) > MAX_EXPRESSION_LENGTH:
        raise CelCompileError(CelProblem(f"the expression is longer than {MAX_EXPRESSION_LENGTH} characters"))
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise CelCompileError(CelProblem("the expression has half a character in it (a lone surrogate)"))
    bare = _without_texts(text)
    macros = list(_MACRO.finditer(bare))
    if len(macros) > MAX_COMPREHENSIONS:
        raise CelCompileError(_problem_at(bare, macros[-1].start(), f"more than {MAX_COMPREHENSIONS} comprehensions"))
    making = [each for each in macros if each[1] in _MAKES_VALUES]
    if len(making) > 1:
        raise CelCompileError(_problem_at(bare, making[1].start(), "only one map() in an expression"))
    for macro in macros:
        if _depth(bare, macro.start(), macros) > MAX_NESTING:
            raise CelCompileError(
                _problem_at(bare, macro.start(), f"comprehensions nested more than {MAX_NESTING} deep")
            )
    if macros:
        _check_literals(bare)
        _check_steps(text, bare, macros)
    return bare


def _without_texts(text: str) -> str:
    """As long as it was, so that places in it are places in the expression."""
    for quotes in ('"""', "'''"):
        if quotes in text:
            raise CelCompileError(_problem_at(text, text.index(quotes), "write texts in plain quotes"))
    for found in _LITERAL.finditer(text):
        if found[1] and found[1] != "in":
            raise CelCompileError(_problem_at(text, found.start(), "write texts in plain quotes, without a prefix"))
    bare = _LITERAL.sub(lambda found: found[1] + '"' + " " * (len(found[2]) - 2) + '"', text)
    unusual = _UNUSUAL.search(bare)
    if unusual:
        raise CelCompileError(_problem_at(bare, unusual.start(), "comments and backticks are not allowed here"))
    return bare


def _depth(bare: str, place: int, macros: list[re.Match[str]]) -> int:
    return 1 + sum(1 for each in macros if each.end() <= place < closing(bare, each.end() - 1))


def _may_take_long(bare: str) -> bool:
    macros = list(_MACRO.finditer(bare))
    return "matches" in bare or any(_depth(bare, each.start(), macros) > 1 for each in macros)


def _check_steps(text: str, bare: str, macros: Sequence[re.Match[str]]) -> None:
    """That no step of a comprehension is a large one."""
    try:
        check_patterns(text, bare)
    except TooCostly as refused:
        raise CelCompileError(_problem_at(bare, refused.place, str(refused))) from None
    for found in _WHOLE.finditer(bare):
        around = [each for each in macros if each.end() <= found.start() < closing(bare, each.end() - 1)]
        if len(around) == MAX_NESTING or any(each[1] in _MAKES_VALUES for each in around):
            message = "within map() or two comprehensions, a whole list or map cannot be compared or put into another"
            raise CelCompileError(_problem_at(bare, found.start(), f"{message}; ask for what is in it"))


def _check_literals(bare: str) -> None:
    for found in _OPENS_LITERAL.finditer(bare):
        opening = found.end() - 1
        inside = bare[opening + 1 : closing(bare, opening)].replace('"', " ")
        if not _CONSTANTS.fullmatch(inside):
            message = "where there is a comprehension, lists and maps that are written out hold constants only"
            raise CelCompileError(_problem_at(bare, opening, message))


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


def _check_joins(checked: bytes, macros: Sequence[str]) -> None:
    """`checked` names the overload of every operator in the expression."""
    if not macros:
        return
    lists = checked.count(_JOINS_LISTS) - sum(1 for each in macros if each in _JOIN_LISTS_THEMSELVES)
    if lists > 0 or any(each in checked for each in _JOINS_TEXT):
        message = "text, lists and values of no known type cannot be added where there is a comprehension"
        raise CelCompileError(CelProblem(f"{message}; write int(...) around what are numbers"))


def _read(bare: str) -> Iterator[str]:
    """Variables whose names occur; one too many costs only time."""
    for found in _VARIABLE.finditer(bare):
        name = f"{found[1]}.{found[2]}"
        if name in VARIABLES:
            yield name


def _keys_read(name: str, text: str, bare: str) -> frozenset[str] | None:
    """The keys of a map that the expression asks for; None where it may ask for any."""
    if VARIABLES[name] not in (_TEXTS, _AMOUNTS):
        return None
    # `text` and `bare` are equally long: what is inside quotes is looked up in the former.
    keys = [_key_at(text, bare, found) for found in re.finditer(_spaced(name), bare)]
    return None if None in keys else frozenset(key for key in keys if key is not None)


def _spaced(name: str) -> str:
    whose, field = name.split(".")
    return rf"\b{whose}\s*\.\s*{field}\b"


def _key_at(text: str, bare: str, found: re.Match[str]) -> str | None:
    """The one key that is asked for where a map is named; None: it is used in another way."""
    behind = _KEY_BEHIND.match(bare, found.end())
    if behind is None:
        before = _KEY_BEFORE.search(bare, 0, found.start())
        key = None if before is None else text[before.start(1) + 1 : before.end(1) - 1]
    else:
        key = behind[2] or text[behind.start(1) + 1 : behind.end(1) - 1]
    return None if key is None or "\\" in key else key


def _pod_fields(bare: str) -> frozenset[str]:
    """All of them, unless pods are only gone through by name and asked for certain fields."""
    named: set[str] = set()
    for found in re.finditer(_spaced("node.pods"), bare):
        gone_through = _GOES_THROUGH.match(bare, found.end())
        if gone_through is None and not _SIZE_BEHIND.match(bare, found.end()):
            return POD_FIELDS
        if gone_through is not None:
            named.add(gone_through[1])
    fields: set[str] = set()
    for name in named:
        for use in re.finditer(rf"(?<![\w.]){name}\b", bare):
            field = _FIELD_BEHIND.match(bare, use.end())
            # Where the macro gives the name itself.
            if field is None and not _NAMES_IT.match(bare, use.end()):
                return POD_FIELDS
            if field is not None:
                fields.add(field[1])
    return frozenset(fields) if fields <= POD_FIELDS else POD_FIELDS


def _place_of_key(text: str, key: str) -> tuple[int, int]:
    """Line and column where the key is written, if it is in one place only."""
    written = re.compile(rf"(?<=[\"'.]){re.escape(key)}(?![\w.\-/])")
    places = [found.start() for found in written.finditer(text)]
    if len(places) != 1:
        return (0, 0)
    return _line_and_column(text, places[0])


def _problem_at(text: str, place: int, message: str) -> CelProblem:
    return CelProblem(message, *_line_and_column(text, place))


def _line_and_column(text: str, place: int) -> tuple[int, int]:
    before = text[:place]
    return before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1


def _without_code(text: str) -> str:
    """The library's message without its status codes."""
    return re.sub(r"^[A-Z_]+: | \[[A-Z_]+\]$", "", text)


@lru_cache(maxsize=1)
def _environment() -> Any:
    return cel.NewEnv(variables=VARIABLES, extensions=[ext_optional.ExtOptional(), ext_math.ExtMath()])
