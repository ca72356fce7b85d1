"""What the text of an expression may look like, so that no evaluation is a large one.

The library stops an evaluation after 10,000 steps of comprehensions. A few
steps can still make a value that doubles with each of them, so text is not
joined within comprehensions, they are nested two deep at the most, and run over
what pod and node have, not over lists that were put together. Nor may a step be
large: where there are many, whole lists and maps are not compared in it, and
patterns are small. That is checked in the text, before it is ever run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scheduler_core.framework.cel_bounds import TooCostly, check_patterns, closing
from scheduler_core.plugins.cel.errors import CelCompileError, CelProblem, problem_at

MAX_EXPRESSION_LENGTH = 2048
MAX_COMPREHENSIONS = 8
MAX_NESTING = 2

_LITERAL = re.compile(r'([A-Za-z]*)("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')')
# What would make it unsure where a text ends.
_UNUSUAL = re.compile(r"//|`")
# A list or map that is not looked into, neither by `.`, `[` nor `in`.
_WHOLE = re.compile(
    r"(?<!\bin )(?<!\bin)\b(?:pod\s*\.\s*(?:labels|annotations|requests|spec)"
    r"|node\s*\.\s*(?:labels|annotations|taints|allocatable|images|requested|pods))\b(?!\s*[.\[])"
)
MACRO = re.compile(
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


def checked_shape(text: str) -> str:
    """The expression with its texts emptied, if its shape is bounded."""
    if len(text) > MAX_EXPRESSION_LENGTH:
        raise CelCompileError(CelProblem(f"the expression is longer than {MAX_EXPRESSION_LENGTH} characters"))
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise CelCompileError(CelProblem("the expression has half a character in it (a lone surrogate)"))
    bare = without_texts(text)
    macros = list(MACRO.finditer(bare))
    if len(macros) > MAX_COMPREHENSIONS:
        raise CelCompileError(problem_at(bare, macros[-1].start(), f"more than {MAX_COMPREHENSIONS} comprehensions"))
    making = [each for each in macros if each[1] in _MAKES_VALUES]
    if len(making) > 1:
        raise CelCompileError(problem_at(bare, making[1].start(), "only one map() in an expression"))
    for macro in macros:
        if _depth(bare, macro.start(), macros) > MAX_NESTING:
            raise CelCompileError(
                problem_at(bare, macro.start(), f"comprehensions nested more than {MAX_NESTING} deep")
            )
    if macros:
        _check_literals(bare)
        _check_steps(text, bare, macros)
    return bare


def without_texts(text: str) -> str:
    """As long as it was, so that places in it are places in the expression."""
    for quotes in ('"""', "'''"):
        if quotes in text:
            raise CelCompileError(problem_at(text, text.index(quotes), "write texts in plain quotes"))
    for found in _LITERAL.finditer(text):
        if found[1] and found[1] != "in":
            raise CelCompileError(problem_at(text, found.start(), "write texts in plain quotes, without a prefix"))
    bare = _LITERAL.sub(lambda found: found[1] + '"' + " " * (len(found[2]) - 2) + '"', text)
    unusual = _UNUSUAL.search(bare)
    if unusual:
        raise CelCompileError(problem_at(bare, unusual.start(), "comments and backticks are not allowed here"))
    return bare


def _depth(bare: str, place: int, macros: list[re.Match[str]]) -> int:
    return 1 + sum(1 for each in macros if each.end() <= place < closing(bare, each.end() - 1))


def may_take_long(bare: str) -> bool:
    macros = list(MACRO.finditer(bare))
    return "matches" in bare or any(_depth(bare, each.start(), macros) > 1 for each in macros)


def _check_steps(text: str, bare: str, macros: Sequence[re.Match[str]]) -> None:
    """That no step of a comprehension is a large one."""
    try:
        check_patterns(text, bare)
    except TooCostly as refused:
        raise CelCompileError(problem_at(bare, refused.place, str(refused))) from None
    for found in _WHOLE.finditer(bare):
        around = [each for each in macros if each.end() <= found.start() < closing(bare, each.end() - 1)]
        if len(around) == MAX_NESTING or any(each[1] in _MAKES_VALUES for each in around):
            message = "within map() or two comprehensions, a whole list or map cannot be compared or put into another"
            raise CelCompileError(problem_at(bare, found.start(), f"{message}; ask for what is in it"))


def _check_literals(bare: str) -> None:
    for found in _OPENS_LITERAL.finditer(bare):
        opening = found.end() - 1
        inside = bare[opening + 1 : closing(bare, opening)].replace('"', " ")
        if not _CONSTANTS.fullmatch(inside):
            message = "where there is a comprehension, lists and maps that are written out hold constants only"
            raise CelCompileError(problem_at(bare, opening, message))


def check_joins(checked: bytes, macros: Sequence[str]) -> None:
    """`checked` names the overload of every operator in the expression."""
    if not macros:
        return
    lists = checked.count(_JOINS_LISTS) - sum(1 for each in macros if each in _JOIN_LISTS_THEMSELVES)
    if lists > 0 or any(each in checked for each in _JOINS_TEXT):
        message = "text, lists and values of no known type cannot be added where there is a comprehension"
        raise CelCompileError(CelProblem(f"{message}; write int(...) around what are numbers"))
