"""Events, counted when they repeat.

    event_record_many(tx, events=[NewEvent(...), ...]) -> None

An Event's name is made of what makes two events the same (object, reason,
message, source), so a repetition finds its predecessor by name and raises its
count. A cluster keeps a bounded number of them; the oldest go first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from playground.clusters import clock
from playground.clusters.kinds import KINDS
from playground.clusters.models import ClusterObject
from playground.clusters.selectors import Manifest, rows
from playground.clusters.services import store
from playground.clusters.services.transaction import ClusterTransaction

# Events kept per cluster, and how many more there may be before the oldest are removed.
EVENTS_KEPT = 4_000
EVENTS_SLACK = 1_000
# Kubernetes cuts the note of an event here.
NOTE_LENGTH = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Regarding:
    """The object an event is about."""

    kind: str
    namespace: str
    name: str
    uid: str
    api_version: str = "v1"
    resource_version: str = ""
    # `spec.containers{web}`, for events about a container.
    field_path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    regarding: Regarding
    # Normal or Warning
    type: Literal["Normal", "Warning"] = "Normal"
    reason: str
    message: str
    # `default-scheduler`, `kubelet`, `deployment-controller`, ...
    source: str
    # The node, for events of a kubelet.
    host: str = ""
    # What was tried: Scheduling, Binding, Preempting, ...
    action: str = ""
    # The other object: a victim's preemptor.
    related: Regarding | None = None
    # Cluster time; None: the transaction's.
    at: float | None = None
    # How many occurrences this one stands for.
    count: int = 1


def event_record_many(tx: ClusterTransaction, *, events: Sequence[NewEvent]) -> None:
    """Store new events and count repeated ones, in order."""
    kind = KINDS["Event"]
    keys = [(_namespace(event), _name(event)) for event in events]
    found = store.rows_by_name(tx, kind, list(dict.fromkeys(keys)))
    changed: dict[tuple[str, str], tuple[ClusterObject, Manifest]] = {}
    added: dict[tuple[str, str], Manifest] = {}
    for key, event in zip(keys, events, strict=True):
        at = clock.timestamp(tx.now if event.at is None else event.at)
        if key in added:
            added[key] = _repeated(added[key], at, event.count)
        elif key in found:
            before = changed[key][1] if key in changed else found[key].manifest
            changed[key] = (found[key], _repeated(before, at, event.count))
        else:
            added[key] = _manifest(key, event, at)
    store.insert(tx, kind, list(added.values()))
    store.update(tx, kind, list(changed.values()))
    if added:
        _trim(tx)


def _namespace(event: NewEvent) -> str:
    """Events about objects without a namespace are in `default`."""
    return event.regarding.namespace or "default"


def _name(event: NewEvent) -> str:
    regarding = event.regarding
    same = (regarding.uid, regarding.field_path, event.type, event.reason, event.message, event.source, event.host)
    digest = hashlib.blake2b("\0".join(same).encode(), digest_size=8).hexdigest()
    return f"{regarding.name[:236]}.{digest}"


def _manifest(key: tuple[str, str], event: NewEvent, at: str) -> Manifest:
    manifest: Manifest = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": key[1], "namespace": key[0]},
        "involvedObject": _reference(event.regarding),
        "reason": event.reason,
        "message": _cut(event.message),
        "source": {"component": event.source} | ({"host": event.host} if event.host else {}),
        "firstTimestamp": at,
        "lastTimestamp": at,
        "count": event.count,
        "type": event.type,
        "reportingComponent": event.source,
        "reportingInstance": event.host,
    }
    if event.action:
        manifest["action"] = event.action
    if event.related is not None:
        manifest["related"] = _reference(event.related)
    return manifest


def _reference(regarding: Regarding) -> dict[str, str]:
    reference = {
        "kind": regarding.kind,
        "namespace": regarding.namespace,
        "name": regarding.name,
        "uid": regarding.uid,
        "apiVersion": regarding.api_version,
        "resourceVersion": regarding.resource_version,
        "fieldPath": regarding.field_path,
    }
    return {key: value for key, value in reference.items() if value}


def _cut(message: str) -> str:
    return message if len(message) <= NOTE_LENGTH else message[: NOTE_LENGTH - 4] + " ..."


def _repeated(manifest: Manifest, at: str, count: int) -> Manifest:
    return {
        **manifest,
        "metadata": {**manifest["metadata"]},
        "count": manifest.get("count", 1) + count,
        "lastTimestamp": max(at, manifest.get("lastTimestamp", at)),
    }


def _trim(tx: ClusterTransaction) -> None:
    """Remove the oldest events where there are too many, a thousand at a time."""
    kind = KINDS["Event"]
    query = rows(tx.cluster.pk, kind)
    if query.count() <= EVENTS_KEPT + EVENTS_SLACK:
        return
    oldest = query.order_by("resource_version")[: query.count() - EVENTS_KEPT]
    store.remove(tx, kind, [(row, row.manifest) for row in oldest])
