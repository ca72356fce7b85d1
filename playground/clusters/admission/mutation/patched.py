"""What a hook makes of an object: read by the kind's schema, with defaults, and still the same object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playground.clusters.admission.defaults import set_defaults
from playground.clusters.admission.mutation.request import AdmissionRequest, Manifest
from playground.clusters.admission.schema import conform

# What makes an object this one and no other.
IDENTITY = ("name", "generateName", "namespace", "uid")


class Broken(Exception):
    """A hook would make something of the object that is none of its kind, or another one."""


def read_patched(request: AdmissionRequest, before: Manifest, patched: Any, *, strict: bool) -> Manifest:
    """Raises Broken. `strict`: fields the schema does not know are refused, else they are dropped."""
    if not isinstance(patched, dict):
        raise Broken(f"the patch would make the object a {type(patched).__name__}")
    clean, wrong, unknown = conform(request.kind.definition, patched)
    causes = [*wrong, *(unknown if strict else ())]
    if causes:
        raise Broken(f"{causes[0].path}: {causes[0].message}")
    metadata = clean.get("metadata")
    _require_same(before["metadata"], metadata if isinstance(metadata, Mapping) else {})
    if (clean.get("apiVersion"), clean.get("kind")) != (request.kind.api_version, request.kind.kind):
        raise Broken("the patch would change apiVersion or kind, which cannot be changed")
    set_defaults(request.kind, clean)
    result: Manifest = clean
    return result


def _require_same(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    for field in IDENTITY:
        if before.get(field) != after.get(field):
            raise Broken(f"the patch would change metadata.{field}, which a hook cannot change")
