"""What an expression may read: dotted names with their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cel_expr_python import cel  # type: ignore[import-untyped]

_TYPE = cel.Type
TEXTS = _TYPE.Map(_TYPE.STRING, _TYPE.STRING)
AMOUNTS = _TYPE.Map(_TYPE.STRING, _TYPE.INT)
_ANYTHING = _TYPE.Map(_TYPE.STRING, _TYPE.DYN)

# What an expression may read. Amounts are millicores of cpu and whole units (bytes, pieces) of anything else.
VARIABLES: Mapping[str, Any] = {
    "pod.name": _TYPE.STRING,
    "pod.namespace": _TYPE.STRING,
    "pod.labels": TEXTS,
    "pod.annotations": TEXTS,
    "pod.priority": _TYPE.INT,
    "pod.requests": AMOUNTS,
    "pod.spec": _ANYTHING,
    "node.name": _TYPE.STRING,
    "node.labels": TEXTS,
    "node.annotations": TEXTS,
    "node.taints": _TYPE.List(TEXTS),
    "node.unschedulable": _TYPE.BOOL,
    "node.allocatable": AMOUNTS,
    "node.images": _TYPE.List(_TYPE.STRING),
    "node.requested": AMOUNTS,
    "node.pods": _TYPE.List(_ANYTHING),
}

# Of each of `node.pods`.
POD_FIELDS = frozenset({"name", "namespace", "labels", "priority", "requests"})
