"""The proof of the live path: an old snapshot and the messages since make a fresh snapshot.

    watch = LiveWatch(cluster)              remembers the snapshot as it is now
    ...services...
    watch.assert_fresh()                    snapshot + messages = fresh snapshot, and remembers the fresh one

or, around one step: `with snapshot_plus_messages_is_fresh(cluster): ...`
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from playground.clusters.models import Cluster
from playground.clusters.sections import queue_key
from playground.live import frames
from playground.live.feed_source import feed_source
from playground.live.messages import SnapshotFrame

Json = dict[str, Any]

# The snapshot has at most this many decisions.
NEWEST_DECISIONS = 200


class LiveWatch:
    """A page, as far as its state goes."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster_id = cluster.pk
        self.state = fresh_state(self.cluster_id)

    def catch_up(self) -> list[Json]:
        """Apply what came since; answers the messages."""
        changes = feed_source().changes(self.cluster_id, self.state["version"], 1_000_000)
        if not changes:
            return []
        frame = msgspec.json.decode(frames.batch(self.cluster_id, self.state["version"], changes))
        apply_batch(self.state, frame)
        return frame["messages"]

    def assert_fresh(self) -> list[Json]:
        """What the page has by now is what a new page would get. Answers the messages since the last time."""
        messages = self.catch_up()
        fresh = fresh_state(self.cluster_id)
        for part in fresh:
            assert self.state[part] == fresh[part], f"{part}: snapshot + messages differs from a fresh snapshot"
        return messages


def assert_snapshot_plus_messages_is_fresh(watch: LiveWatch) -> list[Json]:
    return watch.assert_fresh()


@contextmanager
def snapshot_plus_messages_is_fresh(cluster: Cluster) -> Iterator[LiveWatch]:
    """Whatever is written inside is told by messages, wholly."""
    watch = LiveWatch(cluster)
    yield watch
    watch.assert_fresh()


def fresh_state(cluster_id: int) -> Json:
    return _state(frames.snapshot_frame(cluster_id))


def past_state(cluster_id: int, version: int) -> Json:
    return _state(frames.past_snapshot_frame(cluster_id, version))


def _state(snapshot: SnapshotFrame) -> Json:
    frame = msgspec.json.decode(msgspec.json.encode(snapshot))
    return {
        "version": frame["version"],
        "cluster": {key: value for key, value in frame["cluster"].items() if key != "version"},
        "objects": {each["uid"]: each for each in frame["objects"]},
        "queue": {queue_key(each["pod"]["uid"], each["scheduler"]): each for each in frame["queue"]},
        "bindings": {queue_key(each["pod"]["uid"], each["scheduler"]): each for each in frame["bindings"]},
        "decisions": {each["sequence"]: each for each in frame["decisions"]},
    }


def apply_batch(state: Json, frame: Json) -> None:
    assert frame["after"] == state["version"], "a batch must follow what the page has"
    expected = range(frame["after"] + 1, frame["version"] + 1)
    assert [message["version"] for message in frame["messages"]] == list(expected), "versions without gap"
    for message in frame["messages"]:
        _APPLY[message["type"]](state, message)
    state["version"] = frame["version"]


def _apply_object(state: Json, message: Json) -> None:
    card = message["object"]
    if message["event"] == "DELETED":
        assert state["objects"].pop(card["uid"], None) is not None, f"deleted but never seen: {card['name']}"
        # A deleted pod is nowhere any more.
        for part in ("queue", "bindings"):
            state[part] = {key: each for key, each in state[part].items() if each["pod"]["uid"] != card["uid"]}
        return
    known = card["uid"] in state["objects"]
    assert known == (message["event"] == "MODIFIED"), f"{message['event']} {card['name']}, known: {known}"
    state["objects"][card["uid"]] = card


def _apply_queue(state: Json, message: Json) -> None:
    for card in message["pods"]:
        state["queue"][queue_key(card["pod"]["uid"], message["scheduler"])] = card
    for uid in message["gone"]:
        state["queue"].pop(queue_key(uid, message["scheduler"]), None)


def _apply_decisions(state: Json, message: Json) -> None:
    for decision in message["decisions"]:
        state["decisions"][decision["sequence"]] = decision
    newest = sorted(state["decisions"])[-NEWEST_DECISIONS:]
    state["decisions"] = {sequence: state["decisions"][sequence] for sequence in newest}


def _apply_bindings(state: Json, message: Json) -> None:
    for card in message["bindings"]:
        key = queue_key(card["pod"]["uid"], card["scheduler"])
        if card["phase"] in ("bound", "failed"):
            state["bindings"].pop(key, None)
        else:
            state["bindings"][key] = card


def _apply_cluster(state: Json, message: Json) -> None:
    state["cluster"] = {key: value for key, value in message["cluster"].items() if key != "version"}


_APPLY = {
    "object": _apply_object,
    "queue": _apply_queue,
    "decisions": _apply_decisions,
    "bindings": _apply_bindings,
    "cluster": _apply_cluster,
}
