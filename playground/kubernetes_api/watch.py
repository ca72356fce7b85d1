"""watch: the feed as a stream of lines, one event a line.

A watch goes on from `resourceVersion`; without one (or with 0) it begins with
an ADDED for every object there is. With a label or field selector an object can
come into sight and go out of it, so the stream remembers which objects its
client has: ADDED when one comes, DELETED when it goes. What the client had at
the version it starts from is looked up when an object's first change comes by.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import msgspec

from playground.clusters import selectors
from playground.clusters.models import Change, Cluster
from playground.common.errors import ApiError, Expired, NotFound
from playground.common.responses import status_body
from playground.kubernetes_api.query_selectors import ObjectFilter
from playground.kubernetes_api.reads import list_objects
from playground.live.doorbell import hearing
from playground.live.reading import read_database

Manifest = dict[str, Any]

# Changes read at a time.
BATCH = 500
# Seconds after which the feed is looked at although no bell rang.
POLL_SECONDS = 2.0
# Seconds between bookmarks, for clients that ask for them.
BOOKMARK_SECONDS = 60.0
# The longest a watch lasts that names no time itself; its client then starts another.
LONGEST_SECONDS = 3600.0

_encoder = msgspec.json.Encoder()


@dataclass(kw_only=True)
class Watch:
    """One client's stream."""

    cluster: Cluster
    wanted: ObjectFilter
    # Everything up to here has been sent.
    version: int
    # None: begin with what is there.
    initial: Sequence[Manifest] = ()
    bookmarks: bool = False
    seconds: float = LONGEST_SECONDS
    # uid -> whether the client has the object; only kept where a selector can change its mind.
    _seen: dict[str, bool] = field(default_factory=dict)

    async def lines(self) -> AsyncIterator[bytes]:
        """The stream; it ends when its time is over, or with an ERROR event."""
        end = monotonic() + self.seconds
        bookmark_at = monotonic() + BOOKMARK_SECONDS
        async with hearing(self.cluster.pk) as bell:
            # The server holds back the headers until there is a body; the client waits for them.
            yield b""
            if self.initial:
                yield b"".join(self._first(manifest) for manifest in self.initial)
            while (now := monotonic()) < end:
                try:
                    lines = await read_database(self._next_lines)
                except ApiError as error:
                    yield _line("ERROR", status_body(error))
                    return
                if lines:
                    yield b"".join(lines)
                    continue
                if self.bookmarks and now >= bookmark_at:
                    bookmark_at = now + BOOKMARK_SECONDS
                    yield self._bookmark()
                await bell.wait(min(POLL_SECONDS, max(0.0, end - now)))

    def _first(self, manifest: Manifest) -> bytes:
        if self.wanted.selects:
            self._seen[manifest["metadata"]["uid"]] = True
        return _line("ADDED", manifest)

    def _next_lines(self) -> list[bytes]:
        """Lines of the next changes; reads on until there are some or the feed ends."""
        while True:
            changes = selectors.feed_read(self.cluster.pk, self.version, BATCH)
            if not changes:
                return []
            lines = [line for change in changes for line in self._lines_of(change)]
            self.version = changes[-1].version
            if lines:
                return lines

    def _lines_of(self, change: Change) -> Iterator[bytes]:
        if change.topic != "object" or change.kind != self.wanted.kind.kind:
            return
        if self.wanted.namespace and change.namespace != self.wanted.namespace:
            return
        event = self._event_for_client(change) if self.wanted.selects else change.event
        if event:
            yield _line(event, change.payload)

    def _event_for_client(self, change: Change) -> str:
        """What the change means to a client that sees some objects only; "" is nothing."""
        had = self._seen.get(change.uid)
        if had is None:
            had = change.event != "ADDED" and self._had_before(change)
        has = change.event != "DELETED" and self.wanted.matches(change.payload)
        self._seen[change.uid] = has
        if change.event == "DELETED":
            del self._seen[change.uid]
        if has:
            return "MODIFIED" if had else "ADDED"
        return "DELETED" if had else ""

    def _had_before(self, change: Change) -> bool:
        """Whether the object was in sight just before this change, as far as the feed goes back."""
        earlier = Change.objects.filter(
            cluster=self.cluster, version__lt=change.version, topic="object", uid=change.uid
        ).order_by("-version")
        before = earlier.first()
        # Older than the feed: it has been as it is now for long, but for this change.
        manifest = change.payload if before is None else before.payload
        return self.wanted.matches(manifest)

    def _bookmark(self) -> bytes:
        kind = self.wanted.kind
        metadata = {"resourceVersion": str(self.version), "creationTimestamp": None}
        return _line("BOOKMARK", {"kind": kind.kind, "apiVersion": kind.api_version, "metadata": metadata})


def _line(event: str, manifest: Any) -> bytes:
    return _encoder.encode({"type": event, "object": manifest}) + b"\n"


def start_watch(cluster: Cluster, wanted: ObjectFilter, version: int, *, bookmarks: bool, seconds: int) -> Watch:
    """Raises Expired where the feed does not go back to `version`."""
    lasting = min(float(seconds) or LONGEST_SECONDS, LONGEST_SECONDS)
    if version:
        _require_reachable(cluster, version)
        return Watch(cluster=cluster, wanted=wanted, version=version, bookmarks=bookmarks, seconds=lasting)
    page = list_objects(cluster, wanted)
    return Watch(
        cluster=cluster,
        wanted=wanted,
        version=page.version,
        initial=page.items,
        bookmarks=bookmarks,
        seconds=lasting,
    )


def _require_reachable(cluster: Cluster, version: int) -> None:
    found = Cluster.objects.filter(pk=cluster.pk).values_list("oldest_change_version", flat=True).first()
    if found is None:
        raise NotFound("the cluster does not exist any more")
    if version < found:
        raise Expired(f"too old resource version: {version} ({found})")
