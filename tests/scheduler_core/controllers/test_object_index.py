from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.objects.manifest import Manifest, key_of

NAMES, UIDS = ("a", "b", "c"), ("u1", "u2", "u3", "u4")


def manifest(kind: str, namespace: str, name: str, uid: str, owners: tuple[str, ...], node: str) -> Manifest:
    references = [{"uid": owner, "controller": n == 0} for n, owner in enumerate(owners)]
    metadata = {
        "namespace": namespace,
        "name": name,
        "uid": f"{kind}-{namespace}-{name}-{uid}",
        "ownerReferences": references,
    }
    return {"kind": kind, "metadata": metadata, "spec": {"nodeName": node}}


manifests = st.builds(
    manifest,
    st.sampled_from(["Pod", "ReplicaSet"]),
    st.sampled_from(["x", "y"]),
    st.sampled_from(NAMES),
    st.sampled_from(UIDS),
    st.lists(st.sampled_from(UIDS), max_size=2, unique=True).map(tuple),
    st.sampled_from(["", "n1", "n2"]),
)
steps = st.lists(st.tuples(st.sampled_from(["put", "remove"]), manifests), max_size=30)


def answers(index: ObjectIndex) -> dict[str, Any]:
    def sort(found: list[Manifest]) -> list[str]:
        return sorted(str(each) for each in found)

    every: dict[str, Any] = {"size": len(index)}
    for kind in ("Pod", "ReplicaSet"):
        every[kind] = sort(index.of_kind(kind))
        for namespace in ("x", "y"):
            every[kind, namespace] = sort(index.of_kind(kind, namespace))
            every["orphans", kind, namespace] = sort(index.orphans(kind, namespace))
        for uid in UIDS:
            every["owned", kind, uid] = sort(index.owned_by(uid, kind))
    for uid in UIDS:
        every["dependents", uid] = sort(index.dependents(uid))
    for node in ("n1", "n2"):
        every["on", node] = sort(index.pods_on(node))
    return every


@settings(deadline=None)
@given(steps)
def test_after_any_changes_it_answers_like_a_new_one(changes: list[tuple[str, Manifest]]) -> None:
    index = ObjectIndex()
    objects: dict[Any, Manifest] = {}
    for action, each in changes:
        if action == "put":
            index.put(each)
            objects[key_of(each)] = each
        else:
            index.remove(key_of(each))
            objects.pop(key_of(each), None)
    fresh = ObjectIndex()
    for each in objects.values():
        fresh.put(each)
    assert answers(index) == answers(fresh)
    for key, each in objects.items():
        assert index.get(key) == each
        assert index.by_uid(each["metadata"]["uid"]) is not None
