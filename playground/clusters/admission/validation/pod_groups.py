"""PodGroup, a custom resource: the rules its definition states, in the words of the API server."""

from __future__ import annotations

from collections.abc import Iterator

from playground.clusters.admission.validation.causes import Json, invalid
from playground.common.errors import Cause

LEAST_MEMBERS = 1


def pod_group(manifest: Json) -> Iterator[Cause]:
    least = (manifest.get("spec") or {}).get("minMember")
    if least is not None and least < LEAST_MEMBERS:
        rule = f"spec.minMember in body should be greater than or equal to {LEAST_MEMBERS}"
        yield invalid("spec.minMember", least, rule)
