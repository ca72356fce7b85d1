from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.label_selector import (
    EVERYTHING,
    NOTHING,
    LabelSelector,
    Selector,
    compile_selector,
    parse_int64,
    selector_from_map,
)


def compiled(**fields: Any) -> Selector:
    return compile_selector(decode_as(LabelSelector, fields))


# (name, selector, matches {"app": "web", "tier": "front"})
SELECTORS = [
    ("all pairs", {"matchLabels": {"app": "web", "tier": "front"}}, True),
    ("one pair differs", {"matchLabels": {"app": "web", "tier": "back"}}, False),
    ("In", {"matchExpressions": [{"key": "app", "operator": "In", "values": ["db", "web"]}]}, True),
    ("NotIn", {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]}, False),
    ("NotIn on an absent key", {"matchExpressions": [{"key": "gone", "operator": "NotIn", "values": ["x"]}]}, True),
    ("Exists", {"matchExpressions": [{"key": "app", "operator": "Exists"}]}, True),
    ("DoesNotExist", {"matchExpressions": [{"key": "gone", "operator": "DoesNotExist"}]}, True),
    (
        "pairs and expressions",
        {"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "tier", "operator": "In", "values": ["back"]}]},
        False,
    ),
    ("an empty selector", {}, True),
    ("a key no label can have", {"matchExpressions": [{"key": "-x", "operator": "DoesNotExist"}]}, False),
    ("a value no label can have", {"matchExpressions": [{"key": "a", "operator": "NotIn", "values": ["-1"]}]}, False),
    ("In without values matches nothing", {"matchExpressions": [{"key": "app", "operator": "In"}]}, False),
]


@pytest.mark.parametrize(("name", "written", "matches"), SELECTORS, ids=[row[0] for row in SELECTORS])
def test_a_selector_matches(name: str, written: dict[str, Any], matches: bool) -> None:
    assert compiled(**written).matches({"app": "web", "tier": "front"}) is matches


def test_an_absent_selector_matches_nothing_and_an_empty_one_everything() -> None:
    assert compile_selector(None) == NOTHING
    assert compiled() == EVERYTHING
    assert not NOTHING.matches({})
    assert EVERYTHING.matches({})
    assert EVERYTHING.is_empty
    assert not NOTHING.is_empty


def test_two_spellings_of_one_selector_are_equal() -> None:
    pairs = compiled(matchLabels={"a": "1", "b": "2"})
    expressions = compiled(
        matchExpressions=[
            {"key": "b", "operator": "In", "values": ["2"]},
            {"key": "a", "operator": "In", "values": ["1"]},
            {"key": "a", "operator": "In", "values": ["1"]},
        ]
    )
    assert pairs == expressions == selector_from_map({"b": "2", "a": "1"})
    assert hash(pairs) == hash(expressions)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("-7", -7),
        ("+7", 7),
        ("007", 7),
        ("7.0", None),
        ("", None),
        (" 7", None),
        ("1_0", None),
        (str(2**63), None),
    ],
)
def test_only_64_bit_integers_compare(text: str, number: int | None) -> None:
    assert parse_int64(text) == number
