"""What a drag, a lasso or a form does to many objects at once: one transaction, one answer an object.

    node_patch_many(cluster_id=, names=, patch=) -> list[NodePatchResult]      with the patches that undo it
    node_create_many(cluster_id=, manifest=, count=, ...) -> list[str]         names
    object_delete_named(cluster_id=, objects=, options=) -> list[DeleteResult]
    pod_move(cluster_id=, namespace=, name=, node=) -> MovedPod

A refused object does not stop the others, except where the answer is one object
(`pod_move`): then all of it happens or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from playground.clusters.admission.defaults import hostname_of
from playground.clusters.kinds import KINDS
from playground.clusters.patches import merge_patch
from playground.clusters.selectors import Manifest, object_get
from playground.clusters.services import store
from playground.clusters.services.asking_webhooks import write_asking_webhooks
from playground.clusters.services.disruption import pod_evict
from playground.clusters.services.objects import (
    Change,
    DeleteOptions,
    Patched,
    not_found,
    object_create,
    object_create_many,
    object_delete_many,
    object_patch_many,
)
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.errors import ApiError, BadRequest, Cause, Conflict, Invalid
from scheduler_core.objects.manifest import controller_of

MOST_OBJECTS = 1_000
MOST_NODES = 5_000
# Of a node, what a patch may be about; `status` goes through the status subresource.
PATCHABLE = ("metadata", "spec", "status")
_PATCHABLE_METADATA = ("labels", "annotations")


class NodePatchResult(msgspec.Struct, kw_only=True):
    name: str
    # "": it is done.
    error: str = ""
    # A merge patch that brings back what was there; {} where nothing changed.
    inverse: dict[str, Any] = {}


class DeleteResult(msgspec.Struct, kw_only=True):
    kind: str
    namespace: str
    name: str
    error: str = ""
    # It waits for its grace period, or a finalizer.
    terminating: bool = False


class MovedPod(msgspec.Struct, kw_only=True):
    """The pod that goes, and the one that comes."""

    # "namespace/name"
    evicted: str
    namespace: str
    name: str
    uid: str
    node: str
    # The controller that will make a replacement of its own for the evicted pod; "" where there is none.
    replaced_by: str


# Nodes


def node_patch_many(*, cluster_id: int, names: Sequence[str], patch: Mapping[str, Any]) -> list[NodePatchResult]:
    """One merge patch for many nodes. Raises BadRequest for a patch that is about something else."""
    _check_count(names, MOST_NODES, "names")
    _check_patch(patch)

    wanted = list(dict.fromkeys(names))
    changes = _changes_of(patch)

    def patch_all(tx: ClusterTransaction) -> list[NodePatchResult]:
        patched = object_patch_many(tx, kind="Node", names=wanted, changes=changes)
        return [_patch_result(name, result) for name, result in zip(wanted, patched, strict=True)]

    return write_asking_webhooks(cluster_id, patch_all)


def _changes_of(patch: Mapping[str, Any]) -> dict[str, Change]:
    """The object and its status have doors of their own."""
    own = {key: value for key, value in patch.items() if key != "status"}
    changes: dict[str, Change] = {"": partial(_merged, patch=own)}
    if "status" in patch:
        changes["status"] = partial(_merged, patch={"status": patch["status"]})
    return changes


def _patch_result(name: str, result: Patched | ApiError) -> NodePatchResult:
    if isinstance(result, ApiError):
        return NodePatchResult(name=name, error=result.message)
    return NodePatchResult(name=name, inverse=_inverse(result.before, result.after))


def _check_count(items: Sequence[Any], most: int, path: str) -> None:
    if len(items) > most:
        message = f"at most {most} at once, got {len(items)}"
        raise Invalid(f"{path}: {message}", [Cause(path=path, message=message)])


def _check_patch(patch: Mapping[str, Any]) -> None:
    metadata = patch.get("metadata") or {}
    unknown = [key for key in patch if key not in PATCHABLE]
    unknown += [f"metadata.{key}" for key in metadata if key not in _PATCHABLE_METADATA]
    if unknown:
        allowed = "metadata.labels, metadata.annotations, spec and status"
        causes = [
            Cause(path=f"patch.{path}", message=f"may not be patched here; what may is {allowed}") for path in unknown
        ]
        raise BadRequest(f"patch: {', '.join(unknown)} may not be patched here; what may is {allowed}", causes)


def _merged(node: Manifest, patch: Mapping[str, Any]) -> Manifest:
    merged: Manifest = merge_patch(node, dict(patch))
    return merged


def _inverse(before: Manifest, after: Manifest) -> dict[str, Any]:
    """Of what people change; versions, times and conditions are not undone."""
    kept = {
        "metadata": {key: (before["metadata"].get(key), after["metadata"].get(key)) for key in _PATCHABLE_METADATA},
        "spec": {"": (before.get("spec"), after.get("spec"))},
        "status": {
            key: ((before.get("status") or {}).get(key), (after.get("status") or {}).get(key))
            for key in sorted({*(before.get("status") or {}), *(after.get("status") or {})})
        },
    }
    inverse: dict[str, Any] = {}
    for part, fields in kept.items():
        back = {key: undoing(new, old) for key, (old, new) in fields.items() if old != new}
        if back:
            inverse[part] = back[""] if part == "spec" else back
    return inverse


def undoing(new: Any, old: Any) -> Any:
    """The merge patch that makes `old` of `new`; lists are put back whole."""
    if not isinstance(new, dict) or not isinstance(old, dict):
        return old
    patch = {key: None for key in new if key not in old}
    patch.update({key: undoing(new.get(key), value) for key, value in old.items() if new.get(key) != value})
    return patch


def node_create_many(*, cluster_id: int, manifest: Mapping[str, Any], count: int, prefix: str = "") -> list[str]:
    """`count` nodes like the manifest, all or none, under the first free names: `prefix` and a number."""
    if not 1 <= count <= MOST_NODES:
        message = f"must be between 1 and {MOST_NODES}"
        raise Invalid(f"count: {message}", [Cause(path="count", message=message)])
    metadata = manifest.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    prefix = prefix or str(metadata.get("generateName") or metadata.get("name") or "node-")

    def create_all(tx: ClusterTransaction) -> list[str]:
        names = _free_names(tx, prefix, count)
        first, *others = [_named_node(manifest, metadata, name) for name in names]
        # The others are no different: what is said of the first holds for them.
        object_create(tx, manifest=first)
        for result in object_create_many(tx, kind="Node", manifests=others):
            if isinstance(result, ApiError):
                raise result
        return names

    return write_asking_webhooks(cluster_id, create_all)


def _free_names(tx: ClusterTransaction, prefix: str, count: int) -> list[str]:
    from_database = KINDS["Node"].model._default_manager.filter(cluster_id=tx.cluster.pk, name__startswith=prefix)
    taken = set(from_database.values_list("name", flat=True))
    names: list[str] = []
    number = 0
    while len(names) < count:
        number += 1
        if f"{prefix}{number}" not in taken:
            names.append(f"{prefix}{number}")
    return names


_HOSTNAME = "kubernetes.io/hostname"


def _named_node(manifest: Mapping[str, Any], metadata: Mapping[str, Any], name: str) -> Manifest:
    """A node's hostname label is its own name."""
    own = {key: value for key, value in metadata.items() if key != "generateName"}
    labels = {**(own.get("labels") or {}), _HOSTNAME: hostname_of(name)}
    return {"apiVersion": "v1", "kind": "Node", **manifest, "metadata": {**own, "name": name, "labels": labels}}


# Objects of any kind


def object_delete_named(
    *, cluster_id: int, objects: Sequence[Mapping[str, str]], options: DeleteOptions | None = None
) -> list[DeleteResult]:
    """`objects`: {kind, namespace, name} each."""
    _check_count(objects, MOST_OBJECTS, "objects")
    wanted = [(each["kind"], _namespace_of(each), each["name"]) for each in objects]
    gone: dict[tuple[str, str, str], Manifest] = {}
    with cluster_transaction(cluster_id) as tx:
        for kind in dict.fromkeys(kind for kind, _, _ in wanted if kind in KINDS):
            keys = [(namespace, name) for of_kind, namespace, name in wanted if of_kind == kind]
            uids = [row.uid for row in store.rows_by_name(tx, KINDS[kind], keys).values()]
            for manifest in object_delete_many(tx, kind=kind, uids=uids, options=options):
                metadata = manifest["metadata"]
                gone[kind, metadata.get("namespace", ""), metadata["name"]] = manifest
    return [_delete_result(*key, gone.get(key)) for key in wanted]


def _namespace_of(wanted: Mapping[str, str]) -> str:
    described = KINDS.get(wanted["kind"])
    namespace = wanted.get("namespace", "")
    if described is None:
        return namespace
    return namespace or "default" if described.namespaced else ""


def _delete_result(kind: str, namespace: str, name: str, gone: Manifest | None) -> DeleteResult:
    result = DeleteResult(kind=kind, namespace=namespace, name=name)
    if kind not in KINDS:
        result.error = f'no matches for kind "{kind}"'
    elif gone is None:
        result.error = not_found(KINDS[kind], name).message
    else:
        metadata = gone["metadata"]
        result.terminating = bool(metadata.get("deletionGracePeriodSeconds") or metadata.get("finalizers"))
    return result


# Pods


def pod_move(*, cluster_id: int, namespace: str, name: str, node: str) -> MovedPod:
    """Evict a pod and make a copy of it that may only run on `node`; the scheduler places it there or says why not.

    The copy has no owner. A pod that a controller owns is replaced by its controller as well, so there is one pod
    more than before until the controller is scaled down; the answer says which. Raises NotFound, Conflict,
    TooManyRequests where a disruption budget forbids it; nothing has happened then.
    """

    def move(tx: ClusterTransaction) -> tuple[Manifest, Manifest]:
        pod = object_get(cluster_id, "Pod", namespace, name)
        if pod is None:
            raise not_found(KINDS["Pod"], name)
        if object_get(cluster_id, "Node", None, node) is None:
            raise not_found(KINDS["Node"], node)
        _check_movable(pod, node)
        pod_evict(tx, namespace=namespace, name=name)
        return pod, object_create(tx, manifest=pinned_copy(pod, node))

    pod, copy = write_asking_webhooks(cluster_id, move)
    owner = controller_of(pod)
    return MovedPod(
        evicted=f"{namespace}/{name}",
        namespace=namespace,
        name=copy["metadata"]["name"],
        uid=copy["metadata"]["uid"],
        node=node,
        replaced_by="" if owner is None else f"{owner['kind']} {owner['name']}",
    )


def _check_movable(pod: Manifest, node: str) -> None:
    name, on = pod["metadata"]["name"], pod["spec"].get("nodeName", "")
    if pod["metadata"].get("deletionTimestamp"):
        raise Conflict(f'pods "{name}" is being deleted already')
    if not on:
        raise Conflict(f'pods "{name}" is not on a node yet: bind it instead')
    if on == node:
        raise Conflict(f'pods "{name}" is on node "{node}" already')


# Set by the API server or by admission; a copy gets its own.
_SET_BY_ADMISSION = ("nodeName", "priority", "preemptionPolicy")
_OWN_LABELS = ("pod-template-hash", "controller-revision-hash", "statefulset.kubernetes.io/pod-name")
# A node's name, as node affinity knows it.
_NAME_FIELD = "metadata.name"


def pinned_copy(pod: Manifest, node: str) -> Manifest:
    """The same pod without owner, for that node only."""
    metadata, spec = pod["metadata"], {key: value for key, value in pod["spec"].items() if key not in _SET_BY_ADMISSION}
    labels = {key: value for key, value in (metadata.get("labels") or {}).items() if key not in _OWN_LABELS}
    spec["affinity"] = {**(spec.get("affinity") or {}), "nodeAffinity": _only(spec, node)}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "generateName": f"{metadata['name'][:50]}-",
            "namespace": metadata["namespace"],
            "labels": labels,
            "annotations": metadata.get("annotations") or {},
        },
        "spec": spec,
    }


def _only(spec: Manifest, node: str) -> Manifest:
    """The pod's own node affinity, each of whose terms now asks for this node too."""
    affinity = dict((spec.get("affinity") or {}).get("nodeAffinity") or {})
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    named = {"key": _NAME_FIELD, "operator": "In", "values": [node]}
    terms = [
        {**term, "matchFields": [*_without_name(term.get("matchFields") or ()), named]}
        for term in required.get("nodeSelectorTerms") or [{}]
    ]
    affinity["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": terms}
    return affinity


def _without_name(fields: Sequence[Manifest]) -> list[Manifest]:
    """A pod that was moved before, or that its DaemonSet pinned, is not held back by it."""
    return [field for field in fields if field.get("key") != _NAME_FIELD]
