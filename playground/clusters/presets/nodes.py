"""Nodes of presets."""

from __future__ import annotations

from typing import Any

Manifest = dict[str, Any]


def node_manifest(name: str, cpu: str, memory: str, labels: dict[str, str], **more: Any) -> Manifest:
    resources = {"cpu": cpu, "memory": memory, "pods": "110", **more.pop("resources", {})}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": more,
        "status": {"capacity": resources, "allocatable": dict(resources)},
    }
