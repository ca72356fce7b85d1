"""Create, replace, patch and delete objects of any kind, as the Kubernetes API does.

All take the transaction first and keyword arguments after it, and answer the
stored manifest (a dict) or raise an `ApiError`:

    object_create(tx, manifest=, namespace=None, strict=True) -> Manifest
    object_create_many(tx, kind=, manifests=) -> list[Manifest | ApiError]      trusted: from controllers
    object_replace(tx, kind=, namespace=, name=, manifest=, subresource="", strict=True) -> Manifest
    object_patch(tx, kind=, namespace=, name=, change=, subresource="", strict=True) -> Manifest
    object_update_many(tx, kind=, manifests=) -> list[Manifest | ApiError]      trusted: from controllers
    object_delete(tx, kind=, namespace=, name=, options=DeleteOptions()) -> Manifest
    object_delete_many(tx, kind=, uids=, options=DeleteOptions()) -> list[Manifest]
    object_status_update_many(tx, kind=, patches=[StatusPatch(...)]) -> list[Manifest | None]

All but deletions and statuses raise `Unanswered` where an admission webhook has to
be asked first; `services.asking_webhooks` runs them so that it is.

"Trusted" ones skip the schema and the immutability rules (their author is our
own code) and get defaults, uniqueness and versions all the same. `namespace`
is "" for kinds without one. An update that changes nothing writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from playground.clusters import clock
from playground.clusters.admission import admit_create, admit_trusted, admit_update
from playground.clusters.admission.mutation.verdicts import Unanswered
from playground.clusters.kinds import KINDS, Kind, kind_of_manifest
from playground.clusters.models import ClusterObject
from playground.clusters.selectors import Manifest, object_row
from playground.clusters.services import namespaces, store
from playground.clusters.services.transaction import ClusterTransaction
from playground.common.errors import AlreadyExists, ApiError, BadRequest, Conflict, NotFound, Subject

# Attempts to find a free name for `generateName`.
NAME_ATTEMPTS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteOptions:
    # None: the object's own; 0: at once.
    grace_period_seconds: int | None = None
    # Preconditions; "" asks for nothing.
    uid: str = ""
    resource_version: str = ""
    # Background, Foreground (which here is as Background: the object goes before its dependents), Orphan
    propagation_policy: str = "Background"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusPatch:
    """What becomes of one object's status."""

    uid: str
    # Top-level keys of `status` that are replaced; None removes the key. `conditions` is merged by type:
    # each condition needs type and status; lastTransitionTime is kept where the status did not change.
    status: Mapping[str, Any] = field(default_factory=dict)
    # Annotations that are set; None removes one.
    annotations: Mapping[str, str | None] = field(default_factory=dict)


def subject(kind: Kind, name: str, uid: str = "") -> Subject:
    return Subject(name=name, group=kind.group, kind=kind.plural, uid=uid)


def not_found(kind: Kind, name: str) -> NotFound:
    return NotFound(f'{kind.resource} "{name}" not found', subject=subject(kind, name))


def object_create(
    tx: ClusterTransaction, *, manifest: Mapping[str, Any], namespace: str | None = None, strict: bool = True
) -> Manifest:
    """A new object. `namespace`: where the request was sent; it must agree with the manifest."""
    kind = kind_of(manifest)
    named = _with_drawn_name(tx, manifest)
    admitted = admit_create(tx, kind, named, namespace=namespace, strict=strict, name_drawn=named is not manifest)
    metadata = admitted["metadata"]
    if kind.namespaced:
        namespaces.require_open(tx, metadata["namespace"])
    _require_free_name(tx, kind, metadata)
    store.insert(tx, kind, [admitted])
    return admitted


def object_create_many(
    tx: ClusterTransaction, *, kind: str, manifests: Sequence[Mapping[str, Any]]
) -> list[Manifest | ApiError]:
    """New objects of one kind, written together; a refused one does not stop the others."""
    described = KINDS[kind]
    results: list[Manifest | ApiError] = []
    named = [_with_drawn_name(tx, manifest) for manifest in manifests]
    taken = _taken_names(tx, described, named)
    unanswered: Unanswered | None = None
    for manifest in named:
        try:
            results.append(_admit_one_of_many(tx, described, manifest, taken))
        except ApiError as error:
            results.append(error)
        except Unanswered as missing:
            unanswered = missing
    if unanswered is not None:
        # All of them or none: whoever asks the webhooks asks about all at once.
        raise unanswered
    store.insert(tx, described, [result for result in results if not isinstance(result, ApiError)])
    return results


def _admit_one_of_many(
    tx: ClusterTransaction, kind: Kind, manifest: Mapping[str, Any], taken: set[tuple[str, str]]
) -> Manifest:
    admitted = admit_trusted(tx, kind, manifest)
    metadata = admitted["metadata"]
    if kind.namespaced:
        namespaces.require_open(tx, metadata["namespace"])
    key = (metadata.get("namespace", ""), metadata["name"])
    if key in taken:
        if not metadata.get("generateName"):
            raise _already_exists(kind, metadata["name"])
        _require_free_name(tx, kind, metadata)
        key = (key[0], metadata["name"])
    taken.add(key)
    return admitted


def _with_drawn_name(tx: ClusterTransaction, manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """A name drawn where there is only a prefix; whether it is free is asked for all names together."""
    metadata = manifest.get("metadata")
    if not isinstance(metadata, Mapping) or metadata.get("name") or not isinstance(metadata.get("generateName"), str):
        return manifest
    return {**manifest, "metadata": {**metadata, "name": _drawn_name(tx, metadata["generateName"])}}


def _drawn_name(tx: ClusterTransaction, prefix: str) -> str:
    """Kubernetes cuts the prefix so that the suffix fits into 63 characters."""
    return prefix[:58] + tx.name_suffix()


def _taken_names(tx: ClusterTransaction, kind: Kind, manifests: Sequence[Mapping[str, Any]]) -> set[tuple[str, str]]:
    keys = [
        (metadata.get("namespace", ""), metadata["name"])
        for metadata in (manifest["metadata"] for manifest in manifests)
        if metadata.get("name")
    ]
    return set(store.rows_by_name(tx, kind, keys))


def _require_free_name(tx: ClusterTransaction, kind: Kind, metadata: Manifest) -> None:
    """Raises AlreadyExists; a generated name is drawn again."""
    namespace, prefix = metadata.get("namespace", ""), metadata.get("generateName", "")
    for _ in range(NAME_ATTEMPTS):
        if object_row(tx.cluster.pk, kind, namespace, metadata["name"]) is None:
            return
        if not prefix:
            break
        metadata["name"] = _drawn_name(tx, prefix)
    raise _already_exists(kind, metadata["name"])


def _already_exists(kind: Kind, name: str) -> AlreadyExists:
    return AlreadyExists(f'{kind.resource} "{name}" already exists', subject=subject(kind, name))


def object_replace(
    tx: ClusterTransaction,
    *,
    kind: str,
    namespace: str,
    name: str,
    manifest: Mapping[str, Any],
    subresource: str = "",
    strict: bool = True,
) -> Manifest:
    """PUT. A `resourceVersion` in the manifest must be the current one."""
    return object_patch(
        tx,
        kind=kind,
        namespace=namespace,
        name=name,
        change=lambda current: dict(manifest),
        subresource=subresource,
        strict=strict,
    )


def object_patch(
    tx: ClusterTransaction,
    *,
    kind: str,
    namespace: str,
    name: str,
    change: Callable[[Manifest], Mapping[str, Any]],
    subresource: str = "",
    strict: bool = True,
) -> Manifest:
    """`change` makes the new manifest of (a copy of) the current one; a patch, a replacement, a function."""
    described = KINDS[kind]
    row = _required_row(tx, described, namespace, name)
    current: Manifest = row.manifest
    wanted = change(deepcopy(current))
    _check_identity(described, current, wanted)
    admitted = admit_update(tx, described, current, wanted, subresource=subresource, strict=strict)
    if admitted == current:
        return current
    _count_generation(described, current, admitted)
    if _is_finished(admitted):
        store.remove(tx, described, [(row, admitted)])
        namespaces.finish_terminating(tx)
    else:
        store.update(tx, described, [(row, admitted)])
    return admitted


def _check_identity(kind: Kind, current: Manifest, wanted: Mapping[str, Any]) -> None:
    """The manifest must be of the object it is sent to, and of its current version where it names one."""
    metadata = wanted.get("metadata")
    if not isinstance(metadata, Mapping):
        raise BadRequest("metadata: the manifest has none; send the whole object")
    name = current["metadata"]["name"]
    if metadata.get("name", name) != name:
        raise BadRequest(
            f"the name of the object ({metadata['name']}) does not match the name on the URL ({name})",
            subject=subject(kind, name),
        )
    _check_precondition(kind, current, "uid", metadata.get("uid"))
    version = metadata.get("resourceVersion")
    if version not in (None, "", current["metadata"]["resourceVersion"]):
        raise Conflict(
            f'Operation cannot be fulfilled on {kind.resource} "{name}": the object has been modified; '
            "please apply your changes to the latest version and try again",
            subject=subject(kind, name),
        )


def _check_precondition(kind: Kind, current: Manifest, key: str, wanted: object) -> None:
    metadata = current["metadata"]
    if wanted and wanted != metadata[key]:
        raise Conflict(
            f'Operation cannot be fulfilled on {kind.resource} "{metadata["name"]}": Precondition failed: '
            f"{key} in precondition: {wanted}, {key} in object meta: {metadata[key]}",
            subject=subject(kind, metadata["name"], metadata["uid"]),
        )


def _count_generation(kind: Kind, current: Manifest, admitted: Manifest) -> None:
    if kind.generation and admitted.get("spec") != current.get("spec"):
        admitted["metadata"]["generation"] = current["metadata"].get("generation", 0) + 1


def object_update_many(
    tx: ClusterTransaction, *, kind: str, manifests: Sequence[Mapping[str, Any]]
) -> list[Manifest | ApiError]:
    """New manifests of objects (by uid, whole, status too); a stale resourceVersion is a Conflict."""
    described = KINDS[kind]
    current = store.rows_by_uid(tx, described, [manifest["metadata"]["uid"] for manifest in manifests])
    results: list[Manifest | ApiError] = []
    changed: list[tuple[ClusterObject, Manifest]] = []
    for manifest in manifests:
        row = current.get(manifest["metadata"]["uid"])
        try:
            results.append(_update_one(described, row, manifest, changed))
        except ApiError as error:
            results.append(error)
    store.update(tx, described, changed)
    return results


def _update_one(
    kind: Kind,
    row: ClusterObject | None,
    manifest: Mapping[str, Any],
    changed: list[tuple[ClusterObject, Manifest]],
) -> Manifest:
    if row is None:
        raise not_found(kind, manifest["metadata"]["name"])
    _check_identity(kind, row.manifest, manifest)
    wanted = dict(manifest)
    wanted["metadata"] = {**manifest["metadata"], "resourceVersion": row.manifest["metadata"]["resourceVersion"]}
    if wanted == row.manifest:
        return row.manifest
    _count_generation(kind, row.manifest, wanted)
    changed.append((row, wanted))
    return wanted


def object_status_update_many(
    tx: ClusterTransaction, *, kind: str, patches: Sequence[StatusPatch]
) -> list[Manifest | None]:
    """Change many objects' status; the answer is None for those that are gone."""
    described = KINDS[kind]
    current = store.rows_by_uid(tx, described, [patch.uid for patch in patches])
    results: list[Manifest | None] = []
    changed: dict[str, tuple[ClusterObject, Manifest]] = {}
    for patch in patches:
        row = current.get(patch.uid)
        if row is None:
            results.append(None)
            continue
        before = changed[patch.uid][1] if patch.uid in changed else row.manifest
        after = _with_status(before, patch, tx.timestamp)
        if after != before:
            changed[patch.uid] = (row, after)
        results.append(after)
    store.update(tx, described, list(changed.values()))
    return results


def _with_status(manifest: Manifest, patch: StatusPatch, timestamp: str) -> Manifest:
    status = dict(manifest.get("status") or {})
    for key, value in patch.status.items():
        if value is None:
            status.pop(key, None)
        elif key == "conditions":
            status[key] = merge_conditions(status.get(key) or [], value, timestamp)
        else:
            status[key] = value
    after = {**manifest, "status": status, "metadata": dict(manifest["metadata"])}
    if patch.annotations:
        annotations = {**(manifest["metadata"].get("annotations") or {}), **patch.annotations}
        after["metadata"]["annotations"] = {key: value for key, value in annotations.items() if value is not None}
    return after


def merge_conditions(
    current: Sequence[Mapping[str, Any]], wanted: Sequence[Mapping[str, Any]], timestamp: str
) -> list[dict[str, Any]]:
    """Conditions by type: a wanted one takes the place of the current one of its type."""
    merged = {condition["type"]: dict(condition) for condition in current}
    for condition in wanted:
        before = merged.get(condition["type"])
        after = dict(condition)
        if before is not None and before["status"] == condition["status"] and "lastTransitionTime" in before:
            after["lastTransitionTime"] = before["lastTransitionTime"]
        else:
            after.setdefault("lastTransitionTime", timestamp)
        merged[condition["type"]] = after
    return list(merged.values())


def object_delete(
    tx: ClusterTransaction, *, kind: str, namespace: str, name: str, options: DeleteOptions | None = None
) -> Manifest:
    """Delete one object, or begin to: a bound pod has its grace period, finalizers are waited for."""
    described = KINDS[kind]
    row = _required_row(tx, described, namespace, name)
    options = options or DeleteOptions()
    _check_precondition(described, row.manifest, "uid", options.uid)
    _check_precondition(described, row.manifest, "resourceVersion", options.resource_version)
    return _delete(tx, described, [row], options)[0]


def object_delete_many(
    tx: ClusterTransaction, *, kind: str, uids: Sequence[str], options: DeleteOptions | None = None
) -> list[Manifest]:
    """Delete those of the objects that are still there."""
    described = KINDS[kind]
    found = store.rows_by_uid(tx, described, uids)
    return _delete(tx, described, list(found.values()), options or DeleteOptions())


def _delete(
    tx: ClusterTransaction, kind: Kind, found: Sequence[ClusterObject], options: DeleteOptions
) -> list[Manifest]:
    if kind.kind == "Namespace":
        namespaces.empty(tx, [row.name for row in found], partial(_delete, options=DeleteOptions()))
    if options.propagation_policy == "Orphan":
        _orphan(tx, [row.uid for row in found])
    marked = [(row, _marked_for_deletion(tx, kind, row.manifest, options)) for row in found]
    store.remove(tx, kind, [(row, after) for row, after in marked if _is_finished(after)])
    waiting = [(row, after) for row, after in marked if not _is_finished(after)]
    store.update(tx, kind, [(row, after) for row, after in waiting if after != row.manifest])
    if len(waiting) < len(marked) or kind.kind == "Namespace":
        namespaces.finish_terminating(tx)
    return [after for _, after in marked]


def _marked_for_deletion(tx: ClusterTransaction, kind: Kind, manifest: Manifest, options: DeleteOptions) -> Manifest:
    """The manifest with deletionTimestamp and grace period; a second delete can only shorten it."""
    grace = _grace_period(kind, manifest, options.grace_period_seconds)
    metadata = manifest["metadata"]
    before = metadata.get("deletionGracePeriodSeconds")
    if before is not None and before <= grace:
        return manifest
    after = {**manifest, "metadata": {**metadata}}
    after["metadata"]["deletionTimestamp"] = clock.timestamp(tx.now + grace)
    after["metadata"]["deletionGracePeriodSeconds"] = grace
    if kind.kind == "Namespace":
        after["status"] = {**(manifest.get("status") or {}), "phase": "Terminating"}
    return after


def _grace_period(kind: Kind, manifest: Manifest, wanted: int | None) -> int:
    """Only a pod that runs on a node is given time: its kubelet ends it."""
    if kind.kind != "Pod":
        return 0
    spec, status = manifest["spec"], manifest.get("status") or {}
    if not spec.get("nodeName") or status.get("phase") in ("Succeeded", "Failed"):
        return 0
    own = spec.get("terminationGracePeriodSeconds", 30)
    return max(0, own if wanted is None else wanted)


def _is_finished(manifest: Manifest) -> bool:
    """Nothing holds the object any more: no finalizer, no grace period, no content."""
    metadata = manifest["metadata"]
    if not metadata.get("deletionTimestamp"):
        return False
    if metadata.get("finalizers") or metadata.get("deletionGracePeriodSeconds"):
        return False
    return "kubernetes" not in ((manifest.get("spec") or {}).get("finalizers") or ())


def _orphan(tx: ClusterTransaction, owner_uids: Sequence[str]) -> None:
    """Take the owners out of what they own, so that it outlives them."""
    gone = set(owner_uids)
    for kind in KINDS.values():
        dependents = namespaces.rows_of_owners(tx, kind, owner_uids)
        store.update(tx, kind, [(row, _without_owners(row.manifest, gone)) for row in dependents])


def _without_owners(manifest: Manifest, gone: set[str]) -> Manifest:
    metadata = {**manifest["metadata"]}
    metadata["ownerReferences"] = [o for o in metadata["ownerReferences"] if o["uid"] not in gone]
    return {**manifest, "metadata": metadata}


def _required_row(tx: ClusterTransaction, kind: Kind, namespace: str, name: str) -> ClusterObject:
    row = object_row(tx.cluster.pk, kind, namespace, name)
    if row is None:
        raise not_found(kind, name)
    return row


def kind_of(manifest: Mapping[str, Any]) -> Kind:
    kind = kind_of_manifest(manifest.get("apiVersion"), manifest.get("kind"))
    if kind is None:
        raise NotFound(
            f'no matches for kind "{manifest.get("kind")}" in version "{manifest.get("apiVersion")}"; '
            "the kinds this server knows are listed by discovery (/api/v1 and /apis of the cluster)"
        )
    return kind
