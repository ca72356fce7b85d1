"""One instance per data folder: a lock the system drops by itself when its holder ends, however it ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TextIO


class AlreadyRunning(Exception):
    """Another supervisor has this data folder; the text tells which."""


class InstanceLock:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "up.lock"
        self._stream: TextIO | None = None

    def acquire(self) -> None:
        stream = self.path.open("a+", encoding="ascii")
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            holder = stream.read().strip() or "unknown"
            stream.close()
            raise AlreadyRunning(
                f"The playground already runs with the data folder {self.path.parent} ({holder}). "
                "Stop it with Ctrl-C there, or choose another folder: PLAYGROUND_DATA=..."
            ) from None
        self._stream = stream
        self.describe(f"process {os.getpid()}")

    def describe(self, text: str) -> None:
        """What a second instance is told about this one."""
        assert self._stream is not None
        self._stream.truncate(0)
        self._stream.write(text)
        self._stream.flush()

    def release(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None
