"""CEL's functions over texts, as the library itself evaluates them."""

from __future__ import annotations

from typing import Any

import pytest
from cel_expr_python import cel  # type: ignore[import-untyped]

from scheduler_core.framework.cel_texts import MAX_TEXT, text_functions

ENVIRONMENT = cel.NewEnv(functions=text_functions("test"))


def value_of(expression: str) -> Any:
    return ENVIRONMENT.compile(expression).eval(data={})


ANSWERS = [
    ('"tacocat".charAt(4)', "c"),
    ('"tacocat".charAt(7)', ""),
    ('"a-b-a".indexOf("a", 1)', 4),
    ('"a-b-a".indexOf("x")', -1),
    ('"a-b-a".lastIndexOf("a")', 4),
    ('"a-b-a".lastIndexOf("a", 3)', 0),
    ('"TacoÄ".lowerAscii()', "tacoÄ"),
    ('"tacoä".upperAscii()', "TACOä"),
    ('"  a ".trim()', "a"),
    ('"a,b,c".split(",", 2)[1]', "b,c"),
    ('"abc".split("", 2)[1]', "bc"),
    ('"a,b".split(",", 0).size()', 0),
    ('"aaa".replace("a", "b", 2)', "bba"),
    ('"tacocat".substring(4)', "cat"),
    ('"tacocat".substring(0, 4)', "taco"),
    ('["a", "b"].join("-")', "a-b"),
]


@pytest.mark.parametrize(("expression", "value"), ANSWERS)
def test_functions(expression: str, value: Any) -> None:
    assert value_of(expression).value() == value


FAILURES = ['"abc".charAt(4)', '"abc".substring(2, 1)', '"abc".substring(-1)', '"abc".indexOf("a", 9)']


@pytest.mark.parametrize("expression", FAILURES)
def test_places_outside_of_the_text_are_errors(expression: str) -> None:
    answer = value_of(expression)

    assert answer.type() == cel.Type.ERROR
    assert "index out of range" in str(answer.value())


GROWING = [
    '"aaaaaaaaaa"' + '.replace("a", "aaaaaaaaaa")' * 9,
    '"a,a,a,a,a,a,a,a".split(",").join("' + "b" * 50_000 + '")',
]


@pytest.mark.parametrize("expression", GROWING)
def test_no_text_grows_without_end(expression: str) -> None:
    answer = value_of(expression)

    assert answer.type() == cel.Type.ERROR
    assert f"at most {MAX_TEXT} are allowed" in str(answer.value())
