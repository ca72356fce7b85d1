"""create, update, patch, delete, deletecollection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.http import HttpRequest

from playground.clusters.admission.schema import shape_of
from playground.clusters.kinds import Kind
from playground.clusters.models import Cluster
from playground.clusters.patches import json_patch, merge_patch, strategic_merge_patch
from playground.clusters.services.asking_webhooks import write_asking_webhooks
from playground.clusters.services.objects import (
    DeleteOptions,
    object_create,
    object_delete,
    object_delete_many,
    object_patch,
    object_replace,
)
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.errors import BadRequest, MethodNotAllowed, UnsupportedMediaType
from playground.kubernetes_api.bodies import media_type, read_object, read_options, read_value
from playground.kubernetes_api.reads import list_objects, object_filter
from playground.kubernetes_api.resource_path import ResourcePath
from playground.kubernetes_api.warnings import note_warnings

Manifest = dict[str, Any]

MERGE_PATCH = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"
STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json"
PATCH_TYPES = (JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH)


def is_dry_run(request: HttpRequest) -> bool:
    wanted = request.GET.getlist("dryRun")
    if any(value != "All" for value in wanted):
        raise BadRequest('dryRun: Unsupported value: supported values: "All"')
    return bool(wanted)


def is_strict(request: HttpRequest) -> bool:
    """Unknown fields are errors unless the client asks for less."""
    wanted = request.GET.get("fieldValidation", "Strict")
    if wanted not in ("Strict", "Warn", "Ignore"):
        raise BadRequest('fieldValidation: Unsupported value: supported values: "Ignore", "Strict", "Warn"')
    return wanted == "Strict"


def require_kind(kind: Kind, manifest: Mapping[str, Any]) -> Manifest:
    """The manifest with apiVersion and kind of the address; others are refused."""
    for field, expected in (("apiVersion", kind.api_version), ("kind", kind.kind)):
        given = manifest.get(field)
        if given not in (None, "", expected):
            words = "API version" if field == "apiVersion" else "kind"
            raise BadRequest(f"the {words} in the data ({given}) does not match the expected {words} ({expected})")
    return {**manifest, "apiVersion": kind.api_version, "kind": kind.kind}


def create(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> Manifest:
    if path.kind.namespaced and not path.namespace:
        raise MethodNotAllowed(f"create {path.kind.plural} in a namespace: .../namespaces/default/{path.kind.plural}")
    manifest = require_kind(path.kind, read_object(request))
    work = partial(object_create, manifest=manifest, namespace=path.namespace or None, strict=is_strict(request))
    return write(request, cluster, work)


def write(request: HttpRequest, cluster: Cluster, work: Callable[[ClusterTransaction], Manifest]) -> Manifest:
    """Do it, past the admission webhooks; what they warn of goes with the response."""

    def warned(tx: ClusterTransaction) -> tuple[Manifest, list[str]]:
        return work(tx), tx.warnings

    manifest, warnings = write_asking_webhooks(cluster.pk, warned, dry_run=is_dry_run(request))
    note_warnings(request, warnings)
    return manifest


def replace(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> Manifest:
    manifest = require_kind(path.kind, read_object(request))
    work = partial(
        object_replace,
        kind=path.kind.kind,
        namespace=path.namespace,
        name=path.name,
        manifest=manifest,
        subresource=path.subresource,
        strict=is_strict(request),
    )
    return write(request, cluster, work)


def patch(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> Manifest:
    change = read_patch(request, path.kind.definition)
    work = partial(
        object_patch,
        kind=path.kind.kind,
        namespace=path.namespace,
        name=path.name,
        change=change,
        subresource=path.subresource,
        strict=is_strict(request),
    )
    return write(request, cluster, work)


def read_patch(request: HttpRequest, definition: str) -> Callable[[Manifest], Manifest]:
    """The patch of the body as a function from the current object to the wanted one."""
    kind = media_type(request)
    if kind not in PATCH_TYPES:
        raise UnsupportedMediaType(
            f"the body of the request was in an unknown format ({kind or 'none given'}); "
            f"accepted media types include: {', '.join(PATCH_TYPES)}"
        )
    body = read_value(request)
    if kind == JSON_PATCH:
        return _checked(lambda current: json_patch(current, body))
    if kind == MERGE_PATCH:
        return _checked(lambda current: merge_patch(current, body))
    return _checked(lambda current: strategic_merge_patch(current, body, shape_of(definition)))


def _checked(change: Callable[[Manifest], Any]) -> Callable[[Manifest], Manifest]:
    def checked(current: Manifest) -> Manifest:
        wanted = change(current)
        if not isinstance(wanted, dict):
            raise BadRequest(f"the patch would make the object a {type(wanted).__name__}")
        return wanted

    return checked


def delete(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> Manifest:
    with cluster_transaction(cluster.pk, dry_run=is_dry_run(request)) as tx:
        gone = object_delete(
            tx, kind=path.kind.kind, namespace=path.namespace, name=path.name, options=delete_options(request)
        )
    metadata = gone["metadata"]
    if path.kind.kind == "Pod" or metadata.get("finalizers") or metadata.get("deletionGracePeriodSeconds"):
        return gone
    details = {"name": path.name, "kind": path.kind.plural, "uid": metadata["uid"]}
    return success({**details, "group": path.kind.group} if path.kind.group else details)


def success(details: Mapping[str, Any] | None = None) -> Manifest:
    status: Manifest = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}
    return status | ({"details": dict(details)} if details else {})


def delete_collection(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> Manifest:
    options, wanted = delete_options(request), object_filter(request, path)
    with cluster_transaction(cluster.pk, dry_run=is_dry_run(request)) as tx:
        page = list_objects(cluster, wanted)
        uids = [manifest["metadata"]["uid"] for manifest in page.items]
        gone = object_delete_many(tx, kind=path.kind.kind, uids=uids, options=options)
    kind = path.kind
    metadata = {"resourceVersion": str(tx.version)}
    return {"kind": f"{kind.kind}List", "apiVersion": kind.api_version, "metadata": metadata, "items": gone}


def delete_options(request: HttpRequest, body: Mapping[str, Any] | None = None) -> DeleteOptions:
    """From `body` (else the request's: DeleteOptions) or the query."""
    body = read_options(request) if body is None else body
    preconditions = body.get("preconditions") or {}
    policy = body.get("propagationPolicy") or request.GET.get("propagationPolicy") or "Background"
    if policy not in ("Background", "Foreground", "Orphan") or not isinstance(preconditions, dict):
        raise BadRequest('propagationPolicy: Unsupported value: supported values: "Background", "Foreground", "Orphan"')
    if body.get("orphanDependents") is True:
        policy = "Orphan"
    return DeleteOptions(
        grace_period_seconds=_grace(body.get("gracePeriodSeconds", request.GET.get("gracePeriodSeconds"))),
        uid=str(preconditions.get("uid") or ""),
        resource_version=str(preconditions.get("resourceVersion") or ""),
        propagation_policy=policy,
    )


def _grace(value: Any) -> int | None:
    if value is None:
        return None
    text = str(value)
    if isinstance(value, bool) or not text.isdecimal() or len(text) > 9:
        raise BadRequest(f"gracePeriodSeconds: Invalid value: {text[:50]!r}: must be a number that is not negative")
    return int(text)
