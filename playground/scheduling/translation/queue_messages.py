"""What happened to the queue, in messages of bounded size.

One event can move thousands of pods at once. The moves stay in their order; a
pod's card goes with its last move, so that after the last message everything
stands as it does in the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from playground.live.messages import QueuedPodCard
from scheduler_core.report import ClusterEventReport, QueueMove

T = TypeVar("T")

# Moves, cards and uids of one message.
MOST = 500
# Events of one message; each names some dozens of pods.
MOST_EVENTS = 50


def queue_messages(
    scheduler: str,
    moves: Sequence[QueueMove],
    cards: Sequence[QueuedPodCard],
    gone: Sequence[str],
    events: Sequence[ClusterEventReport] = (),
) -> Iterator[dict[str, Any]]:
    """Payloads of the topic `queue` about the queue of one scheduler; events come before the moves they caused."""
    for start in range(0, len(events), MOST_EVENTS):
        yield {**_message(scheduler, (), (), ()), "events": events[start : start + MOST_EVENTS]}
    last_part = {move.pod.uid: i // MOST for i, move in enumerate(moves)}
    cards_of, gone_of = _by_part(last_part, cards, lambda card: card.pod.uid), _by_part(last_part, gone, str)
    for part in range(-(-len(moves) // MOST)):
        some = moves[part * MOST : (part + 1) * MOST]
        yield _message(scheduler, some, cards_of.get(part, []), gone_of.get(part, []))
    # Pods that did not move but stand elsewhere in their queue, or were found gone.
    rest, missing = cards_of.get(None, []), gone_of.get(None, [])
    for start in range(0, max(len(rest), len(missing)), MOST):
        yield _message(scheduler, (), rest[start : start + MOST], missing[start : start + MOST])


def _message(
    scheduler: str, moves: Sequence[QueueMove], cards: Sequence[QueuedPodCard], gone: Sequence[str]
) -> dict[str, Any]:
    return {"scheduler": scheduler, "moves": moves, "pods": cards, "gone": gone}


def _by_part(parts: Mapping[str, int], items: Sequence[T], uid_of: Callable[[T], str]) -> dict[int | None, list[T]]:
    """Items by the message their pod moves in last; None: it does not move."""
    found: dict[int | None, list[T]] = {}
    for item in items:
        found.setdefault(parts.get(uid_of(item)), []).append(item)
    return found
