"""Snapshots and batches, from what the database holds.

A message is encoded once for all clients of a process: a change never changes,
so its JSON is kept under (cluster, version) for as long as it is likely to be
asked for again. A snapshot's objects are encoded one by one and let go: tens of
thousands of manifests held together cost more in garbage collection than in
reading them.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cache
from threading import Lock
from typing import Any

import msgspec
from django.conf import settings

from playground.common.database import consistent_read
from playground.live import sections
from playground.live.cards import card_of
from playground.live.feed_source import FeedChange, feed_source
from playground.live.messages import PROTOCOL_VERSION, ObjectMessage, ResumedFrame, SnapshotFrame

# Messages kept encoded, over all clusters of the process.
KEPT_MESSAGES = 4_096

_encoder = msgspec.json.Encoder()


class RawSnapshot(SnapshotFrame, kw_only=True, tag_field="frame", tag="snapshot"):
    """A `SnapshotFrame` whose objects are encoded already."""

    objects: list[msgspec.Raw]  # type: ignore[assignment]  # what a list of cards is on the wire


class RawBatch(msgspec.Struct, kw_only=True, tag_field="frame", tag="batch"):
    """A `BatchFrame` whose messages are encoded already."""

    after: int
    version: int
    messages: list[msgspec.Raw]


class RawPastBatch(RawBatch, tag_field="frame", tag="batch"):
    """One that is read for its history."""

    # Cluster time of each message.
    times: Sequence[float]


class _KeptMessages:
    """The newest encoded messages, by (cluster id, version)."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._messages: OrderedDict[tuple[int, int], msgspec.Raw] = OrderedDict()
        self._lock = Lock()

    def get(self, cluster_id: int, change: FeedChange) -> msgspec.Raw:
        key = (cluster_id, change.version)
        with self._lock:
            known = self._messages.get(key)
        if known is not None:
            return known
        made = msgspec.Raw(_encoder.encode(message_of(change)))
        with self._lock:
            self._messages[key] = made
            while len(self._messages) > self._size:
                self._messages.popitem(last=False)
        return made


_kept = _KeptMessages(KEPT_MESSAGES)


def message_of(change: FeedChange) -> Any:
    """The change as the message it stands for."""
    if change.topic == "object":
        return ObjectMessage(
            version=change.version,
            event=change.event,  # type: ignore[arg-type]  # a check constraint keeps it to the three
            object=card_of(change.kind, change.payload),
        )
    return {**change.payload, "type": change.topic, "version": change.version}


def batch(cluster_id: int, after: int, changes: Sequence[FeedChange]) -> bytes:
    """A batch frame of changes that follow `after` without a gap."""
    messages = [_kept.get(cluster_id, change) for change in changes]
    version = changes[-1].version if changes else after
    return _encoder.encode(RawBatch(after=after, version=version, messages=messages))


def past_batch(cluster_id: int, after: int, changes: Sequence[FeedChange], times: Sequence[float]) -> bytes:
    """The same, with the cluster time of every change."""
    messages = [_kept.get(cluster_id, change) for change in changes]
    version = changes[-1].version if changes else after
    return _encoder.encode(RawPastBatch(after=after, version=version, messages=messages, times=times))


def snapshot_frame(cluster_id: int) -> RawSnapshot:
    """Everything as of one version. Raises NotFound where the cluster is gone."""
    source = feed_source()
    with consistent_read():
        card = source.card(cluster_id)
        return RawSnapshot(
            protocol=PROTOCOL_VERSION,
            build=build(),
            version=card.version,
            cluster=card,
            objects=_cards(source.objects(cluster_id)),
            queue=sections.read("queue", cluster_id),
            bindings=sections.read("bindings", cluster_id),
            decisions=sections.read("decisions", cluster_id),
        )


def past_snapshot_frame(cluster_id: int, version: int) -> RawSnapshot:
    """Everything as it was at a version. Raises NotFound, Expired."""
    with consistent_read():
        past = feed_source().past(cluster_id, version)
        return RawSnapshot(
            protocol=PROTOCOL_VERSION,
            build=build(),
            version=version,
            cluster=past.cluster,
            objects=_cards(past.objects),
            queue=past.queue,
            bindings=past.bindings,
            decisions=past.decisions,
        )


def _cards(objects: Iterable[tuple[str, Any]]) -> list[msgspec.Raw]:
    return [msgspec.Raw(_encoder.encode(card_of(kind, manifest))) for kind, manifest in objects]


def past_snapshot(cluster_id: int, version: int) -> bytes:
    """`past_snapshot_frame`, encoded."""
    return _encoder.encode(past_snapshot_frame(cluster_id, version))


def snapshot(cluster_id: int) -> tuple[int, bytes]:
    """(version, encoded snapshot frame)."""
    frame = snapshot_frame(cluster_id)
    return frame.version, _encoder.encode(frame)


def resumed(cluster_id: int, version: int) -> bytes:
    """The answer to a client that goes on from `version`."""
    card = feed_source().card(cluster_id)
    return _encoder.encode(ResumedFrame(protocol=PROTOCOL_VERSION, build=build(), version=version, cluster=card))


@cache
def build() -> str:
    """What tells one build of the page from another: PLAYGROUND_BUILD, else the page's own content."""
    named = os.environ.get("PLAYGROUND_BUILD")
    if named:
        return named
    index = settings.FRONTEND_DIST / "index.html"
    return hashlib.sha256(index.read_bytes()).hexdigest()[:12] if index.is_file() else "unbuilt"
