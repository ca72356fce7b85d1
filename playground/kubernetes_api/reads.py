"""get and list."""

from __future__ import annotations

import base64
import binascii
from typing import Any, NamedTuple

import msgspec
from django.db.models import Q
from django.http import HttpRequest

from playground.clusters import selectors
from playground.clusters.models import Cluster
from playground.clusters.services.objects import not_found
from playground.common.database import consistent_read
from playground.common.errors import BadRequest, Cause, FromTheFuture
from playground.kubernetes_api.query_selectors import (
    FieldTerm,
    ObjectFilter,
    parse_field_selector,
    parse_label_selector,
)
from playground.kubernetes_api.resource_path import ResourcePath

Manifest = dict[str, Any]

# Rows read at a time while a label selector is looked at.
PAGE = 500


class Continue(msgspec.Struct, kw_only=True):
    """Where the next page begins, and the version the first one was read at."""

    version: int
    namespace: str
    name: str


class Page(NamedTuple):
    version: int
    items: list[Manifest]
    # "" on the last page.
    token: str


def object_filter(request: HttpRequest, path: ResourcePath) -> ObjectFilter:
    return ObjectFilter(
        kind=path.kind,
        namespace=path.namespace,
        labels=parse_label_selector(request.GET.get("labelSelector", "")),
        fields=[*parse_field_selector(path.kind, request.GET.get("fieldSelector", "")), *_named(path)],
    )


def _named(path: ResourcePath) -> list[FieldTerm]:
    """A watch at an object's own address is about that object."""
    return [FieldTerm(path="metadata.name", value=path.name, negated=False)] if path.name else []


def get(cluster: Cluster, path: ResourcePath) -> Manifest:
    manifest = selectors.object_get(cluster.pk, path.kind.kind, path.namespace, path.name)
    if manifest is None:
        raise not_found(path.kind, path.name)
    return manifest


def list_objects(cluster: Cluster, wanted: ObjectFilter, limit: int = 0, token: str = "") -> Page:
    """The objects that match, by namespace and name, as of one version. `limit` 0: all."""
    with consistent_read():
        version = selectors.feed_version(cluster.pk)
        start = _decoded(token) if token else None
        items = _matching(cluster, wanted, start, limit + 1 if limit else 0)
    version = start.version if start else version
    if not limit or len(items) <= limit:
        return Page(version, items, "")
    metadata = items[limit - 1]["metadata"]
    after = Continue(version=version, namespace=metadata.get("namespace", ""), name=metadata["name"])
    return Page(version, items[:limit], base64.urlsafe_b64encode(msgspec.json.encode(after)).decode())


def _matching(cluster: Cluster, wanted: ObjectFilter, start: Continue | None, limit: int) -> list[Manifest]:
    query = wanted.narrowed(selectors.rows(cluster.pk, wanted.kind)).order_by("namespace", "name")
    if start is not None:
        query = query.filter(Q(namespace__gt=start.namespace) | Q(namespace=start.namespace, name__gt=start.name))
    manifests = query.values_list("manifest", flat=True)
    if not wanted.needs_manifest:
        return list(manifests[:limit] if limit else manifests)
    found: list[Manifest] = []
    for manifest in manifests.iterator(PAGE):
        if wanted.matches(manifest):
            found.append(manifest)
            if len(found) == limit:
                break
    return found


def _decoded(token: str) -> Continue:
    try:
        start = msgspec.json.decode(base64.urlsafe_b64decode(token), type=Continue)
    except (msgspec.DecodeError, binascii.Error, ValueError):
        raise _bad_token() from None
    if not (start.namespace + start.name).isprintable():
        raise _bad_token()
    return start


def _bad_token() -> BadRequest:
    return BadRequest("continue key is not valid: start the list again without it")


def list_body(path: ResourcePath, page: Page) -> Manifest:
    metadata: Manifest = {"resourceVersion": str(page.version)}
    if page.token:
        metadata["continue"] = page.token
    kind = path.kind
    return {"kind": f"{kind.kind}List", "apiVersion": kind.api_version, "metadata": metadata, "items": page.items}


def asked_version(request: HttpRequest, cluster: Cluster) -> int:
    """`resourceVersion` of the query, 0 where it is missing. Raises FromTheFuture for one that is not there yet."""
    asked = positive_parameter(request, "resourceVersion")
    if asked > cluster.resource_version:
        current = selectors.feed_version(cluster.pk)
        if asked > current:
            raise _from_the_future(asked, current)
    return asked


def _from_the_future(asked: int, current: int) -> FromTheFuture:
    short = "Too large resource version"
    return FromTheFuture(
        f"Timeout: {short}: {asked}, current: {current}",
        [Cause(path="", message=short, reason="ResourceVersionTooLarge")],
        retry_after_seconds=1,
    )


def positive_parameter(request: HttpRequest, name: str) -> int:
    """A number of the query, 0 where it is missing. Raises BadRequest."""
    text = request.GET.get(name, "")
    if not text:
        return 0
    if not text.isdecimal() or len(text) > 18:
        raise BadRequest(f"{name}: Invalid value: {text[:50]!r}: must be a number that is not negative")
    return int(text)
