"""What a page shows beside the objects, folded from the messages of the feed.

    sections = Sections()
    sections.take(topic, payload)          a message; `take_deleted(uid)` for a pod that is gone
    later = earlier.followed_by(sections)

The fold is the page's own (`frontend/src/model/apply_event.ts`): whatever was
told last counts, a deleted pod is nowhere any more. `Sections` folded from some
messages are a difference as well: None says that something went away, so they
can be laid over what was there before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Card = dict[str, Any]

# The snapshot has so many decisions, the newest ones.
NEWEST_DECISIONS = 200
_ENDED = ("bound", "failed")
# The scheduler that every cluster has, and that what names none is about.
FIRST_SCHEDULER = "kube-scheduler"
# Wide enough for any sequence, so that keys sort as numbers.
_SEQUENCE_DIGITS = 20


def queue_key(uid: str, scheduler: str) -> str:
    """Two schedulers may have the same pod in their queues. The first, mostly the only one, needs no name."""
    return uid if scheduler == FIRST_SCHEDULER else f"{uid} {scheduler}"


def sequence_key(sequence: int) -> str:
    return str(sequence).zfill(_SEQUENCE_DIGITS)


@dataclass(slots=True, kw_only=True)
class Sections:
    """By topic and key; None where it went away."""

    queue: dict[str, Card | None] = field(default_factory=dict)
    bindings: dict[str, Card | None] = field(default_factory=dict)
    decisions: dict[str, Card | None] = field(default_factory=dict)
    cluster: dict[str, Card | None] = field(default_factory=dict)

    def take(self, topic: str, payload: Mapping[str, Any]) -> None:
        _TAKE[topic](self, payload)

    def take_deleted(self, uid: str) -> None:
        for cards in (self.queue, self.bindings):
            # Schedulers that were not heard of here tell it themselves: the pod leaves their queues.
            cards.update(dict.fromkeys([uid, *(key for key in cards if key.startswith(f"{uid} "))]))

    def put(self, topic: str, key: str, card: Card) -> None:
        """What is known to be there."""
        self.by_topic()[topic][key] = card

    def by_topic(self) -> dict[str, dict[str, Card | None]]:
        return {
            "queue": self.queue,
            "bindings": self.bindings,
            "decisions": self.decisions,
            "cluster": self.cluster,
        }

    def followed_by(self, later: Sections) -> Sections:
        return Sections(
            queue={**self.queue, **later.queue},
            bindings={**self.bindings, **later.bindings},
            decisions=_newest({**self.decisions, **later.decisions}),
            cluster={**self.cluster, **later.cluster},
        )

    def _take_queue(self, payload: Mapping[str, Any]) -> None:
        scheduler = payload.get("scheduler", FIRST_SCHEDULER)
        self.queue.update((queue_key(card["pod"]["uid"], scheduler), card) for card in payload["pods"])
        self.queue.update(dict.fromkeys(queue_key(uid, scheduler) for uid in payload["gone"]))

    def _take_bindings(self, payload: Mapping[str, Any]) -> None:
        for card in payload["bindings"]:
            key = queue_key(card["pod"]["uid"], card.get("scheduler", FIRST_SCHEDULER))
            self.bindings[key] = None if card["phase"] in _ENDED else card

    def _take_decisions(self, payload: Mapping[str, Any]) -> None:
        self.decisions.update((sequence_key(each["sequence"]), each) for each in payload["decisions"])
        if len(self.decisions) > 10 * NEWEST_DECISIONS:
            self.decisions = _newest(self.decisions)

    def _take_cluster(self, payload: Mapping[str, Any]) -> None:
        self.cluster[""] = payload["cluster"]


def _newest(decisions: dict[str, Card | None]) -> dict[str, Card | None]:
    return dict(sorted(decisions.items())[-NEWEST_DECISIONS:])


def there(cards: Mapping[str, Card | None]) -> list[Card]:
    """What has not gone away."""
    return [card for card in cards.values() if card is not None]


_TAKE: Mapping[str, Callable[[Sections, Mapping[str, Any]], None]] = {
    "queue": Sections._take_queue,
    "bindings": Sections._take_bindings,
    "decisions": Sections._take_decisions,
    "cluster": Sections._take_cluster,
}
