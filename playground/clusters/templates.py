"""The palette: pods and nodes worth dropping onto a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playground.clusters.presets.starter import HIGH_PRIORITY

Manifest = dict[str, Any]

IMAGE = "registry.example/app:1.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    id: str
    title: str
    description: str
    # Pod or Node
    kind: str
    # With `generateName`: every drop makes one more.
    manifest: Manifest


def _pod(name: str, requests: dict[str, str], labels: dict[str, str] | None = None, **spec: Any) -> Manifest:
    resources: Manifest = {"requests": requests}
    extended = {key: value for key, value in requests.items() if "/" in key}
    if extended:
        resources["limits"] = extended
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"generateName": f"{name}-", "labels": {"app": name, **(labels or {})}},
        "spec": {"containers": [{"name": "main", "image": IMAGE, "resources": resources}], **spec},
    }


def _node(name: str, allocatable: dict[str, str], labels: dict[str, str] | None = None, **spec: Any) -> Manifest:
    resources = {"pods": "110", **allocatable}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"generateName": f"{name}-", "labels": labels or {}},
        "spec": spec,
        "status": {"capacity": resources, "allocatable": dict(resources)},
    }


def _spread(name: str) -> list[Manifest]:
    return [
        {
            "maxSkew": 1,
            "topologyKey": "topology.kubernetes.io/zone",
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": {"app": name}},
        }
    ]


TEMPLATES: Sequence[Template] = (
    Template(
        id="pod-small",
        title="Small pod",
        description="Asks for 100m of CPU and 128Mi of memory.",
        kind="Pod",
        manifest=_pod("small", {"cpu": "100m", "memory": "128Mi"}),
    ),
    Template(
        id="pod-large",
        title="Large pod",
        description="Asks for 2 CPUs and 4Gi of memory: half of an ordinary node.",
        kind="Pod",
        manifest=_pod("large", {"cpu": "2", "memory": "4Gi"}),
    ),
    Template(
        id="pod-gpu",
        title="GPU pod",
        description="Asks for 1 CPU and a GPU, and tolerates the taint that GPU nodes carry.",
        kind="Pod",
        manifest=_pod(
            "gpu",
            {"cpu": "1", "memory": "2Gi", "nvidia.com/gpu": "1"},
            tolerations=[{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
        ),
    ),
    Template(
        id="pod-zone-spread",
        title="Zone-spread pod",
        description="Pods of this kind must be spread evenly over the zones; nodes without a zone take none.",
        kind="Pod",
        manifest=_pod("spread", {"cpu": "100m", "memory": "128Mi"}, topologySpreadConstraints=_spread("spread")),
    ),
    Template(
        id="pod-ssd-only",
        title="SSD-only pod",
        description="Runs only on nodes labelled disk=ssd.",
        kind="Pod",
        manifest=_pod("ssd", {"cpu": "200m", "memory": "256Mi"}, nodeSelector={"disk": "ssd"}),
    ),
    Template(
        id="pod-high-priority",
        title="High-priority pod",
        description=f"Asks for 1 CPU, with PriorityClass {HIGH_PRIORITY}: it goes first, and may push others off.",
        kind="Pod",
        manifest=_pod("urgent", {"cpu": "1", "memory": "1Gi"}, priorityClassName=HIGH_PRIORITY),
    ),
    Template(
        id="node-small",
        title="Small node",
        description="2 CPUs, 4Gi.",
        kind="Node",
        manifest=_node("small", {"cpu": "2", "memory": "4Gi"}),
    ),
    Template(
        id="node-large",
        title="Large node",
        description="16 CPUs, 64Gi, with an SSD (disk=ssd).",
        kind="Node",
        manifest=_node("large", {"cpu": "16", "memory": "64Gi"}, {"disk": "ssd"}),
    ),
    Template(
        id="node-gpu",
        title="GPU node",
        description="8 CPUs, 32Gi, 4 GPUs; its taint keeps pods without a toleration away.",
        kind="Node",
        manifest=_node(
            "gpu",
            {"cpu": "8", "memory": "32Gi", "nvidia.com/gpu": "4"},
            {"accelerator": "nvidia"},
            taints=[{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}],
        ),
    ),
    Template(
        id="node-spot",
        title="Spot node",
        description="4 CPUs, 16Gi, cheap and short-lived: pods avoid it where they can (PreferNoSchedule).",
        kind="Node",
        manifest=_node(
            "spot",
            {"cpu": "4", "memory": "16Gi"},
            {"lifecycle": "spot"},
            taints=[{"key": "lifecycle", "value": "spot", "effect": "PreferNoSchedule"}],
        ),
    ),
)
