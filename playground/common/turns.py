"""Taking turns at SQLite's one write lock.

SQLite has no queue of waiting writers: each sleeps, looks again, and sleeps
longer, up to 100 ms. A worker that writes one transaction after the other then
starves the rest. So whoever is about to write first waits for its turn at a
file lock beside the database, where the system wakes the next one at once.
PostgreSQL queues by itself; there, and inside a transaction, nothing is done.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection


@contextmanager
def turn_to_write() -> Iterator[None]:
    """Wait for the turn; it is over when the block is left, or the process dies."""
    path = _turn_file()
    if path is None or connection.in_atomic_block:
        yield
        return
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _turn_file() -> Path | None:
    name = str(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or ":memory:" in name or "mode=memory" in name:
        return None
    return Path(f"{name}-turn")
