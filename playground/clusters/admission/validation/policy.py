"""PriorityClass and PodDisruptionBudget."""

from __future__ import annotations

from collections.abc import Iterator

from playground.clusters.admission.validation.causes import (
    Json,
    count_or_percent,
    forbidden,
    invalid,
    required,
    selector,
    supported,
)
from playground.common.errors import Cause

HIGHEST_USER_PRIORITY = 1_000_000_000
SYSTEM_PREFIX = "system-"
SYSTEM_CLASSES = frozenset({"system-cluster-critical", "system-node-critical"})


def priority_class(manifest: Json) -> Iterator[Cause]:
    name, value = manifest["metadata"].get("name", ""), manifest.get("value")
    if value is None:
        yield required("value")
    elif name not in SYSTEM_CLASSES:
        if name.startswith(SYSTEM_PREFIX):
            rule = "priority class names with 'system-' prefix are reserved for system use only"
            yield forbidden("metadata.name", rule)
        if value > HIGHEST_USER_PRIORITY:
            rule = f"maximum allowed value of a user defined priority is {HIGHEST_USER_PRIORITY}"
            yield forbidden("value", rule)
    yield from supported("preemptionPolicy", manifest.get("preemptionPolicy"), ("Never", "PreemptLowerPriority"))


def pod_disruption_budget(manifest: Json) -> Iterator[Cause]:
    spec = manifest.get("spec") or {}
    if "minAvailable" in spec and "maxUnavailable" in spec:
        yield invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set")
    for field in ("minAvailable", "maxUnavailable"):
        yield from count_or_percent(f"spec.{field}", spec.get(field))
    yield from selector("spec.selector", spec.get("selector"))
