"""Runs conformance files and prints what differs.

    python -m scheduler_core.conformance [-v] FILE...

Exit code 1: something differs, or a file cannot be read or is of no known kind.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scheduler_core.conformance.files import FileError, read_cases
from scheduler_core.conformance.kinds import UnknownKindError, kind_of
from scheduler_core.conformance.mismatch import Mismatch

# Differences printed per file without -v.
_SHOWN = 10


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m scheduler_core.conformance", description=__doc__)
    parser.add_argument("-v", "--verbose", action="store_true", help="print every difference")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    passed = failed = 0
    broken = False
    for path in options.files:
        try:
            good, bad = run_file(path, verbose=options.verbose)
        except (FileError, UnknownKindError) as error:
            print(f"{path}: {error}")
            broken = True
            continue
        passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or broken else 0


def run_file(path: Path, *, verbose: bool) -> tuple[int, int]:
    """Cases passed and failed."""
    passed = failed = 0
    differences: list[Mismatch] = []
    for case in read_cases(path):
        found = kind_of(case).run_case(case)
        differences.extend(found)
        passed, failed = (passed, failed + 1) if found else (passed + 1, failed)
    shown = differences if verbose else differences[:_SHOWN]
    for difference in shown:
        print(difference)
    if len(differences) > len(shown):
        print(f"... {len(differences) - len(shown)} more differences, -v shows them")
    print(f"{path.name}: {passed} passed, {failed} failed")
    return passed, failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
