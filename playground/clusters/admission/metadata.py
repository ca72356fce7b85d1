"""What all objects have in common: names, labels, and the fields that only the server writes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from playground.clusters.admission.schema import shown
from playground.clusters.kinds import Kind
from playground.common.errors import BadRequest, Cause

LABEL_NAME_LENGTH = 63
SUBDOMAIN_LENGTH = 253
UID_LENGTH = 36
# Of all annotations of an object together, as in Kubernetes.
ANNOTATIONS_LENGTH = 256 * 1024

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_QUALIFIED_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?")

_LABEL_RULE = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "
    "with an alphanumeric character (e.g. 'my-name', or '123-abc')"
)
_SUBDOMAIN_RULE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'example.com')"
)
_KEY_RULE = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyName', or 'my.name', or '123-abc')"
)
_VALUE_RULE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue', or 'my_value', or '12345')"
)

# Written by the server only; what a request says about them is not believed.
_SYSTEM_FIELDS = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation")
_ALSO_ON_CREATE = ("resourceVersion", "selfLink", "managedFields")


def place(kind: Kind, manifest: dict[str, Any], namespace: str | None) -> None:
    """Settle the namespace: of the request, of the manifest, else `default`."""
    metadata = manifest["metadata"]
    if not kind.namespaced:
        metadata.pop("namespace", None)
        return
    own = metadata.get("namespace")
    if namespace and own and own != namespace:
        raise BadRequest(
            f"the namespace of the provided object does not match the namespace sent on the request: {own} is not "
            f"{namespace}",
            [Cause(path="metadata.namespace", message=f"is {own}, the request was sent to {namespace}")],
        )
    metadata["namespace"] = own or namespace or "default"


def strip_system_fields(metadata: dict[str, Any]) -> None:
    for key in (*_SYSTEM_FIELDS, *_ALSO_ON_CREATE):
        metadata.pop(key, None)


def keep_system_fields(current: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata of an update: the server's fields as they are, labels and the like as wanted."""
    kept = {key: value for key, value in wanted.items() if key not in ("managedFields", "selfLink")}
    for key in (*_SYSTEM_FIELDS, "resourceVersion", "name", "namespace", "generateName"):
        if key in current:
            kept[key] = current[key]
        else:
            kept.pop(key, None)
    # In the stored order, so that an unchanged object is seen to be unchanged.
    order = {key: kept[key] for key in current if key in kept}
    return order | kept


def validate(kind: Kind, metadata: Mapping[str, Any]) -> list[Cause]:
    causes = _name_causes(kind, metadata)
    if kind.namespaced:
        causes += name_causes(metadata.get("namespace", ""), "metadata.namespace", label=True)
    causes += label_causes(metadata.get("labels") or {}, "metadata.labels")
    causes += annotation_causes(metadata.get("annotations") or {}, "metadata.annotations")
    for i, owner in enumerate(metadata.get("ownerReferences") or ()):
        causes += [
            Cause(path=f"metadata.ownerReferences[{i}].{key}", message="must not be empty", reason="FieldValueInvalid")
            for key in ("apiVersion", "kind", "name", "uid")
            if not owner.get(key)
        ]
        causes += uid_causes(owner.get("uid", ""), f"metadata.ownerReferences[{i}].uid")
    return causes


def _name_causes(kind: Kind, metadata: Mapping[str, Any]) -> list[Cause]:
    name, prefix = metadata.get("name", ""), metadata.get("generateName", "")
    if not name and not prefix:
        return [
            Cause(
                path="metadata.name",
                message="Required value: name or generateName is required",
                reason="FieldValueRequired",
            )
        ]
    if kind.group == "rbac.authorization.k8s.io":
        return (
            [] if not re.search(r"[/%]|^\.{1,2}$", name) else [_invalid("metadata.name", name, "must not hold / or %")]
        )
    if name:
        return name_causes(name, "metadata.name", label=kind.label_name)
    # A prefix may end in the dash that the suffix follows.
    return name_causes(prefix.rstrip("-.") or "x", "metadata.generateName", label=kind.label_name)


def name_causes(name: str, path: str, *, label: bool = False) -> list[Cause]:
    """What is wrong with a DNS-1123 label or subdomain."""
    pattern, rule = (_LABEL, _LABEL_RULE) if label else (_SUBDOMAIN, _SUBDOMAIN_RULE)
    longest = LABEL_NAME_LENGTH if label else SUBDOMAIN_LENGTH
    if len(name) > longest:
        return [_invalid(path, name, f"must be no more than {longest} characters")]
    return [] if pattern.fullmatch(name) else [_invalid(path, name, rule)]


def uid_causes(uid: str, path: str) -> list[Cause]:
    """A uid, as one object names another."""
    return [] if len(uid) <= UID_LENGTH and uid.isprintable() else [_invalid(path, uid, "is not a uid")]


def label_causes(labels: Mapping[str, str], path: str) -> list[Cause]:
    causes: list[Cause] = []
    for key, value in labels.items():
        causes += qualified_name_causes(key, path)
        causes += label_value_causes(value, path)
    return causes


def qualified_name_causes(key: str, path: str) -> list[Cause]:
    """A label key, taint key, resource name: `[prefix/]name`."""
    prefix, slash, name = key.rpartition("/")
    if slash and (len(prefix) > SUBDOMAIN_LENGTH or not _SUBDOMAIN.fullmatch(prefix)):
        return [_invalid(path, key, f"prefix part {_SUBDOMAIN_RULE}")]
    if len(name) > LABEL_NAME_LENGTH:
        return [_invalid(path, key, f"name part must be no more than {LABEL_NAME_LENGTH} characters")]
    return [] if _QUALIFIED_NAME.fullmatch(name) else [_invalid(path, key, _KEY_RULE)]


def label_value_causes(value: str, path: str) -> list[Cause]:
    if len(value) > LABEL_NAME_LENGTH:
        return [_invalid(path, value, f"must be no more than {LABEL_NAME_LENGTH} characters")]
    return [] if not value or _QUALIFIED_NAME.fullmatch(value) else [_invalid(path, value, _VALUE_RULE)]


def annotation_causes(annotations: Mapping[str, str], path: str) -> list[Cause]:
    causes = [cause for key in annotations for cause in qualified_name_causes(key.lower(), path)]
    if sum(len(key) + len(value) for key, value in annotations.items()) > ANNOTATIONS_LENGTH:
        causes.append(
            Cause(
                path=path,
                message=f"Too long: may not be more than {ANNOTATIONS_LENGTH} bytes",
                reason="FieldValueTooLong",
            )
        )
    return causes


def _invalid(path: str, value: object, rule: str) -> Cause:
    return Cause(path=path, message=f"Invalid value: {shown(value)}: {rule}")
