"""kube-scheduler's measured answers, file by file: every verdict, score, message and victim is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from scheduler_core.conformance.files import read_cases
from scheduler_core.conformance.kinds import kind_of

FILES = sorted([*Path(__file__).parent.glob("*.jsonl.gz"), *Path(__file__).parent.glob("*.json")])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.partition(".")[0])
def test_every_case_is_answered_as_measured(path: Path) -> None:
    differences = [str(mismatch) for case in read_cases(path) for mismatch in kind_of(case).run_case(case)]
    assert not differences, "\n".join(differences[:10])


def test_the_files_are_there() -> None:
    assert len(FILES) >= 15
