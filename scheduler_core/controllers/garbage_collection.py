"""Deleting what lost its owners.

An object is garbage when it has owner references and none of those owners
exists any more. Suspects are the dependents of whatever was deleted, and new
objects with an owner that is not there. An owner that is being deleted in the
foreground (finalizer `foregroundDeletion`) stays until its dependents are gone;
one deleted with `orphan` lets them go first.
"""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.controllers.interface import Store
from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.objects.manifest import Manifest, ObjectKey, is_deleting, owner_references, uid_of, with_metadata

FOREGROUND = "foregroundDeletion"
ORPHAN = "orphan"


def finalizers_of(manifest: Manifest) -> list[str]:
    return manifest["metadata"].get("finalizers") or []


class GarbageCollector:
    def __init__(self, index: ObjectIndex) -> None:
        self._index = index

    def has_missing_owner(self, manifest: Manifest) -> bool:
        return any(self._index.by_uid(owner["uid"]) is None for owner in owner_references(manifest))

    def is_garbage(self, manifest: Manifest) -> bool:
        owners = owner_references(manifest)
        return bool(owners) and all(self._index.by_uid(owner["uid"]) is None for owner in owners)

    def collect(self, store: Store, suspects: Iterable[ObjectKey]) -> None:
        """Delete the garbage among the suspects."""
        found = (self._index.get(key) for key in suspects)
        garbage = [each for each in found if each is not None and not is_deleting(each) and self.is_garbage(each)]
        if garbage:
            store.delete_many(garbage)

    def finalize(self, store: Store, key: ObjectKey, limit: int) -> bool:
        """One step for an object that waits for its dependents; False where more steps are needed at once."""
        owner = self._index.get(key)
        if owner is None or not is_deleting(owner):
            return True
        dependents = self._index.dependents(uid_of(owner))
        if ORPHAN in finalizers_of(owner):
            return self._let_go(store, owner, dependents, limit)
        if FOREGROUND in finalizers_of(owner):
            return self._delete_first(store, owner, dependents, limit)
        return True

    def _let_go(self, store: Store, owner: Manifest, dependents: list[Manifest], limit: int) -> bool:
        for dependent in dependents[:limit]:
            kept = [each for each in owner_references(dependent) if each["uid"] != uid_of(owner)]
            store.update(with_metadata(dependent, ownerReferences=kept))
        if len(dependents) > limit:
            return False
        self._drop_finalizer(store, owner, ORPHAN)
        return True

    def _delete_first(self, store: Store, owner: Manifest, dependents: list[Manifest], limit: int) -> bool:
        alive = [each for each in dependents if not is_deleting(each)]
        if alive:
            store.delete_many(alive[:limit])
            return len(alive) <= limit
        if not any(_blocks(each, owner) for each in dependents):
            self._drop_finalizer(store, owner, FOREGROUND)
        return True

    def _drop_finalizer(self, store: Store, owner: Manifest, finalizer: str) -> None:
        kept = [each for each in finalizers_of(owner) if each != finalizer]
        store.update(with_metadata(owner, finalizers=kept))


def _blocks(dependent: Manifest, owner: Manifest) -> bool:
    return any(each["uid"] == uid_of(owner) and each.get("blockOwnerDeletion") for each in owner_references(dependent))
