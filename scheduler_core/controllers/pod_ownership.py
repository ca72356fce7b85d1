"""Which pods a workload manages: those it owns and still selects, and ownerless ones it can adopt.

Relabelling a pod takes it out of its ReplicaSet's hands (it is released and a
new one is made); a bare pod with the right labels is taken in. Both are what
people try first when they want to debug a single replica.
"""

from __future__ import annotations

from scheduler_core.controllers.interface import Store
from scheduler_core.controllers.selectors import selector_of
from scheduler_core.objects.manifest import (
    Manifest,
    is_active,
    is_controlled_by,
    is_deleting,
    labels_of,
    owner_reference,
    owner_references,
    uid_of,
    with_metadata,
)


def _released(owner: Manifest, dependent: Manifest) -> Manifest:
    kept = [reference for reference in owner_references(dependent) if reference.get("uid") != uid_of(owner)]
    return with_metadata(dependent, ownerReferences=kept)


def _adopted(owner: Manifest, dependent: Manifest) -> Manifest:
    return with_metadata(dependent, ownerReferences=[*owner_references(dependent), owner_reference(owner)])


def claim(store: Store, owner: Manifest, kind: str) -> list[Manifest]:
    """The objects of `kind` that `owner` controls after adoption and release."""
    selector = selector_of(owner)
    mine: list[Manifest] = []
    for dependent in store.owned_by(kind, uid_of(owner)):
        if not is_controlled_by(dependent, owner):
            continue
        if selector.matches(labels_of(dependent)):
            mine.append(dependent)
        elif not is_deleting(dependent):
            store.update(_released(owner, dependent))
    return mine + _adopt(store, owner, kind)


def _adopt(store: Store, owner: Manifest, kind: str) -> list[Manifest]:
    selector = selector_of(owner)
    if is_deleting(owner) or selector.nothing:
        return []
    candidates = store.orphans(kind, owner["metadata"]["namespace"])
    adoptable = is_active if kind == "Pod" else _is_staying
    return [
        store.update(_adopted(owner, candidate))
        for candidate in candidates
        if selector.matches(labels_of(candidate)) and adoptable(candidate)
    ]


def _is_staying(manifest: Manifest) -> bool:
    return not is_deleting(manifest)
