"""What a controller is, and what it sees of the cluster.

A controller looks at one object (its key), compares what is wanted with what
is there, and writes the difference. It is level-triggered: it never relies on
which change woke it, so that a lost wake-up, a repeated one, or a worker killed
halfway costs nothing but another look.

Objects are Kubernetes manifests (dicts). What a `Store` returns is shared and
read-only; a controller builds new dicts for what it writes. The store is exact:
a read after a write sees it, and nobody else writes during a reconcile (the
playground holds the cluster's lock, a simulation has one thread). So there are
no expectations, no conflicts and no retries here.

A reconcile makes a bounded number of writes and asks to be called again
(`requeue_after=0`) while there is more to do; the caller can commit in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import Manifest, ObjectKey

# Objects created or deleted in one reconcile: small enough for the first pods to
# be on their way to the scheduler while the rest is still being made.
BATCH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconcileResult:
    # Seconds of cluster time until the object wants another look; None: only after a change.
    requeue_after: float | None = None


DONE = ReconcileResult()
AGAIN = ReconcileResult(requeue_after=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The API's answer to an object it did not accept."""

    # As a Kubernetes Status names it: "AlreadyExists", "Forbidden", "Invalid".
    reason: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvictionRefusal(Refusal):
    """Why a pod may not be evicted now."""

    # Name of the budget in the way; "" where there are several.
    budget: str = ""
    # In numbers.
    detail: str = ""


class Store(Protocol):
    """The API server, as controllers use it."""

    def get(self, kind: str, namespace: str, name: str) -> Manifest | None: ...
    def list(self, kind: str, namespace: str | None = None) -> Sequence[Manifest]: ...
    def owned_by(self, kind: str, owner_uid: str) -> Sequence[Manifest]:
        """Objects with an owner reference to this uid."""
        ...

    def orphans(self, kind: str, namespace: str) -> Sequence[Manifest]:
        """Objects of a namespace that no controller owns."""
        ...

    def pods_on(self, node_name: str) -> Sequence[Manifest]:
        """Pods bound to a node, there or not."""
        ...

    def create_many(self, manifests: Sequence[Manifest]) -> Sequence[Manifest | Refusal]:
        """One answer per manifest: the object as stored, or why it was refused."""
        ...

    def update(self, manifest: Manifest) -> Manifest: ...
    def update_status(self, manifest: Manifest, status: Manifest) -> Manifest: ...
    def delete_many(self, manifests: Sequence[Manifest]) -> None:
        """As `kubectl delete`: a bound pod gets its grace period."""
        ...

    def evict(self, namespace: str, name: str, grace_period: int | None) -> EvictionRefusal | None:
        """Delete a pod where its disruption budget allows it; None: it goes, or is gone already."""
        ...

    def record_events(self, events: Sequence[EventRecord]) -> None: ...


class Controller(Protocol):
    """Called with the key of an object of `kind` after it, or something it owns, changed."""

    kind: ClassVar[str]

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        """Bring the cluster one step nearer to what the object asks for. `now` is cluster time.

        An object that is gone is no error: there is nothing to do.
        """
        ...


@runtime_checkable
class Watcher(Protocol):
    """A controller that other objects concern than its own and those it owns."""

    # Kinds whose changes it is asked about.
    watches: ClassVar[frozenset[str]]

    def concerned(self, index: ObjectIndex, old: Manifest | None, new: Manifest | None) -> Iterable[ObjectKey]:
        """Keys of its own kind that want a look after this change.

        `old` is None for a new object, `new` for one that is gone.
        """
        ...
