"""What is told about the comparison is what is compared."""

from __future__ import annotations

import gzip
from pathlib import Path

from scheduler_core.conformance.coverage import COMPARISONS

FOLDER = Path(__file__).parent


def test_every_file_of_cases_is_told_with_its_number_of_cases() -> None:
    counted = {}
    for path in FOLDER.glob("*.jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            counted[path.name.removesuffix(".jsonl.gz")] = sum(1 for line in lines if line.strip())
    assert {comparison.name: comparison.cases for comparison in COMPARISONS} == counted
