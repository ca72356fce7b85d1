"""How long one question may take over all nodes.

What one evaluation can cost is bounded by the language; five thousand of the
costly ones would still hold up every cluster that this worker serves. So a
question is given up once it used that much of the processor. It is the time of
this thread that is counted, not that of a clock on the wall: a busy machine
changes nothing. Which answers there are never depends on it, only whether there
are any.
"""

from __future__ import annotations

import time

from scheduler_core.plugins.cel.errors import CelProblem, CelTimeError

# A plain score over 5,000 nodes takes a twentieth of it.
MOST_SECONDS = 1.0


class Patience:
    """For one question about many nodes."""

    def __init__(self, seconds: float = MOST_SECONDS) -> None:
        self._seconds = seconds
        self._began = time.thread_time()
        self._asked = 0

    def check(self) -> None:
        """After each evaluation. Raises CelTimeError."""
        self._asked += 1
        if time.thread_time() - self._began > self._seconds:
            nodes = f"{self._asked} node" if self._asked == 1 else f"{self._asked} nodes"
            raise CelTimeError(
                CelProblem(
                    f"the expression took more than {self._seconds:g} s for {nodes}; "
                    "look at fewer things, or at things that nodes have in common"
                )
            )
