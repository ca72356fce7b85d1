"""What happened in the queue since somebody asked: moves of pods, and whose state is another than before."""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.queue.queued_pod import BACKOFF_Q, GATED, UNSCHEDULABLE_PODS, QueuedPod, skip_counts
from scheduler_core.queue.queueing_hints import SKIP, Occurrence, Worth
from scheduler_core.report import QueueMove


class Journal:
    """Of one queue."""

    def __init__(self, *, keep_moves: bool) -> None:
        self._keep_moves = keep_moves
        self._moves: list[QueueMove] = []
        # Uids, in the order they first changed.
        self._changed: dict[str, None] = {}

    def changed(self, uids: Iterable[str]) -> None:
        """The states of these pods changed, wherever they are."""
        self._changed.update(dict.fromkeys(uids))

    def moved(
        self,
        queued: QueuedPod,
        source: str,
        label: str,
        worth: Worth = SKIP,
        cause: Occurrence | None = None,
        subject: str = "",
    ) -> None:
        """The pod came from `source` to where it is now. `subject`: the object concerned, where there is no `cause`."""
        self._changed[queued.uid] = None
        if not self._keep_moves:
            return
        move = QueueMove(
            pod=queued.ref,
            source=source,
            target=queued.queue,
            event=label,
            object=cause.object if cause else subject,
            plugin=worth.plugin,
            hint=worth.reason,
            attempts=queued.attempts,
            at=queued.since,
            backoff_until=queued.backoff_until if queued.queue == BACKOFF_Q else None,
            unschedulable_plugins=list(queued.unschedulable_plugins),
            pending_plugins=list(queued.pending_plugins),
            message=queued.message,
            skips=skip_counts(queued.skips) if source in (UNSCHEDULABLE_PODS, GATED) else [],
        )
        self._moves.append(move)

    def drain_moves(self) -> list[QueueMove]:
        moves, self._moves = self._moves, []
        return moves

    def drain_changed(self) -> list[str]:
        changed, self._changed = self._changed, {}
        return list(changed)
