"""What an expression in CEL may cost, told from its text before it runs.

CEL's library stops an evaluation after 10,000 steps of comprehensions, but a
step is not always small: a chain of `map(x, [x, x])` or `cel.bind(y, x + x, ...)`
doubles a value with every link, and a regular expression may be as long as the
expression. So it is counted how often values meet where others are made of
them, and patterns that are matched again and again are kept small.

Kubernetes estimates a cost from the schema instead; what is refused here it
mostly refuses as well.
"""

from __future__ import annotations

import math
import re

# How many times its input the largest value of an expression may become.
MAX_GROWTH = 1_000
# Of a regular expression that is matched within a comprehension.
MAX_PATTERN = 100

_LITERAL = re.compile(
    r"""(?s)//[^\n]*
    |`[^`\n]*`
    |(?<![A-Za-z0-9_])(?:[rR][bB]?|[bB][rR])(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"[^"\n]*"|'[^'\n]*')
    |\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'
    """,
    re.VERBOSE,
)
_MAKES_VALUES = re.compile(r"\.\s*(?:map|optMap|optFlatMap|transformList|transformMap|transformMapEntry)\s*\(")
_BINDS = re.compile(r"\bcel\s*\.\s*bind\s*\(")
_GOES_THROUGH = re.compile(
    r"\.\s*(?:all|exists|exists_one|existsOne|filter|map|transformList|transformMap|transformMapEntry)\s*\("
)
_MATCHES = re.compile(r"\bmatches\s*\(")
_PLAIN_TEXT = re.compile(r"""\s*("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')\s*\)""")


class TooCostly(ValueError):
    """The expression is refused; the text says why, and the way out."""

    def __init__(self, text: str, place: int) -> None:
        super().__init__(text)
        # Where in the expression, counted from 0.
        self.place = place


def check_cost(expression: str) -> None:
    """Raises TooCostly."""
    bare = without_texts(expression)
    growth, place = _growth(bare)
    if growth > MAX_GROWTH:
        raise TooCostly(
            f"its maps could make a value {growth} times larger than what goes in (at most {MAX_GROWTH}); "
            "use fewer of them, or split the expression",
            place,
        )
    check_patterns(expression, bare)


def without_texts(expression: str) -> str:
    """As long as it was, with spaces for what is in quotes and comments: nothing in them is syntax."""
    return _LITERAL.sub(_blank, expression)


def _blank(found: re.Match[str]) -> str:
    text = found[0]
    edge = " " if text.startswith("//") else '"'
    inside = "".join(each if each == "\n" else " " for each in text[1:-1])
    return edge + inside + (edge if len(text) > 1 else "")


def check_patterns(expression: str, bare: str) -> None:
    """Within comprehensions, regular expressions are short texts without counted repetition. Raises TooCostly."""
    bodies = [(found.end(), closing(bare, found.end() - 1)) for found in _GOES_THROUGH.finditer(bare)]
    for found in _MATCHES.finditer(bare):
        if any(start <= found.start() < end for start, end in bodies):
            _check_pattern(expression, found)


def _check_pattern(expression: str, found: re.Match[str]) -> None:
    written = _PLAIN_TEXT.match(expression, found.end())
    if written is None or len(written[1]) - 2 > MAX_PATTERN or "{" in written[1]:
        raise TooCostly(
            f"within a comprehension, matches() takes a text in quotes of at most {MAX_PATTERN} characters, "
            "without {...}; use contains() or startsWith(), or match outside of it",
            found.start(),
        )


def closing(bare: str, opening: int) -> int:
    """Where the bracket at `opening` is closed; the end where it is not."""
    depth = 0
    for place in range(opening, len(bare)):
        depth += (bare[place] in "([{") - (bare[place] in ")]}")
        if depth == 0:
            return place
    return len(bare)


def _growth(bare: str) -> tuple[int, int]:
    """Every map can make its input so many times larger as values meet in its body, and maps can be chained."""
    factors = [(1 + _joins(bare, found.end(), closing(bare, found.end() - 1)), found) for found in _maps(bare)]
    factors += [(1 + _joins_bound(bare, found.end()), found) for found in _BINDS.finditer(bare)]
    growth = math.prod(factor for factor, _ in factors)
    return growth, max((found.start() for _, found in factors), default=0)


def _maps(bare: str) -> list[re.Match[str]]:
    return list(_MAKES_VALUES.finditer(bare))


def _joins(bare: str, start: int, end: int) -> int:
    """How many `+` and commas a macro's arguments have, but for the comma that separates them."""
    return max(sum(each in "+," for each in bare[start:end]) - 1, 0)


def _joins_bound(bare: str, start: int) -> int:
    """The same of the value that `cel.bind` gives a name: what is between its first two commas."""
    commas = _commas(bare, start, closing(bare, start - 1))
    if not commas:
        return 0
    end = commas[1] if len(commas) > 1 else closing(bare, start - 1)
    return sum(each in "+," for each in bare[commas[0] + 1 : end])


def _commas(bare: str, start: int, end: int) -> list[int]:
    """Those that separate the arguments of a call."""
    depth, found = 0, []
    for place in range(start, end):
        depth += (bare[place] in "([{") - (bare[place] in ")]}")
        if bare[place] == "," and depth == 0:
            found.append(place)
    return found
