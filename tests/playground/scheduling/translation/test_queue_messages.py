"""However many pods move at once, a message stays small and the last one leaves everything right."""

from __future__ import annotations

import pytest

from playground.live.messages import QueuedPodCard
from playground.scheduling.translation import queue_messages as module
from playground.scheduling.translation.queue_messages import queue_messages
from scheduler_core.report import PodRef, QueueMove


@pytest.fixture(autouse=True)
def small_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3)


def ref(uid: str) -> PodRef:
    return PodRef(namespace="default", name=uid, uid=uid)


def moves(*uids: str) -> list[QueueMove]:
    return [QueueMove(pod=ref(uid), source="activeQ", target="backoffQ", event="X") for uid in uids]


def cards(*uids: str) -> list[QueuedPodCard]:
    return [
        QueuedPodCard(
            pod=ref(uid), scheduler="kube-scheduler", queue="backoffQ", position=0.0, priority=0, attempts=1, since=0.0
        )
        for uid in uids
    ]


def told(moves_: list[QueueMove], cards_: list[QueuedPodCard], gone: list[str]) -> list[tuple[str, str, str]]:
    """Each message's uids: of its moves, its cards, the gone ones."""
    return [
        (
            "".join(move.pod.uid for move in message["moves"]),
            "".join(card.pod.uid for card in message["pods"]),
            "".join(message["gone"]),
        )
        for message in queue_messages("kube-scheduler", moves_, cards_, gone)
    ]


def test_few_moves_are_one_message() -> None:
    assert told(moves("a", "b"), cards("a"), ["b"]) == [("ab", "a", "b")]


def test_many_moves_keep_their_order_and_a_card_goes_with_its_last_move() -> None:
    assert told(moves("a", "b", "c", "a", "d"), cards("a", "b", "d"), ["c"]) == [("abc", "b", "c"), ("ad", "ad", "")]


def test_pods_that_did_not_move_come_last() -> None:
    assert told(moves("a"), cards("x", "a", "y", "z", "w"), ["v"]) == [("a", "a", ""), ("", "xyz", "v"), ("", "w", "")]


def test_nothing_is_no_message() -> None:
    assert told([], [], []) == []
