"""The engine's `Store` over the services of `clusters`, inside one cluster transaction.

Reads come from the session's index, which is exact while the cluster is locked.
Creations, deletions and changes of a spec are written at once, since others
look at what they made (uids, generations); statuses and events wait for `flush`
and are then written together, each object once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import nullcontext

import msgspec

from playground.clusters.admission.mutation.verdicts import Unanswered
from playground.clusters.services.events import event_record_many
from playground.clusters.services.objects import (
    DeleteOptions,
    object_create_many,
    object_delete_many,
    object_update_many,
)
from playground.clusters.services.transaction import ClusterTransaction
from playground.common.errors import ApiError
from playground.controllers.selectors import UNFOLLOWED_KINDS, ObjectChange
from playground.controllers.session import ClusterSession
from playground.controllers.translation import new_event, refusal
from scheduler_core.controllers.disruption_budgets import refusal_to_evict
from scheduler_core.controllers.interface import EvictionRefusal, Refusal
from scheduler_core.controllers.postponed import Postponed
from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import Manifest, ObjectKey, key_of, uid_of, with_metadata


class TransactionStore:
    def __init__(self, tx: ClusterTransaction, session: ClusterSession) -> None:
        self._tx = tx
        self._session = session
        self._index = session.index
        # Changes of the transaction that the session has heard of.
        self._heard = len(tx.changes)
        # uid -> the object with its new status, still to be written.
        self._statuses: dict[str, Manifest] = {}
        self._events: list[EventRecord] = []

    @property
    def writes(self) -> int:
        """How much this transaction has to write so far."""
        return len(self._tx.changes) + len(self._statuses) + len(self._events)

    # Reads.

    def get(self, kind: str, namespace: str, name: str) -> Manifest | None:
        return self._index.get(ObjectKey(kind, namespace, name))

    def list(self, kind: str, namespace: str | None = None) -> Sequence[Manifest]:
        return self._index.of_kind(kind, namespace)

    def owned_by(self, kind: str, owner_uid: str) -> Sequence[Manifest]:
        return self._index.owned_by(owner_uid, kind)

    def orphans(self, kind: str, namespace: str) -> Sequence[Manifest]:
        return self._index.orphans(kind, namespace)

    def pods_on(self, node_name: str) -> Sequence[Manifest]:
        return self._index.pods_on(node_name)

    # Writes.

    def create_many(self, manifests: Sequence[Manifest]) -> Sequence[Manifest | Refusal]:
        answers: list[Manifest | Refusal] = []
        for kind, some in _runs_of_a_kind(manifests):
            for answer in self._create_of_kind(kind, some):
                answers.append(refusal(answer) if isinstance(answer, ApiError) else answer)
        self._hear()
        return answers

    def _create_of_kind(self, kind: str, manifests: Sequence[Manifest]) -> Sequence[Manifest | ApiError]:
        """Raises Postponed where an admission webhook has to be asked; the answers there are stay for the next time."""
        answers = self._tx.webhook_answers
        try:
            with answers.attempt() if answers is not None else nullcontext():
                return object_create_many(self._tx, kind=kind, manifests=manifests)
        except Unanswered:
            raise Postponed from None

    def update(self, manifest: Manifest) -> Manifest:
        # With the status that waits to be written, which this write takes along.
        self._statuses.pop(uid_of(manifest), None)
        (answer,) = object_update_many(self._tx, kind=manifest["kind"], manifests=[self._as_known(manifest)])
        if isinstance(answer, ApiError):
            raise answer
        self._hear()
        return self._index.get(key_of(manifest)) or answer

    def _as_known(self, manifest: Manifest) -> Manifest:
        """The manifest with the newest status and version: the caller may have read it before they were written."""
        current = self._index.get(key_of(manifest))
        if current is None:
            return manifest
        newest = {**manifest, "status": current["status"]} if "status" in current else manifest
        return with_metadata(newest, resourceVersion=current["metadata"]["resourceVersion"])

    def update_status(self, manifest: Manifest, status: Manifest) -> Manifest:
        current = self._index.get(key_of(manifest)) or manifest
        updated = {**current, "status": status}
        self._statuses[uid_of(updated)] = updated
        self._session.observe(self._index.put(updated), updated)
        return updated

    def delete_many(self, manifests: Sequence[Manifest]) -> None:
        self._delete(manifests, DeleteOptions())

    def remove_many(self, manifests: Sequence[Manifest]) -> None:
        """Without a grace period: what a kubelet does when the containers have stopped."""
        self._delete(manifests, DeleteOptions(grace_period_seconds=0))

    def evict(self, namespace: str, name: str, grace_period: int | None) -> EvictionRefusal | None:
        pod = self.get("Pod", namespace, name)
        if pod is None:
            return None
        budgets = self.list("PodDisruptionBudget", namespace)
        refusal = refusal_to_evict(pod, budgets, self.list("Pod", namespace), self.get)
        if refusal is None:
            self._delete([pod], DeleteOptions(grace_period_seconds=grace_period))
        return refusal

    def record_events(self, events: Sequence[EventRecord]) -> None:
        self._events.extend(events)

    def flush(self) -> None:
        """Write what was put off."""
        self._flush_statuses()
        event_record_many(self._tx, events=[new_event(event) for event in self._events])
        self._events.clear()
        self._hear()

    def _delete(self, manifests: Sequence[Manifest], options: DeleteOptions) -> None:
        self._flush_statuses()
        for kind, some in _runs_of_a_kind(manifests):
            object_delete_many(self._tx, kind=kind, uids=[uid_of(each) for each in some], options=options)
        self._hear()

    def _flush_statuses(self) -> None:
        kinds: defaultdict[str, list[Manifest]] = defaultdict(list)
        for manifest in self._statuses.values():
            kinds[manifest["kind"]].append(manifest)
        self._statuses.clear()
        for kind, manifests in kinds.items():
            for answer in object_update_many(self._tx, kind=kind, manifests=manifests):
                if isinstance(answer, ApiError):
                    raise answer
                # Nobody is told again: they saw the new status when it was made.
                self._index.put(answer)
        self._heard = len(self._tx.changes)

    def _hear(self) -> None:
        """Tell the session what the services have written."""
        for change in self._tx.changes[self._heard :]:
            if change.topic == "object" and change.kind not in UNFOLLOWED_KINDS:
                self._session.apply(ObjectChange(change.event, msgspec.json.decode(change.payload)))
        self._heard = len(self._tx.changes)


def _runs_of_a_kind(manifests: Sequence[Manifest]) -> list[tuple[str, list[Manifest]]]:
    runs: list[tuple[str, list[Manifest]]] = []
    for manifest in manifests:
        if not runs or runs[-1][0] != manifest["kind"]:
            runs.append((manifest["kind"], []))
        runs[-1][1].append(manifest)
    return runs
