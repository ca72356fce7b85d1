"""What a CEL expression may cost is told before it runs, however its text is written."""

from __future__ import annotations

import pytest

from scheduler_core.framework.cel_bounds import TooCostly, check_cost, without_texts

DOUBLED = "[1]" + ".map(x, [x, x])" * 20 + ".size() > 0"

HIDDEN = [
    DOUBLED,
    f'r"\\" == "" || {DOUBLED} || "" == "\\"',
    f'""" " """ == "" || {DOUBLED} || """ " """ == ""',
    f"''' ' ''' == '' || {DOUBLED} || ''' ' ''' == ''",
    f'true // "\n && {DOUBLED} // "',
    f'"\\"" == "" || {DOUBLED}',
]


@pytest.mark.parametrize("expression", HIDDEN)
def test_maps_that_double_are_found_between_whatever_quotes(expression: str) -> None:
    with pytest.raises(TooCostly, match="1048576 times larger"):
        check_cost(expression)


def test_names_given_to_sums_of_names_double_as_well() -> None:
    expression = 'cel.bind(x0, "a", '
    expression += "".join(f"cel.bind(x{i + 1}, x{i} + x{i}, " for i in range(30)) + "x30.size() > 0" + ")" * 31

    with pytest.raises(TooCostly, match="times larger"):
        check_cost(expression)


HARMLESS = [
    'cel.bind(gpu, device.attributes["gpu.example.com"], gpu.model == "a100" && gpu.index + 1 + 2 + 3 == 7)',
    "cel.bind(a, 1, cel.bind(b, 2, cel.bind(c, 3, [a, b, c].size() == 3)))",
    "object.spec.containers.map(c, {'name': c.name, 'image': c.image, 'args': c.args})",
    f'"{DOUBLED}" == ""',
    f"true // {DOUBLED}",
    'object.spec.containers.all(c, c.image.matches("^registry[.]local/"))',
    'object.metadata.name.matches("^a{1,63}$")',
]


@pytest.mark.parametrize("expression", HARMLESS)
def test_what_people_write_is_let_through(expression: str) -> None:
    check_cost(expression)


PATTERNS = [
    'l.exists(i, i.matches("(a?){50}(a*){200}z"))',
    f'l.exists(i, i.matches("{"a?" * 60}"))',
    "l.exists(i, i.matches(pattern))",
    "l.exists(i, l.all(j, j.matches(i + i)))",
    'l.exists(i, matches(i, "a"))',
]


@pytest.mark.parametrize("expression", PATTERNS)
def test_patterns_that_are_matched_again_and_again_are_small(expression: str) -> None:
    with pytest.raises(TooCostly, match="within a comprehension") as refused:
        check_cost(expression)

    assert expression[refused.value.place :].startswith("matches(")


def test_places_stay_where_they_were() -> None:
    text = 'a == "b.map(c" // "\n&& r"\\" == """x\ny"""'

    bare = without_texts(text)

    assert len(bare) == len(text)
    assert bare.count("\n") == text.count("\n")
    assert "map" not in bare
    assert bare.index("&&") == text.index("&&")
