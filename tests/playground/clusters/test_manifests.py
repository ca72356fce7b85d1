"""YAML as Kubernetes reads it, within bounds."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from playground.clusters.manifests import Document, YamlProblem, read_documents, read_one, scalar_value
from playground.common.errors import TooLarge


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1), ("-5", -5), ("0", 0), ("0644", 420), ("0o17", 15), ("0x1F", 31), ("1.5", 1.5), ("1e3", 1000.0),
        ("true", True), ("yes", True), ("Off", False), ("~", None), ("null", None),
        ("12:30", "12:30"), ("2026-01-31", "2026-01-31"), ("1.5.2", "1.5.2"), ("100m", "100m"), ("1_000", "1_000"),
        ("9" * 60, "9" * 60), ("1e999", "1e999"), (".inf", ".inf"), ("nginx", "nginx"),
    ],
)  # fmt: skip
def test_a_plain_scalar_is_read_as_kubernetes_does(text: str, value: Any) -> None:
    assert scalar_value(text) == value
    assert read_one(f"a: {text}") == {"a": value}


@pytest.mark.parametrize("text", ['"1"', "'true'", "!!str 5", "|\n  5\n"])
def test_quoted_is_text(text: str) -> None:
    assert isinstance(read_one(f"a: {text}")["a"], str)


def test_documents_are_numbered_without_the_empty_ones() -> None:
    documents = list(read_documents("---\n# nothing\n---\na: 1\n---\n\n---\nb: 2\n"))
    assert [(each.number, each.value) for each in documents] == [(1, {"a": 1}), (2, {"b": 2})]


def test_a_line_is_found_by_its_path() -> None:
    (document,) = read_documents("\n---\na:\n  b:\n  - c: 1\n  - d: 2\n")
    assert isinstance(document, Document)
    assert [document.line_of(path) for path in ("a", "a.b[1].d", "a.b[1].missing", "a.b[9]", "")] == [4, 6, 6, 5, 3]


@pytest.mark.parametrize(
    "text",
    [
        "a: [1", "a: b: c", "a: 1\na: 2", "? [x]\n: 1", "<<: *a", "a: !!python/object:os.system x", "a: *b",
        "\x00", "a: !custom 5", "a: &x [*x]", "[" * 3000, "%YAML 9.9\n---\n", "a: !!binary aGk=",
    ],
)  # fmt: skip
def test_what_is_no_plain_yaml_is_a_problem_not_a_crash(text: str) -> None:
    with pytest.raises(YamlProblem):
        read_one(text)


def test_a_stream_of_bombs_is_refused_as_a_whole() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 7)]
    bomb = "\n".join(lines) + "\n---\n"
    with pytest.raises(TooLarge, match="values"):
        list(read_documents(bomb * 100))


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text("abc-: #'\"\n01", max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abcxyz", min_size=1, max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.text("abcxyz", min_size=1, max_size=5), plain, min_size=1, max_size=4))
def test_what_is_written_as_yaml_is_read_back(value: dict[str, Any]) -> None:
    assert read_one(yaml.safe_dump(value)) == value
