"""What every cluster made by a person starts with: a PriorityClass above and one below the ordinary."""

from __future__ import annotations

from typing import Any

HIGH_PRIORITY = "high-priority"
LOW_PRIORITY = "low-priority"


def starter_manifests() -> list[dict[str, Any]]:
    return [
        _priority_class(HIGH_PRIORITY, 1_000_000, "Goes before others, and may preempt them."),
        _priority_class(LOW_PRIORITY, -1_000, "Runs on what is left over, and makes room for others."),
    ]


def _priority_class(name: str, value: int, description: str) -> dict[str, Any]:
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": name},
        "value": value,
        "description": description,
    }
