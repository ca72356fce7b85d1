"""CEL for plugins: types are known before anything runs, and nothing may grow or go on for ever."""

from __future__ import annotations

import pytest

from scheduler_core.plugins.cel.errors import CelBudgetError, CelCompileError, CelEvaluationError
from scheduler_core.plugins.cel.language import CelExpression, Purpose
from scheduler_core.plugins.cel.variables import POD_FIELDS

REFUSED = [
    ("an unknown field", "node.lables.x", (1, 12), "known are node.name, node.labels"),
    ("the whole node", "node == node", (1, 1), "undeclared reference to 'node'"),
    ("a text compared with a number", 'node.labels["x"]\n  == 3', (2, 3), "no matching overload"),
    ("half an expression", "node.name ==", (1, 13), "Syntax error"),
    ("nothing", " ", (1, 2), "Syntax error"),
    ("a number as a filter", "3", (1, 1), "type int, expected true or false"),
    ("two maps", "[1].map(a, a).map(b, b).size() == 1", (1, 14), "only one map()"),
    ("three levels", "node.pods.all(a, node.pods.all(b, node.pods.all(c, true)))", (1, 44), "more than 2 deep"),
    ("nine comprehensions", " && ".join(["node.pods.all(p, true)"] * 9), (1, 218), "more than 8"),
    ("text that grows", "node.pods.exists(p, p.name + p.name == 'x')", (0, 0), "cannot be added"),
    ("a list that grows", "(node.pods + node.pods).exists(p, true)", (0, 0), "cannot be added"),
    ("a list put together", "[node.name].exists(a, a == 'x')", (1, 1), "constants only"),
    ("one behind a question mark", "(true ? [node.name] : ['']).exists(a, true)", (1, 9), "constants only"),
    ("a map put together", "{'a': node.name}.exists(a, true)", (1, 1), "constants only"),
    ("a raw text", r'r"\".map(x,x).map(y,y) == r"\"', (1, 1), "plain quotes"),
    ("a long text", '"""a""" == node.name', (1, 1), "plain quotes"),
    ("a comment", "true // or not", (1, 6), "comments"),
    (
        "a pattern matched again and again",
        "node.images.exists(i, i.matches('(a?){50}'))",
        (1, 25),
        "matches() takes a text in quotes of at most 100",
    ),
    (
        "lists compared again and again",
        "node.pods.all(a, node.pods.all(b, node.pods == node.pods))",
        (1, 35),
        "a whole list or map cannot be compared",
    ),
    (
        "lists in a list",
        "node.pods.map(p, node.pods).all(a, a == a)",
        (1, 18),
        "a whole list or map cannot be compared",
    ),
    ("deep nesting", "node.labels" + ".a" * 900 + " == 1", (0, 0), "max recursion depth of 32"),
    ("many brackets", "(" * 1000 + "true" + ")" * 1000, (0, 0), "recursion limit exceeded"),
    ("half a character", 'node.name == "\ud83d"', (0, 0), "half a character"),
    ("too much", f"node.name == '{'x' * 2048}'", (0, 0), "longer than 2048"),
]


@pytest.mark.parametrize(("text", "place", "told"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_refused_with_its_place(text: str, place: tuple[int, int], told: str) -> None:
    with pytest.raises(CelCompileError) as refused:
        CelExpression(text, Purpose.FILTER)

    problem = refused.value.problems[0]
    assert told in problem.message
    assert (problem.line, problem.column) == place


FINE = [
    "node.pods.exists(p, p.labels == pod.labels)",
    "node.pods.exists(p, node.taints.exists(t, t.key in p.labels && t.key in pod.labels))",
    'node.pods.exists(p, p.labels[?"app"].orValue("") in ["a", "b"])',
    "node.pods.filter(p, int(p.priority) + 1 > 3).size() < 3",
    'node.taints.exists(t, t.key == "gpu" && t.effect == "NoSchedule")',
    'node.name.matches("^worker-[0-9]+$") || "a.map(b).map(c)" == node.name',
    'pod.name + "x" == node.name',
    'pod.spec.containers.all(c, c.image.startsWith("registry.example/"))',
]


@pytest.mark.parametrize("text", FINE)
def test_what_people_want_is_allowed(text: str) -> None:
    assert CelExpression(text, Purpose.FILTER).reads


KEYS = [
    ('node.labels["x"] == "a"', {"x"}),
    ('"a/b" in node.labels && node.labels[?"c"].orValue("") == ""', {"a/b", "c"}),
    ("has(node.labels.foo) || node.labels.?bar.orValue('') == ''", {"foo", "bar"}),
    ("node.labels.foo.startsWith('a')", {"foo"}),
    ("node.labels.size() == 3", None),
    ("node.labels.exists(k, k == 'a')", None),
    ("node.labels == node.annotations", None),
    ("node.labels[node.name] == 'x'", None),
    ('"a" + "b" in node.labels', None),
    ("node.name in node.labels", None),
    (r'"c\"d" in node.labels', None),
]


@pytest.mark.parametrize(("text", "keys"), KEYS)
def test_it_is_known_which_keys_of_a_map_are_asked_for(text: str, keys: set[str] | None) -> None:
    assert CelExpression(text, Purpose.FILTER).keys["node.labels"] == keys


FIELDS = [
    ("node.pods.size() == 0", set()),
    ("node.pods.exists(p, p.labels[?'app'].orValue('') == p.name)", {"labels", "name"}),
    ("node.pods.all(p, node.pods.exists_one(q, q.priority > 1 || p.namespace == ''))", {"namespace", "priority"}),
    ("node.pods.exists(p, has(p.labels.app) && pod.name != 'p')", {"labels"}),
    ("node.pods.exists(p, p['name'] == 'x')", None),
    ("node.pods.exists(p, p == p)", None),
    ("node.pods.exists(p, p.size() == 5)", None),
    ("node.pods.filter(p, p.name == 'x').exists(q, q.priority > 1)", None),
    ("node.pods[0].name == 'x'", None),
]


@pytest.mark.parametrize(("text", "fields"), FIELDS)
def test_it_is_known_what_is_asked_of_the_pods_on_a_node(text: str, fields: set[str] | None) -> None:
    expected = POD_FIELDS if fields is None else fields

    assert CelExpression(text, Purpose.FILTER).pod_fields == expected


def test_a_missing_key_is_told_with_its_place_and_the_way_out() -> None:
    expression = CelExpression('node.name == "n1" &&\n  node.labels["zone"] == "x"', Purpose.FILTER)

    with pytest.raises(CelEvaluationError) as failed:
        expression.evaluate({"node.name": "n1", "node.labels": {}})

    problem = failed.value.problem
    assert problem.message == 'there is no key "zone"; ask for it with `in`, has() or [?...].orValue(...) first'
    assert (problem.line, problem.column) == (2, 16)


def test_an_endless_comprehension_hits_the_budget() -> None:
    expression = CelExpression("node.pods.all(a, node.pods.all(b, a.x != 7))", Purpose.FILTER)

    with pytest.raises(CelBudgetError, match="more than 10,000 steps"):
        expression.evaluate({"node.pods": [{"x": 1}] * 101})


SCORES = [("7", 7), ("2u", 2), ("49.5", 50), ("49.4", 49), ("dyn(3)", 3)]


@pytest.mark.parametrize(("text", "score"), SCORES)
def test_scores_are_whole_numbers_and_halves_are_rounded_up(text: str, score: int) -> None:
    assert CelExpression(text, Purpose.SCORE).evaluate({}) == score


@pytest.mark.parametrize("text", ["1 / 0", "1.0 / 0.0", "dyn('many')", "dyn(true)"])
def test_what_is_no_score_fails(text: str) -> None:
    with pytest.raises(CelEvaluationError):
        CelExpression(text, Purpose.SCORE).evaluate({})
