"""What the controllers of a cluster have asked of admission webhooks, and what came of it.

A look that wants to create what a webhook must see first is postponed, and the
question noted here (`note`). The slice is committed, the webhooks are asked
where nobody waits for them (`ask`), and the next slice finds the answers. All
of it is memory: a worker that dies asks nothing, and the next one, whose looks
are postponed for the same reason, asks again.

One thread at a time notes (whoever has the session's lock), another may ask.
It outlives the session, which a process gives up when it has many others.
"""

from __future__ import annotations

import threading
from collections import Counter

from playground.clusters.admission.mutation.calling import call_webhooks
from playground.clusters.admission.mutation.verdicts import Reading, Verdicts, WebhookCall


class Asking:
    def __init__(self) -> None:
        self.verdicts = Verdicts()
        self._lock = threading.Lock()
        self._open: list[WebhookCall] = []
        # Keys of what is being asked, or still to be.
        self._under_way: Counter[str] = Counter()
        self._answered = False

    @property
    def has_open(self) -> bool:
        """There is something to ask."""
        return bool(self._open)

    @property
    def is_under_way(self) -> bool:
        """Something was asked, and no look has been given the answer yet."""
        with self._lock:
            return bool(self._under_way) or self._answered

    def note(self, reading: Reading, *, is_settled: bool) -> None:
        """The questions a slice has met, but for those that are asked already. `is_settled`: nobody else is to look."""
        with self._lock:
            if is_settled and not reading.missing and not self._under_way:
                self.verdicts.keep_only(reading)
            known = Counter(self._under_way)
            for call in reading.missing:
                if known[call.key]:
                    known[call.key] -= 1
                else:
                    self._open.append(call)
                    self._under_way[call.key] += 1

    def ask(self) -> None:
        """Ask what is open. Whatever happens, nothing stays under way for ever."""
        with self._lock:
            calls, self._open = self._open, []
        if not calls:
            return
        try:
            call_webhooks(calls, self.verdicts)
        finally:
            with self._lock:
                self._under_way -= Counter(call.key for call in calls)
                self._answered = True

    def take_answered(self) -> bool:
        """Whether answers have come since this was asked last."""
        with self._lock:
            answered, self._answered = self._answered, False
            return answered


_lock = threading.Lock()
_asking: dict[int, Asking] = {}


def asking_of(cluster_id: int) -> Asking:
    """The one of this process and cluster."""
    with _lock:
        return _asking.setdefault(cluster_id, Asking())


def asking_drop(cluster_id: int) -> None:
    with _lock:
        _asking.pop(cluster_id, None)
