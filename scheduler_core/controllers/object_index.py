"""Objects by kind, name, uid and owner: what every store of manifests needs to look things up.

The index holds the newest manifest of each object, nothing else; whoever owns
the index decides what "newest" means. Lookups by owner make a controller's
reads proportional to what it owns, not to the cluster.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from scheduler_core.objects.manifest import (
    Manifest,
    ObjectKey,
    controller_of,
    key_of,
    node_name_of,
    owner_references,
    uid_of,
)

_Bucket = dict[ObjectKey, Manifest]
# (kind, namespace) or (owner's uid, kind); kind "" for all kinds.
_Place = tuple[str, str]
_Table = dict[_Place, _Bucket]


class ObjectIndex:
    def __init__(self) -> None:
        # Every bucket keeps its objects in order of arrival. A bucket is dropped when it is empty.
        self._objects: _Bucket = {}
        self._by_kind: _Table = defaultdict(dict)
        self._by_owner: _Table = defaultdict(dict)
        self._orphans: _Table = defaultdict(dict)
        self._by_node: _Table = defaultdict(dict)
        self._namespaces: dict[str, dict[str, None]] = defaultdict(dict)
        self._uids: dict[str, ObjectKey] = {}

    def __len__(self) -> int:
        return len(self._objects)

    def __iter__(self) -> Iterator[Manifest]:
        return iter(self._objects.values())

    def put(self, manifest: Manifest) -> Manifest | None:
        """Store the newest state of an object; returns the one before."""
        key = key_of(manifest)
        old = self._objects.get(key)
        if old is not None and not self._same_places(key, old, manifest):
            self._unlink(key, old)
        self._objects[key] = manifest
        self._link(key, manifest)
        return old

    def remove(self, key: ObjectKey) -> Manifest | None:
        old = self._objects.pop(key, None)
        if old is not None:
            self._unlink(key, old)
        return old

    def get(self, key: ObjectKey) -> Manifest | None:
        return self._objects.get(key)

    def by_uid(self, uid: str) -> Manifest | None:
        key = self._uids.get(uid)
        return None if key is None else self._objects[key]

    def of_kind(self, kind: str, namespace: str | None = None) -> list[Manifest]:
        namespaces = self._namespaces.get(kind, ()) if namespace is None else (namespace,)
        return [manifest for each in namespaces for manifest in self._by_kind.get((kind, each), {}).values()]

    def owned_by(self, owner_uid: str, kind: str) -> list[Manifest]:
        return list(self._by_owner.get((owner_uid, kind), {}).values())

    def dependents(self, owner_uid: str) -> list[Manifest]:
        """Objects of any kind with an owner reference to the uid."""
        return list(self._by_owner.get((owner_uid, ""), {}).values())

    def orphans(self, kind: str, namespace: str) -> list[Manifest]:
        """Objects that no controller owns."""
        return list(self._orphans.get((kind, namespace), {}).values())

    def pods_on(self, node_name: str) -> list[Manifest]:
        return list(self._by_node.get(("Pod", node_name), {}).values())

    def _places(self, key: ObjectKey, manifest: Manifest) -> Iterator[tuple[_Table, _Place]]:
        yield self._by_kind, (key.kind, key.namespace)
        for owner in owner_references(manifest):
            yield self._by_owner, (owner["uid"], key.kind)
            yield self._by_owner, (owner["uid"], "")
        if controller_of(manifest) is None:
            yield self._orphans, (key.kind, key.namespace)
        if key.kind == "Pod" and node_name_of(manifest):
            yield self._by_node, ("Pod", node_name_of(manifest))

    def _same_places(self, key: ObjectKey, old: Manifest, new: Manifest) -> bool:
        """Then the new state takes the old one's place, in its order."""
        same_owners = uid_of(old) == uid_of(new) and owner_references(old) == owner_references(new)
        return same_owners and (key.kind != "Pod" or node_name_of(old) == node_name_of(new))

    def _link(self, key: ObjectKey, manifest: Manifest) -> None:
        for table, place in self._places(key, manifest):
            table[place][key] = manifest
        self._namespaces[key.kind][key.namespace] = None
        self._uids[uid_of(manifest)] = key

    def _unlink(self, key: ObjectKey, manifest: Manifest) -> None:
        for table, place in self._places(key, manifest):
            bucket = table.get(place)
            if bucket is not None and bucket.pop(key, None) is not None and not bucket:
                del table[place]
        if (key.kind, key.namespace) not in self._by_kind:
            self._namespaces[key.kind].pop(key.namespace, None)
        self._uids.pop(uid_of(manifest), None)
