"""What an expression reads: variables, keys of maps, fields of pods. Only that is handed to it.

`bare` is the expression with its texts emptied, as long as it was (`shape`).
What is found may be too much, which costs only time, and is never too little.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scheduler_core.plugins.cel.variables import AMOUNTS, POD_FIELDS, TEXTS, VARIABLES

_VARIABLE = re.compile(r"\b(pod|node)\s*\.\s*([a-z]\w*)", re.IGNORECASE)
# `labels["a"]`, `labels[?"a"]`, `labels.a`, `labels.?a`, but no call of a method.
_KEY_BEHIND = re.compile(r'\s*(?:\[\s*\??\s*(" *")\s*\]|\.\s*\??\s*([A-Za-z_]\w*)(?!\w|\s*\())')
# `"a" in labels`
_KEY_BEFORE = re.compile(r'(?:^|[(&|?:,])\s*(" *")\s*in\s*$')
# `node.pods.exists(p,` and `node.pods.size()`
_GOES_THROUGH = re.compile(r"\s*\.\s*(?:all|exists|exists_one)\s*\(\s*([A-Za-z_]\w*)\s*(?=,)")
_SIZE_BEHIND = re.compile(r"\s*\.\s*size\s*\(\s*\)")
_FIELD_BEHIND = re.compile(r"\s*\.\s*([A-Za-z_]\w*)(?!\w|\s*\()")
_NAMES_IT = re.compile(r"\s*,")


def variables_read(bare: str) -> Iterator[str]:
    """Variables whose names occur; one too many costs only time."""
    for found in _VARIABLE.finditer(bare):
        name = f"{found[1]}.{found[2]}"
        if name in VARIABLES:
            yield name


def keys_read(name: str, text: str, bare: str) -> frozenset[str] | None:
    """The keys of a map that the expression asks for; None where it may ask for any."""
    if VARIABLES[name] not in (TEXTS, AMOUNTS):
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


def pod_fields(bare: str) -> frozenset[str]:
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
