"""Nodes: taints and resources."""

from __future__ import annotations

from collections.abc import Iterator

from playground.clusters.admission.metadata import label_value_causes, qualified_name_causes
from playground.clusters.admission.validation.causes import Json, duplicate, required, resource_list, supported
from playground.clusters.admission.validation.placement import EFFECTS
from playground.common.errors import Cause


def node(manifest: Json) -> Iterator[Cause]:
    yield from _taints((manifest.get("spec") or {}).get("taints") or ())
    status = manifest.get("status") or {}
    for field in ("capacity", "allocatable"):
        yield from resource_list(f"status.{field}", status.get(field))


def _taints(taints: list[Json] | tuple[Json, ...]) -> Iterator[Cause]:
    seen: set[tuple[str, str]] = set()
    for i, taint in enumerate(taints):
        path = f"spec.taints[{i}]"
        key, effect = taint.get("key", ""), taint.get("effect", "")
        if not key:
            yield required(f"{path}.key")
        else:
            yield from qualified_name_causes(key, f"{path}.key")
        yield from label_value_causes(taint.get("value", ""), f"{path}.value")
        yield from supported(f"{path}.effect", effect, EFFECTS, optional=False)
        if (key, effect) in seen:
            yield duplicate(path, f"{key}:{effect}")
        seen.add((key, effect))
