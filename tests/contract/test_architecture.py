"""The layers of docs/architecture.md hold: import-linter's contracts (pyproject.toml) are kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
LINT_IMPORTS = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"


def test_every_import_contract_is_kept() -> None:
    result = subprocess.run(
        [sys.executable, "-c", LINT_IMPORTS], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert " 0 broken" in result.stdout
