"""Text -> manifests: YAML (or JSON, which is YAML) read safely, document by document.

A stream is cut at its `---` lines first, so that a mistake in one document
leaves the others readable. Each document is composed into nodes, which know
their lines, and built into plain values by us: aliases are expanded under a
budget (an alias bomb runs out of it), depth is bounded, keys are strings and
unique. Scalars are read as Kubernetes reads them: no dates, no base-60 numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from playground.common.errors import Cause, TooLarge

# The largest stream, as text.
MAX_BYTES = 2 * 1024 * 1024
MAX_DOCUMENTS = 2_000
MAX_DEPTH = 64
# Values of one document once its aliases are expanded.
MAX_VALUES = 100_000
# And of the whole stream.
MAX_VALUES_OF_STREAM = 500_000

_SEPARATOR = re.compile(r"^---(?=\s|$)", re.MULTILINE)
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_RADIX = re.compile(r"[-+]?(0x[0-9a-fA-F]+|0o?[0-7]+|0b[01]+)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
# Numbers to Kubernetes, text to YAML 1.1.
_EXPONENT = re.compile(r"[-+]?([0-9]+[eE][-+]?[0-9]+|0o[0-7]+)")
_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "timestamp", "value", "merge")
)
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **{word: True for text in ("true", "yes", "on") for word in (text, text.capitalize(), text.upper())},
    **{word: False for text in ("false", "no", "off") for word in (text, text.capitalize(), text.upper())},
}
_LONGEST_NUMBER = 40

_Composer: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlProblem(Exception):
    """A document that cannot be read."""

    def __init__(self, message: str, *, line: int | None = None, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        # Of the whole text, counted from 1.
        self.line = line
        self.path = path

    def cause(self, document: int) -> Cause:
        where = f"line {self.line}: " if self.line is not None else ""
        return Cause(path=self.path, message=where + self.message, document=document, line=self.line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document of a stream: its value, or why it has none."""

    # Counted from 1; documents without content do not count.
    number: int
    value: Any = None
    problem: YamlProblem | None = None
    node: Node | None = None
    # Lines of the text before the document.
    line_offset: int = 0

    def line_of(self, path: str) -> int | None:
        """The line of a field, as near as it can be known: of its parent where the field is missing."""
        if self.node is None:
            return None
        node = self.node
        for step in _steps(path):
            inner = _child(node, step)
            if inner is None:
                break
            node = inner
        return int(node.start_mark.line) + 1 + self.line_offset


def read_documents(text: str) -> Iterator[Document]:
    """Every document of a stream, in order. Raises TooLarge for the stream as a whole."""
    if len(text.encode()) > MAX_BYTES:
        raise TooLarge(f"the YAML is larger than {MAX_BYTES // 1024} KiB; apply it in smaller parts")
    number, left = 0, MAX_VALUES_OF_STREAM
    for part, line_offset in _parts(text):
        if number == MAX_DOCUMENTS:
            raise TooLarge(f"the YAML has more than {MAX_DOCUMENTS} documents; apply it in smaller parts")
        if left <= 0:
            raise TooLarge(f"the YAML has more than {MAX_VALUES_OF_STREAM} values; apply it in smaller parts")
        builder = _Builder(line_offset)
        number += 1
        try:
            node = _compose(part, line_offset)
            if node is None:
                number -= 1
                continue
            value = builder.build(node)
        except YamlProblem as problem:
            yield Document(number=number, problem=problem)
        else:
            yield Document(number=number, value=value, node=node, line_offset=line_offset)
        left -= MAX_VALUES - builder.left


def read_one(text: str) -> Any:
    """The value of a text with one document. Raises YamlProblem."""
    documents = list(read_documents(text))
    if len(documents) != 1:
        raise YamlProblem(f"expected one document, found {len(documents)}")
    if documents[0].problem is not None:
        raise documents[0].problem
    return documents[0].value


def _parts(text: str) -> Iterator[tuple[str, int]]:
    """(text of a document, lines before it)."""
    starts = [0, *(match.end() for match in _SEPARATOR.finditer(text))]
    ends = [*(match.start() for match in _SEPARATOR.finditer(text)), len(text)]
    for start, end in zip(starts, ends, strict=True):
        part = text[start:end]
        if part.strip():
            yield part, text.count("\n", 0, start)


def _compose(text: str, line_offset: int) -> Node | None:
    loader = None
    try:
        loader = _Composer(text)
        node: Node | None = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1 + line_offset
        raise YamlProblem(f"not YAML: {error.problem or error.context}", line=line) from None
    except yaml.YAMLError as error:
        raise YamlProblem(f"not YAML: {error}") from None
    except RecursionError:
        raise YamlProblem(f"nested deeper than {MAX_DEPTH} levels") from None
    finally:
        if loader is not None:
            loader.dispose()
    return node


class _Builder:
    """Nodes -> values, for one document."""

    def __init__(self, line_offset: int) -> None:
        self._line_offset = line_offset
        # Values that may still come.
        self.left = MAX_VALUES

    def build(self, node: Node, path: str = "", depth: int = 0) -> Any:
        self.left -= 1
        if self.left < 0:
            raise self._problem(node, path, f"more than {MAX_VALUES} values once its aliases are expanded")
        if depth > MAX_DEPTH:
            raise self._problem(node, path, f"nested deeper than {MAX_DEPTH} levels")
        if isinstance(node, MappingNode):
            return self._mapping(node, path, depth)
        if isinstance(node, SequenceNode):
            return [self.build(each, f"{path}[{i}]", depth + 1) for i, each in enumerate(node.value)]
        return self._scalar(node, path)

    def _mapping(self, node: MappingNode, path: str, depth: int) -> dict[str, Any]:
        value: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node, path)
            inner = f"{path}.{key}" if path else key
            if key in value:
                raise self._problem(key_node, inner, f'key "{key}" is there twice')
            value[key] = self.build(value_node, inner, depth + 1)
        return value

    def _key(self, node: Node, path: str) -> str:
        if not isinstance(node, ScalarNode):
            raise self._problem(node, path, "a key must be a string")
        if node.value == "<<" and node.style in (None, ""):
            raise self._problem(node, path, "merge keys (<<) are not supported; write the fields out")
        return str(node.value)

    def _scalar(self, node: Node, path: str) -> Any:
        assert isinstance(node, ScalarNode)
        if node.tag not in _TAGS:
            raise self._problem(node, path, f"the tag {node.tag} is not supported")
        is_text = node.style not in (None, "") or (node.tag.endswith(":str") and not _EXPONENT.fullmatch(node.value))
        return node.value if is_text else scalar_value(node.value)

    def _problem(self, node: Node, path: str, message: str) -> YamlProblem:
        return YamlProblem(message, line=node.start_mark.line + 1 + self._line_offset, path=path)


def scalar_value(text: str) -> Any:
    """A plain scalar as Kubernetes reads it."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > _LONGEST_NUMBER:
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _RADIX.fullmatch(text):
        digits = text.lower()
        is_old_octal = digits.lstrip("+-").isdecimal()
        return int(digits, 8 if is_old_octal else 0)
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if abs(number) != float("inf") else text
    return text


_STEP = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")


def _steps(path: str) -> Iterator[str]:
    for match in _STEP.finditer(path):
        yield match[1] if match[1] is not None else match[2]


def _child(node: Node, step: str) -> Node | None:
    if isinstance(node, MappingNode):
        return next((value for key, value in node.value if key.value == step), None)
    if isinstance(node, SequenceNode) and step.isdecimal() and int(step) < len(node.value):
        child: Node = node.value[int(step)]
        return child
    return None
