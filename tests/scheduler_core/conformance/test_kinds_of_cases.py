"""A wrong answer is told, for every kind of case."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.conformance import config, hints, timelines
from scheduler_core.conformance.files import read_cases
from scheduler_core.conformance.kinds import kind_of

NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n1", "labels": {"disk": "ssd"}},
    "status": {"allocatable": {"cpu": "1", "memory": "1Gi", "pods": "10"}},
}
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "a", "namespace": "default"},
    "spec": {"containers": [{"name": "c", "image": "i"}], "nodeSelector": {"disk": "ssd"}},
}
HINT = {
    "name": "h", "plugin": "NodeAffinity", "pod": POD, "event": "Node", "action": "Add",
    "new": NODE, "objects": [], "expect": ["Queue"],
}  # fmt: skip
TIMELINE = {
    "name": "t", "objects": [NODE], "steps": [{"at": 0.2, "create": POD}], "sample": [0.5], "until": 1,
    "expect": {
        "SchedulerPopFromBackoffQ=false": {
            "attempts": [{"t": 0.2, "pod": "default/a", "outcome": "scheduled", "node": "n1"}],
            "samples": [{"t": 0.5, "active": [], "backoff": [], "unschedulable": [], "bound": ["default/a@n1"]}],
        }
    },
}  # fmt: skip
HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"


def test_hints_are_compared() -> None:
    assert hints.run_case(HINT) == []
    assert [mismatch.got for mismatch in hints.run_case({**HINT, "expect": ["QueueSkip"]})] == [["Queue"]]
    assert hints.run_case({**HINT, "action": "Delete", "expect": ["NotRegistered"]}) == []
    assert [mismatch.what for mismatch in hints.run_case({**HINT, "plugin": "Nope"})] == ["plugin"]


def test_registered_events_are_compared() -> None:
    right = [{"resource": "Node", "actions": ["UpdateNodeLabel", "Add"], "queueingHint": True}]
    assert hints.run_registered_events({"NodeAffinity": right}) == []
    assert len(hints.run_registered_events({"NodeAffinity": []})) == 1


@pytest.mark.parametrize(
    ("path", "value", "what"),
    [
        (("attempts", 0, "node"), "n2", "attempt"),
        (("attempts", 0, "t"), 3.0, "attempt"),
        (("attempts",), [], "attempt"),
        (("samples", 0, "backoff"), ["default/a"], "backoff"),
        (("samples", 0, "bound"), [], "bound"),
    ],
)
def test_timelines_are_compared(path: tuple[Any, ...], value: Any, what: str) -> None:
    assert timelines.run_case(TIMELINE) == []
    wrong: Any = copy.deepcopy(TIMELINE)
    place = wrong["expect"]["SchedulerPopFromBackoffQ=false"]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert [mismatch.what for mismatch in timelines.run_case(wrong)] == [what]


@pytest.mark.parametrize(
    ("yaml", "error", "same"),
    [
        ("parallelism: 0", "parallelism: Invalid value: 0: should be an integer value greater than zero", True),
        ("parallelism: 0", "parallelism: Invalid value: 0: should be greater", False),
        ("parallelism: 1", "something", False),
        ("profiles: [", "yaml: line 1: did not find expected node content", True),
        ("foo: 1", "yaml: line 1: did not find expected node content", False),
        ("profiles: [a]", "json: cannot unmarshal string into Go struct field X.profiles of type v1.Y", True),
        ("profiles: [a]", "json: cannot unmarshal string into Go struct field X.extenders of type v1.Y", False),
        (
            "profiles: [{pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: x}}]}]",
            "decoding .profiles[0].pluginConfig[0]: decoding args for plugin InterPodAffinity: "
            "json: cannot unmarshal string into Go struct field Args.hardPodAffinityWeight of type int32",
            True,
        ),
    ],
)
def test_errors_of_configurations_are_compared(yaml: str, error: str, same: bool) -> None:
    differences = config.run_case({"name": "c", "yaml": HEAD + yaml, "expect": {"error": error}})
    assert (differences == []) == same


def test_settings_and_profiles_are_compared() -> None:
    expect = {"config": {"parallelism": 15}, "profiles": {"other": {}}}
    differences = config.run_case({"name": "c", "yaml": HEAD, "expect": expect})
    assert [mismatch.what for mismatch in differences] == ["profiles", "parallelism"]


def test_a_json_file_is_one_case(tmp_path: Path) -> None:
    path = tmp_path / "registered-events.json"
    path.write_text('{\n "NodeResourcesFit": [],\n "SchedulingGates": []\n}')
    (case,) = read_cases(path)
    assert kind_of(case).name == "registered events"
