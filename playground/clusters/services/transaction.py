"""The only way to write to a cluster.

    with cluster_transaction(cluster_id, fence=fence) as tx:
        object_create(tx, manifest=...)
        tx.record("queue", payload)

One database transaction holds the lock of the cluster's row, so writes of a
cluster happen one after the other and versions have no gaps. Each change gets
the next version (an object's `resourceVersion`); the changes are inserted
together at the end, and on commit the doorbell rings and followers are woken.
If the block raises, nothing was written and nobody hears of it.

`fence(tx)` is called once the lock is held; it raises `FenceLost` where the
caller's lease is no longer the newest, and then nothing is written.

Services take the transaction first, so that they can be put together:
`tx.cluster` (the locked row), `tx.now` (cluster time, read once),
`tx.next_version()`, `tx.record(...)`, `tx.record_object(...)`.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum

from playground.clusters import clock
from playground.clusters.models import Change, Cluster
from playground.clusters.services import history_base
from playground.common.bulk import rows_insert
from playground.common.database import OctetLength, consistent_read
from playground.common.errors import NotFound, Subject
from playground.common.fields import raw_json
from playground.common.turns import turn_to_write
from playground.live import followers, publish

if TYPE_CHECKING:
    from playground.clusters.admission.mutation.verdicts import Reading

Event = Literal["ADDED", "MODIFIED", "DELETED"]
Topic = Literal["object", "queue", "decisions", "bindings", "cluster"]
Fence = Callable[["ClusterTransaction"], None]

# Changes kept per cluster: what can be rewound, and how far behind a follower may be that does not start anew.
FEED_LENGTH = 50_000
# Bytes of payload kept per cluster, where its changes are large.
FEED_SIZE = 128 * 1024 * 1024
# Trimmed in steps, so that not every write deletes.
FEED_SLACK = 2_000

# Kubernetes' alphabet for generated names: no vowels, no digits that look like letters.
_SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789"
_SUFFIX_LENGTH = 5


class ClusterTransaction:
    """What is being written to one cluster. Made by `cluster_transaction` only."""

    def __init__(self, cluster: Cluster, *, dry_run: bool = False, webhook_answers: Reading | None = None) -> None:
        self.cluster = cluster
        self.dry_run = dry_run
        # What admission webhooks have answered beforehand; None: this write passes no hook, as a component's own.
        self.webhook_answers = webhook_answers
        # What the client is to be told though nothing is wrong.
        self.warnings: list[str] = []
        self.now = clock.now(cluster)
        self.timestamp = clock.timestamp(self.now)
        self.changes: list[Change] = []
        # Lookups worth making once a transaction, by the service that makes them.
        self.memo: dict[Any, Any] = {}
        self._names_drawn = 0

    @property
    def version(self) -> int:
        """The newest version handed out."""
        return self.cluster.resource_version

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Writes inside are undone where it raises; the transaction goes on as if they had not been tried."""
        version, changes, memo = self.version, len(self.changes), dict(self.memo)
        try:
            with transaction.atomic():
                yield
        except Exception:
            self.cluster.resource_version, self.memo = version, memo
            del self.changes[changes:]
            raise

    def next_version(self) -> int:
        self.cluster.resource_version += 1
        return self.cluster.resource_version

    def record(self, topic: Topic, payload: Any) -> int:
        """A change that is not an object's: `payload` is that topic's message without its version."""
        version = self.next_version()
        self.changes.append(
            Change(cluster_id=self.cluster.pk, version=version, at=self.now, topic=topic, payload=raw_json(payload))
        )
        return version

    def record_object(
        self, event: Event, kind: str, namespace: str, name: str, uid: str, version: int, manifest: msgspec.Raw
    ) -> None:
        """An object's change under a version that `next_version` gave and the manifest carries."""
        self.changes.append(
            Change(
                cluster_id=self.cluster.pk,
                version=version,
                at=self.now,
                topic="object",
                event=event,
                kind=kind,
                namespace=namespace,
                name=name,
                uid=uid,
                payload=manifest,
            )
        )

    def new_uid(self, version: int) -> str:
        """The uid of the object created at `version`: the same for the same seed and history."""
        return str(uuid.UUID(bytes=self._digest("uid", version), version=4))

    def name_suffix(self) -> str:
        """Five characters for `generateName`, drawn from the cluster's seed."""
        self._names_drawn += 1
        digest = self._digest("name", self.version, self._names_drawn)
        size = len(_SUFFIX_ALPHABET)
        return "".join(_SUFFIX_ALPHABET[byte % size] for byte in digest[:_SUFFIX_LENGTH])

    def _digest(self, *parts: object) -> bytes:
        text = "/".join(map(str, (self.cluster.seed, self.cluster.slug, *parts)))
        return hashlib.blake2b(text.encode(), digest_size=16).digest()


@contextmanager
def cluster_transaction(
    cluster_id: int,
    fence: Fence | None = None,
    *,
    dry_run: bool = False,
    webhook_answers: Reading | None = None,
) -> Iterator[ClusterTransaction]:
    """Lock the cluster and write to it; see the module's text. A dry run is undone at its end."""
    with turn_to_write(), transaction.atomic():
        tx = ClusterTransaction(_locked(cluster_id), dry_run=dry_run, webhook_answers=webhook_answers)
        first = tx.version
        if fence is not None:
            fence(tx)
        yield tx
        if dry_run:
            transaction.set_rollback(True)
        elif tx.changes:
            _store(tx, first)
            transaction.on_commit(partial(_announce, cluster_id, tx.version, _topics(tx.changes)))


@contextmanager
def cluster_reading(cluster_id: int, *, webhook_answers: Reading | None = None) -> Iterator[ClusterTransaction]:
    """What a write would find, for questions of what would come of it: nobody is locked out, nothing is written."""
    with consistent_read():
        tx = ClusterTransaction(_found(cluster_id), dry_run=True, webhook_answers=webhook_answers)
        yield tx
        if tx.changes:
            raise RuntimeError("a question about a cluster must not write to it")


def _locked(cluster_id: int) -> Cluster:
    return _found(cluster_id, Cluster.objects.select_for_update())


def _found(cluster_id: int, clusters: QuerySet[Cluster] | None = None) -> Cluster:
    try:
        return (Cluster.objects.all() if clusters is None else clusters).get(pk=cluster_id)
    except Cluster.DoesNotExist:
        raise NotFound(f"cluster {cluster_id} does not exist (any more)", subject=Subject(kind="clusters")) from None


def _store(tx: ClusterTransaction, first: int) -> None:
    cluster = tx.cluster
    # A version without a change would make every follower wait for it.
    if len(tx.changes) != tx.version - first:
        raise RuntimeError(f"{tx.version - first} versions were handed out but {len(tx.changes)} changes recorded")
    rows_insert(tx.changes)
    cluster.feed_size += sum(len(change.payload) for change in tx.changes)
    _trim(cluster)
    cluster.save(update_fields=["resource_version", "oldest_change_version", "feed_size"])


def _trim(cluster: Cluster) -> None:
    """Let the oldest changes go once there are too many; what they made of the cluster is kept."""
    until = _trim_line(cluster)
    if until <= cluster.oldest_change_version:
        return
    history_base.advance(cluster, until)
    doomed = Change.objects.filter(cluster=cluster, version__lte=until)
    cluster.feed_size -= doomed.aggregate(size=Sum(OctetLength("payload")))["size"] or 0
    doomed.delete()
    cluster.oldest_change_version = until


def _trim_line(cluster: Cluster) -> int:
    """The newest version that may go; the feed's oldest one where nothing has to."""
    length = getattr(settings, "PLAYGROUND_FEED_LENGTH", FEED_LENGTH)
    size = getattr(settings, "PLAYGROUND_FEED_SIZE", FEED_SIZE)
    kept, slack = cluster.resource_version - cluster.oldest_change_version, min(FEED_SLACK, length)
    if kept > length + slack:
        return cluster.resource_version - length
    if cluster.feed_size > size:
        # A tenth of them, and at the least enough that the next write need not trim again.
        return cluster.oldest_change_version + min(kept, max(slack, kept // 10))
    return cluster.oldest_change_version


def _topics(changes: Sequence[Change]) -> frozenset[str]:
    """What followers are told; Events, which nobody has to act on, are a topic of their own."""
    return frozenset("events" if change.kind == "Event" else change.topic for change in changes)


def _announce(cluster_id: int, version: int, topics: frozenset[str]) -> None:
    publish.ring(cluster_id, version)
    followers.wake(cluster_id, version, topics)
