"""Patches are pure, follow the schema, and take nothing for granted."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.clusters.admission.schema import shape_of
from playground.clusters.kinds import KINDS
from playground.clusters.patches import json_patch, merge_patch, strategic_merge_patch, three_way_merge
from playground.common.errors import BadRequest, Invalid

POD = shape_of(KINDS["Pod"].definition)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=10,
)
without_null = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=10,
)


@given(json_values, without_null)
def test_a_merge_patch_applied_twice_is_applied_once(current: Any, patch: Any) -> None:
    before = deepcopy(current)
    once = merge_patch(current, patch)
    assert merge_patch(once, patch) == once
    assert current == before


def test_a_merge_patch_as_the_standard_shows_it() -> None:
    for current, patch, result in (
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": [1]}, {"a": 1}, {"a": 1}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ([1, 2], {"a": 1}, {"a": 1}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ):
        assert merge_patch(current, patch) == result


@pytest.mark.parametrize(
    ("operation", "result"),
    [
        ({"op": "add", "path": "/c", "value": 1}, {"a": [1, 2], "b": {"x": 1}, "c": 1}),
        ({"op": "add", "path": "/a/-", "value": 3}, {"a": [1, 2, 3], "b": {"x": 1}}),
        ({"op": "add", "path": "/a/0", "value": 0}, {"a": [0, 1, 2], "b": {"x": 1}}),
        ({"op": "remove", "path": "/a/0"}, {"a": [2], "b": {"x": 1}}),
        ({"op": "replace", "path": "/b/x", "value": 2}, {"a": [1, 2], "b": {"x": 2}}),
        ({"op": "move", "from": "/b/x", "path": "/y"}, {"a": [1, 2], "b": {}, "y": 1}),
        ({"op": "copy", "from": "/a", "path": "/b/a"}, {"a": [1, 2], "b": {"x": 1, "a": [1, 2]}}),
        ({"op": "replace", "path": "", "value": {}}, {}),
    ],
)
def test_a_json_patch_operation(operation: dict[str, Any], result: Any) -> None:
    document = {"a": [1, 2], "b": {"x": 1}}
    assert json_patch(document, [operation]) == result
    assert document == {"a": [1, 2], "b": {"x": 1}}


@pytest.mark.parametrize(
    ("operation", "error"),
    [
        ({"op": "remove", "path": "/nope"}, Invalid),
        ({"op": "replace", "path": "/a/7", "value": 1}, Invalid),
        ({"op": "add", "path": "/a/x", "value": 1}, Invalid),
        ({"op": "remove", "path": ""}, Invalid),
        ({"op": "add", "path": "/b/x/y", "value": 1}, Invalid),
        ({"op": "add", "path": "a", "value": 1}, BadRequest),
        ({"op": "add", "path": "/a"}, BadRequest),
        ({"op": "explode", "path": "/a"}, BadRequest),
        ("nonsense", BadRequest),
    ],
)
def test_a_json_patch_that_does_not_apply(operation: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        json_patch({"a": [1, 2], "b": {"x": 1}}, [operation])


def pod(*containers: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return {"spec": {"containers": list(containers), **spec}}


def test_copies_that_double_the_object_are_stopped() -> None:
    doubling = [{"op": "copy", "from": "", "path": f"/copy-{number}"} for number in range(40)]
    with pytest.raises(BadRequest, match="copies more than"):
        json_patch({"a": 1}, doubling)


def test_a_json_patch_that_is_nested_too_deeply_is_refused() -> None:
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(BadRequest, match="nested too deeply"):
        json_patch({}, [{"op": "add", "path": "/a", "value": deep}])


def test_a_strategic_merge_patch_knows_which_lists_are_merged() -> None:
    current = pod({"name": "a", "image": "x"}, tolerations=[{"key": "k"}])
    patch = pod({"name": "a", "args": ["-v"]}, {"name": "b"}, tolerations=[{"key": "l"}])
    assert strategic_merge_patch(current, patch, POD) == pod(
        {"name": "a", "image": "x", "args": ["-v"]}, {"name": "b"}, tolerations=[{"key": "l"}]
    )


def test_the_directives_of_a_strategic_merge_patch() -> None:
    current = pod({"name": "a", "image": "x"}, volumes=[{"name": "v", "emptyDir": {}}])
    assert strategic_merge_patch(current, pod({"$patch": "replace"}, {"name": "b"}), POD)["spec"]["containers"] == [
        {"name": "b"}
    ]
    retain = {"spec": {"volumes": [{"name": "v", "$retainKeys": ["name", "hostPath"], "hostPath": {"path": "/"}}]}}
    assert strategic_merge_patch(current, retain, POD)["spec"]["volumes"] == [{"name": "v", "hostPath": {"path": "/"}}]
    finalizers = {"metadata": {"finalizers": ["a", "b"]}}
    drop = {"metadata": {"$deleteFromPrimitiveList/finalizers": ["a"], "finalizers": ["c"]}}
    assert strategic_merge_patch(finalizers, drop, POD) == {"metadata": {"finalizers": ["b", "c"]}}
    with pytest.raises(BadRequest, match="'name'"):
        strategic_merge_patch(current, pod({"image": "nameless"}), POD)


def test_apply_merges_three_ways() -> None:
    original = pod({"name": "a", "image": "1"}, {"name": "old", "image": "x"}, nodeName="n")
    modified = pod({"name": "a", "image": "2"})
    live = pod(
        {"name": "a", "image": "1", "imagePullPolicy": "Always"},
        {"name": "old", "image": "x"},
        {"name": "injected", "image": "y"},
        nodeName="n",
        dnsPolicy="ClusterFirst",
    )
    assert three_way_merge(original, modified, live, POD) == pod(
        {"name": "a", "image": "2", "imagePullPolicy": "Always"},
        {"name": "injected", "image": "y"},
        dnsPolicy="ClusterFirst",
    )


@given(without_null)
def test_applying_what_is_there_changes_nothing(value: Any) -> None:
    assert three_way_merge(value, value, value, None) == value
