"""CEL's functions over texts, with an end to how long a text they make.

The library's own set has none: a chain of `replace("a", "aaaaaaaaaa")` makes
gigabytes out of ten characters. Names, arguments and errors are those of the
Go library that Kubernetes uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cel_expr_python import cel  # type: ignore[import-untyped]

MAX_TEXT = 256 * 1024

# Only letters of ASCII change.
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_UPPER = {lower: upper for upper, lower in _LOWER.items()}

Implementation = Callable[..., Any]


def text_functions(prefix: str) -> list[Any]:
    """Declarations for an environment; `prefix` keeps the names of their overloads apart."""
    text, number, texts = cel.Type.STRING, cel.Type.INT, cel.Type.List(cel.Type.STRING)
    declared: dict[str, list[tuple[Implementation, Any, tuple[Any, ...]]]] = {
        "charAt": [(_char_at, text, (text, number))],
        "indexOf": [(str.find, number, (text, text)), (_index_of, number, (text, text, number))],
        "lastIndexOf": [(str.rfind, number, (text, text)), (_last_index_of, number, (text, text, number))],
        "lowerAscii": [(lambda one: one.translate(_LOWER), text, (text,))],
        "upperAscii": [(lambda one: one.translate(_UPPER), text, (text,))],
        "trim": [(str.strip, text, (text,))],
        "split": [(_split, texts, (text, text)), (_split, texts, (text, text, number))],
        "replace": [(_replace, text, (text, text, text)), (_replace, text, (text, text, text, number))],
        "substring": [(_substring, text, (text, number)), (_substring, text, (text, number, number))],
        "join": [(_join, text, (texts,)), (_join, text, (texts, text))],
    }
    return [_declaration(prefix, name, overloads) for name, overloads in declared.items()]


def _declaration(prefix: str, name: str, overloads: Sequence[tuple[Implementation, Any, tuple[Any, ...]]]) -> Any:
    made = [
        cel.Overload(f"{prefix}_{name}_{i}", returns, list(parameters), True, implementation)
        for i, (implementation, returns, parameters) in enumerate(overloads)
    ]
    return cel.FunctionDecl(name, made)


def _within(text: str, place: int, most: int) -> int:
    if not 0 <= place <= most:
        raise ValueError(f"index out of range: {place} in a text of {len(text)} characters")
    return place


def _char_at(text: str, place: int) -> str:
    return text[_within(text, place, len(text)) :][:1]


def _index_of(text: str, wanted: str, start: int) -> int:
    return text.find(wanted, _within(text, start, len(text)))


def _last_index_of(text: str, wanted: str, start: int) -> int:
    return text.rfind(wanted, 0, _within(text, start, len(text)) + len(wanted))


def _substring(text: str, start: int, end: int | None = None) -> str:
    last = len(text) if end is None else _within(text, end, len(text))
    return text[_within(text, start, last) : last]


def _split(text: str, by: str, most: int = -1) -> list[str]:
    if most == 0:
        return []
    if by:
        return text.split(by, most - 1 if most > 0 else -1)
    single = list(text) if most < 0 else list(text[: most - 1])
    rest = text[len(single) :]
    return [*single, rest] if rest else single


def _replace(text: str, old: str, new: str, most: int = -1) -> str:
    count = text.count(old) if most < 0 else min(text.count(old), most)
    bounded(len(text) + count * (len(new) - len(old)))
    return text.replace(old, new, most)


def _join(parts: list[Any], between: str = "") -> str:
    texts = [str(each.value() if isinstance(each, cel.Value) else each) for each in parts]
    bounded(sum(map(len, texts)) + len(between) * max(len(texts) - 1, 0))
    return between.join(texts)


def bounded(length: int) -> None:
    """Raises ValueError for a text that would be too long."""
    if length > MAX_TEXT:
        raise ValueError(f"a text of {length} characters; at most {MAX_TEXT} are allowed")
