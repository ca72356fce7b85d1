"""A PersistentVolume says whether it is free, taken or left behind; one that was left behind may be removed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from scheduler_core.controllers.interface import DONE, ReconcileResult, Store
from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.controllers.volumes.binding import is_bound, is_for, spec_of
from scheduler_core.objects.manifest import Manifest, ObjectKey, is_deleting, key_of, uid_of

AVAILABLE, BOUND, RELEASED = "Available", "Bound", "Released"


class VolumePhaseController:
    kind: ClassVar[str] = "PersistentVolume"
    watches: ClassVar[frozenset[str]] = frozenset({"PersistentVolumeClaim"})

    def concerned(self, index: ObjectIndex, old: Manifest | None, new: Manifest | None) -> Iterator[ObjectKey]:
        """The volumes of a claim that is gone."""
        if new is None and old is not None:
            yield from (key_of(each) for each in index.of_kind("PersistentVolume") if is_for(each, old))

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        volume = store.get(*key)
        if volume is None or is_deleting(volume):
            return DONE
        phase = _phase(volume, store)
        if phase == RELEASED and spec_of(volume).get("persistentVolumeReclaimPolicy") == "Delete":
            store.delete_many([volume])
        elif phase and phase != (volume.get("status") or {}).get("phase"):
            store.update_status(volume, {**(volume.get("status") or {}), "phase": phase})
        return DONE


def _phase(volume: Manifest, store: Store) -> str:
    """ "": the claim has the next word."""
    reference = spec_of(volume).get("claimRef")
    if not reference or not reference.get("uid"):
        return AVAILABLE
    claim = store.get("PersistentVolumeClaim", reference["namespace"], reference["name"])
    if claim is None or uid_of(claim) != reference["uid"]:
        return RELEASED
    return BOUND if is_bound(claim) and spec_of(claim)["volumeName"] == volume["metadata"]["name"] else ""
