"""`Object{spec: Object.spec{...}}` and `JSONPatch{op: "add", ...}` as maps.

Kubernetes declares these as message types of CEL, one for each field of the
schema. Here they are read as what they stand for, maps whose keys are the field
names, and what comes of them is read strictly by the schema of the kind. The
text is rewritten before it is compiled, and `source_column` tells where a place
in the rewritten text was, so that errors point into what the author wrote.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# Strings are one token, so that nothing in them is taken for syntax.
_TOKEN = re.compile(
    r"""(?P<string>[rRbB]{0,2}(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))"""
    r"""|(?P<comment>//[^\n]*)"""
    r"""|(?P<type>(?<![\w.])(?:Object(?:\.\w+)*|JSONPatch)(?=\s*\{))"""
    r"""|(?P<word>[A-Za-z_]\w*)"""
    r"""|(?P<space>\s+)"""
    r"""|(?P<other>.)""",
    re.DOTALL,
)
_OPENING, _CLOSING = "{[(", "}])"


@dataclass(slots=True)
class Rewritten:
    text: str = ""
    # Of each character of `text`: where it was in the source.
    _origins: list[int] = field(default_factory=list)
    _source: str = ""

    def add(self, piece: str, origin: int) -> None:
        self.text += piece
        self._origins += [origin + min(i, len(piece)) for i in range(len(piece))]

    def source_column(self, line: int, column: int) -> int:
        """Both counted as CEL does: lines from 1, columns from 1. Lines are the same in both texts."""
        start = sum(len(each) + 1 for each in self.text.split("\n")[: line - 1])
        offset = start + column - 1
        if not self._origins or offset >= len(self._origins):
            return column
        origin = self._origins[offset]
        return origin - self._source.rfind("\n", 0, origin)


def rewritten(source: str) -> Rewritten:
    """The expression with its message literals as map literals."""
    result = Rewritten(_source=source)
    # Of each open bracket whether it is a message literal's brace.
    open_brackets: list[bool] = []
    is_message = is_field = False
    for match in _TOKEN.finditer(source):
        kind, piece, at = match.lastgroup, match.group(), match.start()
        if kind == "type":
            is_message = True
            result.add(" " * len(piece), at)
            continue
        if kind == "word" and is_field:
            result.add(f'"{piece}"', at)
        else:
            result.add(piece, at)
        if kind in ("space", "comment"):
            continue
        if piece in _OPENING:
            open_brackets.append(is_message)
            is_field, is_message = is_message, False
        elif piece in _CLOSING:
            is_field = False
            if open_brackets:
                open_brackets.pop()
        elif piece == ",":
            is_field = bool(open_brackets) and open_brackets[-1]
        elif piece != "?":
            is_field = False
    return result
