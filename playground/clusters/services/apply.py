"""Apply: a stream of manifests, each made so or told why not.

    stream_apply(cluster_id=, text=, default_namespace="default") -> list[ApplyResult]

Works as `kubectl apply` does: what is not there is created; what is there gets
what the manifest says and loses what the last applied manifest said and this
one does not (the annotation `kubectl.kubernetes.io/last-applied-configuration`
remembers it). Each document stands for itself: one that is refused leaves the
others alone. A `List` is its items.

A Node's size is in its status, and nobody but the author of the YAML knows it,
so apply writes a Node's status too.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import msgspec
from django.db import DatabaseError

from playground.clusters.admission.mutation.verdicts import Unanswered
from playground.clusters.admission.schema import shape_of
from playground.clusters.kinds import KINDS, Kind
from playground.clusters.manifests import Document, read_documents
from playground.clusters.patches import three_way_merge
from playground.clusters.selectors import Manifest, object_get
from playground.clusters.services.asking_webhooks import write_asking_webhooks
from playground.clusters.services.objects import kind_of, object_create, object_patch
from playground.clusters.services.transaction import ClusterTransaction
from playground.common.database import chunks
from playground.common.errors import ApiError, BadRequest, Cause, TooLarge

logger = logging.getLogger(__name__)

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
# Objects written in one transaction: few enough to let others write in between.
SLICE = 50
MAX_OBJECTS = 5_000

Outcome = Literal["created", "configured", "unchanged", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyResult:
    # Counted from 1.
    document: int
    kind: str = ""
    namespace: str = ""
    name: str = ""
    result: Outcome
    # Everything that is wrong with it; empty unless `result` is error.
    causes: Sequence[Cause] = ()
    message: str = ""
    # Of the first cause, in the whole text.
    line: int | None = None
    # What admission webhooks say though nothing is wrong.
    warnings: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """One object of a stream."""

    document: Document
    manifest: Any
    # Where it is in its document: "" or `items[3]`.
    path: str = ""


def stream_apply(*, cluster_id: int, text: str, default_namespace: str = "default") -> list[ApplyResult]:
    """Apply every document of a YAML (or JSON) text. Raises TooLarge for the text as a whole, before any is applied."""
    results: list[ApplyResult] = []
    for some in chunks(list(_items(text)), SLICE):
        results += write_asking_webhooks(cluster_id, partial(_apply_items, some, default_namespace))
    return results


def _apply_items(items: Sequence[_Item], default_namespace: str, tx: ClusterTransaction) -> list[ApplyResult]:
    results: list[ApplyResult] = []
    for item in items:
        before = len(tx.warnings)
        # Met by one, the others are still looked at: their webhooks are asked at the same time.
        with suppress(Unanswered):
            result = _apply_item(tx, item, default_namespace)
            results.append(replace(result, warnings=tuple(tx.warnings[before:])))
    return results


def _items(text: str) -> Iterator[_Item]:
    """Every object; a document that cannot be read is one item whose document has a problem."""
    count = 0
    for document in read_documents(text):
        for item in _items_of(document):
            count += 1
            if count > MAX_OBJECTS:
                raise TooLarge(f"more than {MAX_OBJECTS} objects; apply them in smaller parts")
            yield item


def _items_of(document: Document) -> Iterator[_Item]:
    value = document.value
    if isinstance(value, dict) and str(value.get("kind", "")).endswith("List") and isinstance(value.get("items"), list):
        for i, each in enumerate(value["items"]):
            yield _Item(document=document, manifest=each, path=f"items[{i}]")
    else:
        yield _Item(document=document, manifest=value)


def _apply_item(tx: ClusterTransaction, item: _Item, default_namespace: str) -> ApplyResult:
    if item.document.problem is not None:
        problem = item.document.problem
        cause = problem.cause(item.document.number)
        return ApplyResult(
            document=item.document.number,
            result="error",
            causes=[cause],
            message=cause.message,
            line=problem.line,
        )
    try:
        with tx.attempt():
            outcome, manifest = object_apply(tx, manifest=item.manifest, default_namespace=default_namespace)
    except ApiError as error:
        return _failure(item, error)
    except (DatabaseError, Unanswered):
        raise
    except Exception:  # a bug met by one document is not the others'
        logger.exception("document %s cannot be applied", item.document.number)
        return _failure(item, ApiError("internal error; the server's log says more"))
    return ApplyResult(document=item.document.number, result=outcome, **_named(manifest))


def _named(manifest: Any) -> dict[str, Any]:
    """Kind, namespace and name, as far as a broken manifest has them."""
    if not isinstance(manifest, dict):
        return {}
    metadata = manifest.get("metadata")
    named = metadata if isinstance(metadata, dict) else {}
    name = named.get("name") or named.get("generateName")
    values = {"kind": manifest.get("kind"), "namespace": named.get("namespace"), "name": name}
    return {key: value for key, value in values.items() if isinstance(value, str)}


def _failure(item: _Item, error: ApiError) -> ApplyResult:
    causes = [
        Cause(
            path=f"{item.path}.{cause.path}" if item.path and cause.path else item.path or cause.path,
            message=cause.message,
            reason=cause.reason,
            document=item.document.number,
        )
        for cause in error.causes or [Cause(path="", message=error.message)]
    ]
    return ApplyResult(
        document=item.document.number,
        result="error",
        causes=causes,
        message=error.message,
        line=item.document.line_of(causes[0].path),
        **_named(item.manifest),
    )


def object_apply(
    tx: ClusterTransaction, *, manifest: Any, default_namespace: str = "default"
) -> tuple[Outcome, Manifest]:
    """Make one object what the manifest says."""
    if not isinstance(manifest, dict):
        raise BadRequest("expected an object with apiVersion, kind and metadata", [_not_an_object(manifest)])
    kind = _required_kind(manifest)
    metadata = manifest.get("metadata")
    if not isinstance(metadata, dict):
        raise BadRequest(
            "metadata: expected an object with a name",
            [Cause(path="metadata", message="expected an object with a name", reason="FieldValueRequired")],
        )
    namespace = (metadata.get("namespace") or default_namespace) if kind.namespaced else ""
    current = _current(tx, kind, namespace, metadata.get("name"))
    if current is None:
        wanted = None if metadata.get("namespace") else default_namespace
        return "created", object_create(tx, manifest=_remembering(manifest), namespace=wanted)
    return _configure(tx, kind, current, manifest)


def _current(tx: ClusterTransaction, kind: Kind, namespace: Any, name: Any) -> Manifest | None:
    """The object of that name. What is no name at all is refused by admission, with its path."""
    is_name = isinstance(name, str) and isinstance(namespace, str) and (namespace + name).isprintable()
    return object_get(tx.cluster.pk, kind.kind, namespace, name) if is_name and name else None


def _not_an_object(value: Any) -> Cause:
    return Cause(path="", message=f"expected an object, got {type(value).__name__}", reason="FieldValueTypeInvalid")


def _required_kind(manifest: Manifest) -> Kind:
    for field in ("apiVersion", "kind"):
        if not isinstance(manifest.get(field), str) or not manifest[field]:
            message = f"Required value: the manifest does not say its {field}"
            raise BadRequest(f"{field}: {message}", [Cause(path=field, message=message, reason="FieldValueRequired")])
    try:
        return kind_of(manifest)
    except ApiError as error:
        is_version = manifest["kind"] in KINDS
        hint = f"; it is known as {KINDS[manifest['kind']].api_version}" if is_version else ""
        path = "apiVersion" if is_version else "kind"
        error.causes = [Cause(path=path, message=error.message + hint, reason="FieldValueNotSupported")]
        raise


def _configure(tx: ClusterTransaction, kind: Kind, current: Manifest, manifest: Manifest) -> tuple[Outcome, Manifest]:
    namespace, name = current["metadata"].get("namespace", ""), current["metadata"]["name"]
    original = _last_applied(current)
    wanted = _remembering(manifest)
    shape = shape_of(kind.definition)
    admitted = object_patch(
        tx,
        kind=kind.kind,
        namespace=namespace,
        name=name,
        change=lambda live: three_way_merge(original, wanted, live, shape),
    )
    if kind.kind == "Node" and isinstance(manifest.get("status"), dict):
        admitted = object_patch(
            tx,
            kind=kind.kind,
            namespace=namespace,
            name=name,
            change=lambda live: {**live, "status": three_way_merge({}, manifest["status"], live.get("status"), None)},
            subresource="status",
        )
    is_same = admitted["metadata"]["resourceVersion"] == current["metadata"]["resourceVersion"]
    return ("unchanged" if is_same else "configured"), admitted


def _last_applied(current: Manifest) -> Mapping[str, Any]:
    text = (current["metadata"].get("annotations") or {}).get(LAST_APPLIED, "{}")
    try:
        value = msgspec.json.decode(text)
    except msgspec.DecodeError:
        # Somebody wrote something else there; then nothing is known to have been applied.
        return {}
    return value if isinstance(value, dict) else {}


def _remembering(manifest: Manifest) -> Manifest:
    """The manifest with the annotation that remembers it."""
    annotations = manifest["metadata"].get("annotations") or {}
    if not isinstance(annotations, dict):
        # Refused by its shape in a moment, with its path.
        return manifest
    own = {key: value for key, value in annotations.items() if key != LAST_APPLIED}
    remembered = msgspec.json.encode({**manifest, "metadata": {**manifest["metadata"], "annotations": own}}).decode()
    return {**manifest, "metadata": {**manifest["metadata"], "annotations": {**own, LAST_APPLIED: remembered}}}
