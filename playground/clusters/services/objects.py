"""Create, replace, patch and delete objects of any kind, as the Kubernetes API does.

All take the transaction first and keyword arguments after it, and answer the
stored manifest (a dict) or raise an `ApiError`:

    object_create(tx, manifest=, namespace=None, strict=True) -> Manifest
    object_create_many(tx, kind=, manifests=) -> list[Manifest | ApiError]      trusted: from controllers
    object_replace(tx, kind=, namespace=, name=, manifest=, subresource="", strict=True) -> Manifest
    object_patch(tx, kind=, namespace=, name=, change=, subresource="", strict=True) -> Manifest
    object_patch_many(tx, kind=, names=, changes={subresource: change}) -> list[Patched | ApiError]
    object_update_many(tx, kind=, manifests=) -> list[Manifest | ApiError]      trusted: from controllers
    object_delete(tx, kind=, namespace=, name=, options=DeleteOptions()) -> Manifest
    object_delete_many(tx, kind=, uids=, options=DeleteOptions()) -> list[Manifest]
    object_status_update_many(tx, kind=, patches=[StatusPatch(...)]) -> list[Manifest | None]

All but deletions and statuses raise `Unanswered` where an admission webhook has to
be asked first; `services.asking_webhooks` runs them so that it is.

"Trusted" ones skip the schema and the immutability rules (their author is our
own code) and get defaults, uniqueness and versions all the same. `namespace`
is "" for kinds without one. An update that changes nothing writes nothing.

Names of new objects, deletion and statuses are modules of their own (`object_names`,
`deletion`, `statuses`); whoever uses objects imports all of it from here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from playground.clusters.admission import admit_create, admit_trusted, admit_update
from playground.clusters.admission.mutation.verdicts import Unanswered
from playground.clusters.kinds import KINDS, Kind
from playground.clusters.models import ClusterObject
from playground.clusters.selectors import Manifest
from playground.clusters.services import namespaces, store
from playground.clusters.services.deletion import DeleteOptions, is_finished, object_delete, object_delete_many
from playground.clusters.services.known_objects import check_precondition, kind_of, not_found, required_row, subject
from playground.clusters.services.object_names import already_exists, require_free_name, taken_names, with_drawn_name
from playground.clusters.services.statuses import StatusPatch, merge_conditions, object_status_update_many
from playground.clusters.services.transaction import ClusterTransaction
from playground.common.errors import ApiError, BadRequest, Conflict

__all__ = [
    "Change",
    "DeleteOptions",
    "Patched",
    "StatusPatch",
    "kind_of",
    "merge_conditions",
    "not_found",
    "object_create",
    "object_create_many",
    "object_delete",
    "object_delete_many",
    "object_patch",
    "object_patch_many",
    "object_replace",
    "object_status_update_many",
    "object_update_many",
    "subject",
]

# From (a copy of) the current manifest to the wanted one.
Change = Callable[[Manifest], Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patched:
    """An object before and after; the same where nothing changed."""

    before: Manifest
    after: Manifest


def object_create(
    tx: ClusterTransaction, *, manifest: Mapping[str, Any], namespace: str | None = None, strict: bool = True
) -> Manifest:
    """A new object. `namespace`: where the request was sent; it must agree with the manifest."""
    kind = kind_of(manifest)
    named = with_drawn_name(tx, manifest)
    admitted = admit_create(tx, kind, named, namespace=namespace, strict=strict, name_drawn=named is not manifest)
    metadata = admitted["metadata"]
    if kind.namespaced:
        namespaces.require_open(tx, metadata["namespace"])
    require_free_name(tx, kind, metadata)
    store.insert(tx, kind, [admitted])
    return admitted


def object_create_many(
    tx: ClusterTransaction, *, kind: str, manifests: Sequence[Mapping[str, Any]]
) -> list[Manifest | ApiError]:
    """New objects of one kind, written together; a refused one does not stop the others."""
    described = KINDS[kind]
    results: list[Manifest | ApiError] = []
    named = [with_drawn_name(tx, manifest) for manifest in manifests]
    taken = taken_names(tx, described, named)
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
            raise already_exists(kind, metadata["name"])
        require_free_name(tx, kind, metadata)
        key = (key[0], metadata["name"])
    taken.add(key)
    return admitted


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
    change: Change,
    subresource: str = "",
    strict: bool = True,
) -> Manifest:
    """`change` makes the new manifest of (a copy of) the current one; a patch, a replacement, a function."""
    described = KINDS[kind]
    row = required_row(tx, described, namespace, name)
    current: Manifest = row.manifest
    admitted = _admit_change(tx, described, current, change, subresource=subresource, strict=strict)
    if admitted == current:
        return current
    _write_changed(tx, described, [(row, admitted)])
    return admitted


def object_patch_many(
    tx: ClusterTransaction, *, kind: str, names: Sequence[str], changes: Mapping[str, Change]
) -> list[Patched | ApiError]:
    """The same changes (by subresource, one after the other) of many objects of a kind without namespaces.

    They are read and written together; a refused one does not stop the others.
    """
    described = KINDS[kind]
    rows = store.rows_by_name(tx, described, [("", name) for name in names])
    results: list[Patched | ApiError] = []
    changed: list[tuple[ClusterObject, Manifest]] = []
    unanswered: Unanswered | None = None
    for name in names:
        try:
            results.append(_patch_one_of_many(tx, described, rows.get(("", name)), name, changes, changed))
        except ApiError as error:
            results.append(error)
        except Unanswered as missing:
            unanswered = missing
    if unanswered is not None:
        # As for new objects: whoever asks the webhooks asks about all at once.
        raise unanswered
    _write_changed(tx, described, changed)
    return results


def _patch_one_of_many(
    tx: ClusterTransaction,
    kind: Kind,
    row: ClusterObject | None,
    name: str,
    changes: Mapping[str, Change],
    changed: list[tuple[ClusterObject, Manifest]],
) -> Patched:
    if row is None:
        raise not_found(kind, name)
    after: Manifest = row.manifest
    for subresource, change in changes.items():
        after = _admit_change(tx, kind, after, change, subresource=subresource)
    if after != row.manifest:
        changed.append((row, after))
    return Patched(before=row.manifest, after=after)


def _admit_change(
    tx: ClusterTransaction, kind: Kind, current: Manifest, change: Change, *, subresource: str, strict: bool = True
) -> Manifest:
    wanted = change(deepcopy(current))
    _check_identity(kind, current, wanted)
    admitted = admit_update(tx, kind, current, wanted, subresource=subresource, strict=strict)
    _count_generation(kind, current, admitted)
    return admitted


def _write_changed(tx: ClusterTransaction, kind: Kind, changed: Sequence[tuple[ClusterObject, Manifest]]) -> None:
    """The last finalizer of an object that is being deleted may have gone: then it goes."""
    gone = [(row, manifest) for row, manifest in changed if is_finished(manifest)]
    if gone:
        store.remove(tx, kind, gone)
        namespaces.finish_terminating(tx)
    store.update(tx, kind, [(row, manifest) for row, manifest in changed if not is_finished(manifest)])


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
    check_precondition(kind, current, "uid", metadata.get("uid"))
    version = metadata.get("resourceVersion")
    if version not in (None, "", current["metadata"]["resourceVersion"]):
        raise Conflict(
            f'Operation cannot be fulfilled on {kind.resource} "{name}": the object has been modified; '
            "please apply your changes to the latest version and try again",
            subject=subject(kind, name),
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
