"""Sharing GPUs by memory: which card of a node has room, as pure functions of manifests.

A node has `gpu-count` cards that share its `gpu-mem` evenly; a pod asks for
`gpu-mem` and gets it from one card, named in an annotation when it is bound.
The scheduler itself sees only the sum: 6 and 6 left on two cards are 12 to it,
and still no room for 8. That is what the extender is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scheduler_core.objects.quantity import parse_quantity

Manifest = Mapping[str, Any]

MEMORY = "gpushare.example/gpu-mem"
COUNT = "gpushare.example/gpu-count"
CARD = "gpushare.example/card"
# More cards than any machine has: a node that says so is not believed.
MOST_CARDS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    index: int
    # GiB, as the resource counts them.
    size: int
    used: int

    @property
    def free(self) -> int:
        return self.size - self.used


def memory_wanted(pod: Manifest) -> int:
    """Of all containers together; 0: the pod shares no GPU."""
    return sum(_amount((each.get("resources") or {}).get("requests"), MEMORY) for each in _containers(pod))


def _containers(pod: Manifest) -> Iterable[Manifest]:
    return (pod.get("spec") or {}).get("containers") or ()


def _amount(resources: Any, name: str) -> int:
    try:
        return max(0, int(parse_quantity(str(resources[name]))))
    except (KeyError, TypeError, ValueError):
        # Not asked for, or not a quantity, which the API server refuses.
        return 0


def cards_of(node: Manifest, pods: Iterable[Manifest]) -> list[Card]:
    """The node's cards; `pods`: those bound to it."""
    allocatable = (node.get("status") or {}).get("allocatable")
    count = min(_amount(allocatable, COUNT), MOST_CARDS)
    if count == 0:
        return []
    size = _amount(allocatable, MEMORY) // count
    used = dict.fromkeys(range(count), 0)
    for pod in pods:
        index = card_of(pod)
        if index in used:
            used[index] += memory_wanted(pod)
    return [Card(index=index, size=size, used=amount) for index, amount in used.items()]


def card_of(pod: Manifest) -> int | None:
    """The card a pod was given; None for one that is finished, or got none."""
    if (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed"):
        return None
    text = (pod["metadata"].get("annotations") or {}).get(CARD, "")
    return int(text) if text.isdecimal() and len(text) <= len(str(MOST_CARDS)) else None


def best_card(cards: Sequence[Card], wanted: int) -> Card | None:
    """The one that is fullest afterwards, so that whole cards stay free for those who need them."""
    with_room = [card for card in cards if card.free >= wanted]
    return min(with_room, key=lambda card: (card.free, card.index), default=None)


def refusal(cards: Sequence[Card], wanted: int) -> str:
    """Why none of them takes it; "" where one does."""
    if best_card(cards, wanted) is not None:
        return ""
    free = ", ".join(str(card.free) for card in cards)
    return f"no card with {wanted} GiB of GPU memory free (free per card: {free})" if cards else "no shared GPU"


def score(cards: Sequence[Card], wanted: int) -> int:
    """0..10: the less the best card has left afterwards, the more."""
    card = best_card(cards, wanted)
    if card is None or card.size == 0:
        return 0
    return round(10 * (card.used + wanted) / card.size)
