"""A running `manage.py up`: the stack under its supervisor, which starts again what died."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil

from playground.config import environment
from tests.services.running import clean_environ, wait_for

PARTS = {"valkey", "web", "scheduler", "worker"}
# What each one's command line has in it.
WORDS = {"valkey": "valkey-server", "web": "daphne", "scheduler": "scheduler@", "worker": "worker@"}


class Up:
    """A running `manage.py up`."""

    def __init__(self, data: Path, **environ: str) -> None:
        self.output = data / "output"
        data.mkdir(exist_ok=True)
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up", "--data", str(data)],
                cwd=environment.PROJECT,
                env=clean_environ(**environ),
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def said(self) -> str:
        return self.output.read_text()

    def wait_ready(self) -> str:
        """Its address."""
        wait_for(lambda: "is ready" in self.said() or self.process.poll() is not None, seconds=60, what="ready")
        found = re.search(r"ready: (http://127\.0\.0\.1:\d+/)", self.said())
        assert found, self.said()
        return found[1]

    def parts(self) -> dict[str, psutil.Process]:
        """Children that live, by what they are."""
        children = psutil.Process(self.process.pid).children()
        return {_part(child): child for child in children if child.status() != psutil.STATUS_ZOMBIE}

    def end(self) -> None:
        """Ctrl-C, where it still runs."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)


def _part(process: psutil.Process) -> str:
    try:
        line = " ".join(process.cmdline())
    except psutil.ZombieProcess:
        return "dead"
    return next((part for part, word in WORDS.items() if word in line), line)
