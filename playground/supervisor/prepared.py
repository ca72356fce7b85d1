"""Whether the database needs preparing, answered without loading Django.

A second start should be quick, and asking Django whether migrations are due
costs over a second. So `prepare` leaves a stamp: a digest of the migrations'
names and of the libraries' versions, valid for the SQLite file beside it.
Another database is prepared at every start.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from playground.config import environment


def is_prepared(data: Path) -> bool:
    stamp = data / "prepared"
    return _database(data).exists() and stamp.exists() and stamp.read_text(encoding="ascii") == _digest(data)


def mark_prepared(data: Path) -> None:
    if _database(data).exists():
        (data / "prepared").write_text(_digest(data), encoding="ascii")


def _database(data: Path) -> Path:
    return data / "playground.sqlite3"


def _digest(data: Path) -> str:
    # The inode: a database that was put in the place of another one is not the one that was prepared.
    digest = hashlib.sha256(str(_database(data).stat().st_ino).encode("ascii"))
    for path in sorted((environment.PROJECT / "playground").glob("*/migrations/*.py")):
        digest.update(f"{path.relative_to(environment.PROJECT)} {path.stat().st_size}\n".encode())
    digest.update((environment.PROJECT / "requirements.txt").read_bytes())
    return digest.hexdigest()
