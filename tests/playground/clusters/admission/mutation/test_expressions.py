"""CEL with bounds, and messages written as Kubernetes writes them."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters.admission.mutation.expressions import ExpressionError, compiled
from playground.clusters.admission.mutation.literals import rewritten


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("Object{}", {}),
        ("Object{spec: Object.spec{a: 1, b: [Object.spec.b{c: 2}]}}", {"spec": {"a": 1, "b": [{"c": 2}]}}),
        ('Object{metadata: Object.metadata{labels: {"a-b": "x"}}}', {"metadata": {"labels": {"a-b": "x"}}}),
        ('[JSONPatch{op: "add", path: "/a", value: {"b": true}}]', [{"op": "add", "path": "/a", "value": {"b": True}}]),
        ("Object{spec: Object.spec{?a: object.?b, ?c: object.?missing}}", {"spec": {"a": 1}}),
        ('Object{a: "Object{b: c}"}', {"a": "Object{b: c}"}),
        ("Object{a: [1, 2].map(x, x > 1 ? x : 0), b: object.b}", {"a": [0, 2], "b": 1}),
        ("Object{ // spec: here\n a: 1}", {"a": 1}),
        ("object.Object == 7 ? Object{a: 1} : Object{}", {"a": 1}),
        ('jsonpatch.escapeKey("a/b~c")', "a~1b~0c"),
        ('["a", "b"].join("-") + "x,y".split(",")[1] + "abc".substring(1, 2)', "a-byb"),
        ("1.5", 1.5),
        ("null", None),
    ],
)
def test_a_value_is_what_json_has(source: str, value: Any) -> None:
    assert compiled(source).evaluate({"object": {"b": 1, "Object": 7}}) == value


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("b'x'", "JSON"),
        ("{1: 2}", "keys are strings"),
        ("object.missing", "Key not found"),
        ("1 / 0", "divi"),
        ("object.b.c", "non-message"),
        ('"a".replace("a", object.long).replace("x", object.long)', "characters"),
        ("[1,2,3,4,5,6,7,8,9,0].all(a, [1,2,3,4,5,6,7,8,9,0].all(b, object.many.all(c, true)))", "iterations"),
        ("object.many.map(a, object.many)", "too large"),
    ],
)
def test_what_cannot_be_evaluated_is_an_error_with_a_reason(source: str, words: str) -> None:
    values = {"object": {"b": 1, "long": "x" * 3_000, "many": list(range(400))}}
    with pytest.raises(ExpressionError, match=words):
        compiled(source).evaluate(values)


@pytest.mark.parametrize(
    "source",
    [
        '["a"]' + ".map(x, x + x)" * 12,
        "[1]" + ".map(x, [x, x])" * 12,
        "[1]" + ".map(x, {'a': x, 'b': x, 'c': x})" * 8,
        "[1].map(a, [a, a, a, a].map(b, [b, b, b, b, b].map(c, [c, c, c, c, c, c, c, c])))",
    ],
    ids=["text", "lists", "maps", "nested"],
)
def test_what_could_grow_without_end_is_refused_before_it_runs(source: str) -> None:
    with pytest.raises(ExpressionError, match="times larger"):
        compiled(source)


def test_strings_count_for_nothing_in_that() -> None:
    plus = "+" * 100
    assert compiled(f'["{plus}"].map(x, x)[0]').evaluate({}) == plus


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        ("Object{spec: Object.spec{a: nope}}", 1, 29),
        ("Object{\n  a: 1,\n  b: nope,\n}", 3, 6),
        ("1 +", 1, 4),
    ],
)
def test_an_error_is_where_the_author_wrote_it(source: str, line: int, column: int) -> None:
    with pytest.raises(ExpressionError) as raised:
        compiled(source)
    assert (raised.value.line, raised.value.column) == (line, column)


@pytest.mark.parametrize("source", ["Object{", "}{]", "Object{a", "'''", "Object{,:?}", "\\", "Object.a.b{c"])
def test_rubbish_is_rewritten_into_rubbish(source: str) -> None:
    assert rewritten(source).text
    with pytest.raises(ExpressionError):
        compiled(source)
