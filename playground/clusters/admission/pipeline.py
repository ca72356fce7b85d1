"""The order of the steps, and how what they find becomes an error.

A manifest that is not of its kind's shape is a 400 (BadRequest), as in
Kubernetes, where it cannot even be decoded; one that breaks a rule is a 422
(Invalid). Both carry every cause with its path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from playground.clusters.admission import immutability, metadata, validation
from playground.clusters.admission.defaults import set_defaults
from playground.clusters.admission.mutation.chain import mutate
from playground.clusters.admission.mutation.request import ADMIN, AdmissionRequest, controller_user
from playground.clusters.admission.pods import admit_pod, prepare_pod
from playground.clusters.admission.schema import conform
from playground.clusters.kinds import Kind
from playground.common.errors import BadRequest, Cause, Invalid, Subject
from scheduler_core.objects.decode import KINDS as ENGINE_KINDS
from scheduler_core.objects.decode import DecodeError, decode

if TYPE_CHECKING:
    from playground.clusters.services.transaction import ClusterTransaction

Manifest = dict[str, Any]

# Kinds whose status a creator may bring along: a Node's capacity is in it and nobody else knows it.
STATUS_FROM_CREATOR = frozenset({"Node"})


def admit_create(
    tx: ClusterTransaction,
    kind: Kind,
    manifest: Mapping[str, Any],
    *,
    namespace: str | None,
    strict: bool,
    name_drawn: bool = False,
) -> Manifest:
    """The manifest as it will be stored, but for name, uid and version. Raises BadRequest or Invalid.

    `name_drawn`: its name was made of its generateName, which hooks are not told.
    """
    admitted = read_manifest(kind, manifest, strict=strict)
    metadata.place(kind, admitted, namespace)
    metadata.strip_system_fields(admitted["metadata"])
    if "status" in kind.subresources and kind.kind not in STATUS_FROM_CREATOR:
        admitted.pop("status", None)
    set_defaults(kind, admitted)
    admitted = _created(tx, kind, admitted, name_drawn=name_drawn, user=ADMIN)
    _raise_invalid(
        kind, admitted, [*metadata.validate(kind, admitted["metadata"]), *validation.validate(kind, admitted)]
    )
    _require_readable(kind, admitted)
    return admitted


def admit_trusted(tx: ClusterTransaction, kind: Kind, manifest: Mapping[str, Any]) -> Manifest:
    """A controller's new object: a copy with defaults."""
    admitted: Manifest = {"apiVersion": kind.api_version, "kind": kind.kind, **manifest}
    admitted["metadata"] = {**manifest["metadata"]}
    metadata.strip_system_fields(admitted["metadata"])
    if kind.kind == "Pod":
        admitted["spec"] = deepcopy(manifest["spec"])
    else:
        admitted = deepcopy(admitted)
    set_defaults(kind, admitted)
    is_drawn = bool(manifest["metadata"].get("generateName"))
    return _created(tx, kind, admitted, name_drawn=is_drawn, user=controller_user(manifest))


def _created(
    tx: ClusterTransaction, kind: Kind, manifest: Manifest, *, name_drawn: bool, user: Mapping[str, Any]
) -> Manifest:
    """Past the server's own plugins and the hooks, and prepared for storage."""

    def built_in(changed: Manifest) -> None:
        if kind.kind == "Pod":
            admit_pod(tx, changed)

    built_in(manifest)
    meta = manifest["metadata"]
    name = meta.pop("name", "") if name_drawn else meta.get("name", "")
    request = AdmissionRequest(
        kind=kind,
        operation="CREATE",
        namespace=_request_namespace(kind, meta),
        name="" if name_drawn else name,
        dry_run=tx.dry_run,
        user=user,
    )
    try:
        admitted = mutate(tx, request, manifest, built_in)
    finally:
        if name_drawn:
            meta["name"] = name
    if name_drawn:
        admitted["metadata"] = {"name": name, **admitted["metadata"]}
    if kind.kind == "Pod":
        prepare_pod(tx, admitted)
    return admitted


def _request_namespace(kind: Kind, meta: Mapping[str, Any]) -> str:
    """Kubernetes has it that a Namespace is in itself."""
    if kind.kind == "Namespace":
        return str(meta.get("name", ""))
    return str(meta.get("namespace", ""))


def admit_update(
    tx: ClusterTransaction,
    kind: Kind,
    current: Manifest,
    wanted: Mapping[str, Any],
    *,
    subresource: str,
    strict: bool,
) -> Manifest:
    """The new manifest: of `wanted` only what this door may change, the rest as it is."""
    read = read_manifest(kind, wanted, strict=strict)
    metadata.place(kind, read, current["metadata"].get("namespace"))
    read["metadata"] = metadata.keep_system_fields(current["metadata"], read["metadata"])
    admitted = _changed_by_this_door(kind, current, read, subresource)
    set_defaults(kind, admitted)
    request = AdmissionRequest(
        kind=kind,
        operation="UPDATE",
        namespace=_request_namespace(kind, current["metadata"]),
        name=current["metadata"]["name"],
        subresource=subresource,
        old=current,
        dry_run=tx.dry_run,
    )
    admitted = mutate(tx, request, admitted, lambda changed: None)
    if kind.kind == "Pod" and not subresource:
        immutability.keep_assigned(current, admitted)
    causes = [*metadata.validate(kind, admitted["metadata"]), *validation.validate(kind, admitted)]
    if not subresource:
        causes += immutability.validate_update(kind, current, admitted)
    _raise_invalid(kind, admitted, causes)
    _require_readable(kind, admitted)
    return admitted


def _changed_by_this_door(kind: Kind, current: Manifest, read: Manifest, subresource: str) -> Manifest:
    if subresource == "status":
        kept = {key: value for key, value in current.items() if key != "status"}
        kept["metadata"] = {**current["metadata"]}
        for key in ("labels", "annotations"):
            if key in read["metadata"]:
                kept["metadata"][key] = read["metadata"][key]
        return {**kept, "status": read.get("status", {})}
    if "status" in kind.subresources:
        read.pop("status", None)
        if "status" in current:
            read["status"] = current["status"]
    return read


def read_manifest(kind: Kind, manifest: Mapping[str, Any], *, strict: bool) -> Manifest:
    """A clean copy of what is of the kind's shape. Raises BadRequest with every cause."""
    clean, wrong, unknown = conform(kind.definition, dict(manifest))
    causes = [*wrong, *(unknown if strict else ())]
    if causes:
        first = causes[0]
        text = f"{first.path}: {first.message}" if first in wrong else f"strict decoding error: {first.message}"
        more = f" (and {len(causes) - 1} more)" if len(causes) > 1 else ""
        raise BadRequest(
            f'{kind.kind} in version "{kind.version}" cannot be handled as a {kind.kind}: {text}{more}', causes
        )
    if not isinstance(clean.get("metadata", {}), dict):
        raise BadRequest("metadata: expected an object")
    clean.setdefault("metadata", {})
    clean["apiVersion"], clean["kind"] = kind.api_version, kind.kind
    return {key: clean[key] for key in ("apiVersion", "kind", "metadata")} | clean


def _raise_invalid(kind: Kind, manifest: Manifest, causes: Sequence[Cause]) -> None:
    if not causes:
        return
    name = manifest["metadata"].get("name") or manifest["metadata"].get("generateName", "")
    told = [f"{cause.path}: {cause.message}" for cause in causes]
    listed = told[0] if len(told) == 1 else f"[{', '.join(told)}]"
    qualified = f"{kind.kind}.{kind.group}" if kind.group else kind.kind
    raise Invalid(
        f'{qualified} "{name}" is invalid: {listed}',
        causes,
        Subject(name=name, group=kind.group, kind=kind.kind),
    )


def _require_readable(kind: Kind, manifest: Manifest) -> None:
    """What the engine cannot read must not get in: it would stop the scheduling of others."""
    if kind.kind not in ENGINE_KINDS:
        return
    try:
        decode(manifest)
    except DecodeError as error:
        _raise_invalid(kind, manifest, [Cause(path=error.path, message=error.message)])
