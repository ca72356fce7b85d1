"""A cluster's objects in memory: the API server of a simulation and of the controllers' tests.

Creation fills in what the API server would (uid, timestamp, generation,
defaults of a status); deletion follows Kubernetes: a bound pod keeps running
for its grace period, an object with finalizers stays until they are gone.
Whoever wants to follow the changes hands in `observer`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from scheduler_core.controllers.disruption_budgets import refusal_to_evict
from scheduler_core.controllers.interface import EvictionRefusal, Refusal
from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import (
    Manifest,
    ObjectKey,
    is_deleting,
    key_of,
    node_name_of,
    uid_of,
    with_metadata,
)
from scheduler_core.objects.timestamps import format_timestamp

DEFAULT_GRACE_SECONDS = 30


class ObjectObserver(Protocol):
    def __call__(self, old: Manifest | None, new: Manifest | None) -> None: ...


def _ignore(old: Manifest | None, new: Manifest | None) -> None:
    return


class MemoryStore:
    """Implements `controllers.interface.Store`."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._next_uid = 0
        self.index = ObjectIndex()
        self.events: list[EventRecord] = []
        self.observer: ObjectObserver = _ignore

    # Reads.

    def get(self, kind: str, namespace: str, name: str) -> Manifest | None:
        return self.index.get(ObjectKey(kind, namespace, name))

    def list(self, kind: str, namespace: str | None = None) -> Sequence[Manifest]:
        return self.index.of_kind(kind, namespace)

    def owned_by(self, kind: str, owner_uid: str) -> Sequence[Manifest]:
        return self.index.owned_by(owner_uid, kind)

    def orphans(self, kind: str, namespace: str) -> Sequence[Manifest]:
        return self.index.orphans(kind, namespace)

    def pods_on(self, node_name: str) -> Sequence[Manifest]:
        return self.index.pods_on(node_name)

    # Writes.

    def create(self, manifest: Manifest) -> Manifest:
        answer = self.create_many([manifest])[0]
        if isinstance(answer, Refusal):
            raise ValueError(answer.message)
        return answer

    def create_many(self, manifests: Sequence[Manifest]) -> Sequence[Manifest | Refusal]:
        return [self._create(manifest) for manifest in manifests]

    def update(self, manifest: Manifest) -> Manifest:
        before = self.index.get(key_of(manifest))
        if before is not None and before.get("spec") != manifest.get("spec"):
            manifest = with_metadata(manifest, generation=before["metadata"].get("generation", 0) + 1)
        if is_deleting(manifest) and self._is_over(manifest):
            self._remove(manifest)
            return manifest
        return self._put(manifest)

    def update_status(self, manifest: Manifest, status: Manifest) -> Manifest:
        current = self.index.get(key_of(manifest)) or manifest
        return self._put({**current, "status": status})

    def delete_many(self, manifests: Sequence[Manifest]) -> None:
        for manifest in manifests:
            current = self.index.get(key_of(manifest))
            if current is not None and not is_deleting(current):
                self._delete(current)

    def evict(self, namespace: str, name: str, grace_period: int | None) -> EvictionRefusal | None:
        pod = self.get("Pod", namespace, name)
        if pod is None:
            return None
        budgets = self.list("PodDisruptionBudget", namespace)
        refusal = refusal_to_evict(pod, budgets, self.list("Pod", namespace), self.get)
        if refusal is None and not is_deleting(pod):
            self._delete(pod, grace_period)
        return refusal

    def remove(self, manifest: Manifest) -> None:
        """What the kubelet does when a pod's containers have stopped."""
        self._remove(manifest)

    def record_events(self, events: Sequence[EventRecord]) -> None:
        self.events.extend(events)

    # How.

    def _create(self, manifest: Manifest) -> Manifest | Refusal:
        key = key_of(manifest)
        if self.index.get(key) is not None:
            return Refusal(reason="AlreadyExists", message=f'{key.kind.lower()} "{key.name}" already exists')
        self._next_uid += 1
        made = with_metadata(
            manifest,
            uid=f"uid-{self._next_uid}",
            creationTimestamp=format_timestamp(self._now()),
            generation=1,
        )
        if key.kind == "Pod":
            made.setdefault("status", {"phase": "Pending"})
        return self._put(made)

    def _delete(self, manifest: Manifest, grace_period: int | None = None) -> None:
        grace = 0.0
        if manifest["kind"] == "Pod" and node_name_of(manifest) and not _has_finished(manifest):
            own = manifest["spec"].get("terminationGracePeriodSeconds", DEFAULT_GRACE_SECONDS)
            grace = float(own if grace_period is None else grace_period)
        if grace == 0 and not manifest["metadata"].get("finalizers"):
            self._remove(manifest)
        else:
            ends = format_timestamp(self._now() + grace)
            self._put(with_metadata(manifest, deletionTimestamp=ends, deletionGracePeriodSeconds=int(grace)))

    def _is_over(self, manifest: Manifest) -> bool:
        running = manifest["kind"] == "Pod" and node_name_of(manifest) and not _has_finished(manifest)
        return not running and not manifest["metadata"].get("finalizers")

    def _put(self, manifest: Manifest) -> Manifest:
        old = self.index.put(manifest)
        self.observer(old, manifest)
        return manifest

    def _remove(self, manifest: Manifest) -> None:
        gone = self.index.remove(key_of(manifest))
        if gone is not None and uid_of(gone) == uid_of(manifest):
            self.observer(gone, None)


def _has_finished(pod: Manifest) -> bool:
    return (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")
