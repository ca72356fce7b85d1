"""The command line: what is printed, and the exit code."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.conformance.__main__ import main
from scheduler_core.testing import make_node, make_pod


def a_case(name: str, **expected: Any) -> dict[str, Any]:
    """One pod that fits on one of two nodes."""
    objects = [make_node("n1").build(), make_node("n2").cordoned().build()]
    rejected = {
        "n2": {
            "plugin": "NodeUnschedulable",
            "code": "UnschedulableAndUnresolvable",
            "reasons": ["node(s) were unschedulable"],
        }
    }
    answer = {
        "outcome": "scheduled",
        "pod": "default/p",
        "scheduler": "default-scheduler",
        "feasible": ["n1"],
        "best": ["n1"],
        "bound": "n1",
        "rejected": rejected,
    }
    return {"name": name, "objects": objects, "pods": [make_pod("p").build()], "expect": [answer | expected]}


def stored(path: Path, *lines: Any) -> str:
    content = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return str(path)


def test_cases_that_agree_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = stored(tmp_path / "good.jsonl.gz", a_case("one"), a_case("two"))
    assert main([path]) == 0
    assert capsys.readouterr().out == "good.jsonl.gz: 2 passed, 0 failed\n2 passed, 0 failed\n"


def test_a_difference_names_case_pod_node_and_both_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = stored(tmp_path / "bad.jsonl", a_case("one"), a_case("two", feasible=["n1", "n2"], rejected={}))
    assert main([path]) == 1
    printed = capsys.readouterr().out
    assert "two default/p feasible\n    expected ['n1', 'n2']\n    got      ['n1']" in printed
    assert "two default/p n2 rejected\n    expected None" in printed
    assert printed.endswith("1 passed, 1 failed\n")


def test_many_differences_are_shown_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = stored(tmp_path / "bad.jsonl", *(a_case(f"case-{i}", best=["n2"]) for i in range(30)))
    assert main([path]) == 1
    assert "... 20 more differences, -v shows them" in capsys.readouterr().out
    assert main(["-v", path]) == 1
    assert "case-29 default/p best" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        pytest.param([{"name": "x", "recipe": []}], "is of no known kind", id="unknown kind"),
        pytest.param(["{"], "line 1: ", id="not JSON"),
        pytest.param([""], "has no cases", id="empty"),
    ],
)
def test_a_file_that_cannot_be_run_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[Any], message: str
) -> None:
    assert main([stored(tmp_path / "odd.jsonl", *lines)]) == 1
    assert message in capsys.readouterr().out


def test_a_file_that_is_not_there_fails_and_the_others_still_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = stored(tmp_path / "good.jsonl", a_case("one"))
    assert main([str(tmp_path / "gone.jsonl.gz"), good]) == 1
    printed = capsys.readouterr().out
    assert "gone.jsonl.gz: cannot be read" in printed
    assert printed.endswith("1 passed, 0 failed\n")


def test_a_damaged_archive_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(a_case("one")).encode())[:-20])
    assert main([str(path)]) == 1
    assert "cannot be read" in capsys.readouterr().out
