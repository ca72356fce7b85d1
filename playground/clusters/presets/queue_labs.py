"""Clusters that show the scheduling queue at work: who waits where, for how long, and what wakes it.

What each shows is told in its description, and played by a test.
"""

from __future__ import annotations

from typing import Any

from playground.clusters.presets.nodes import node_manifest
from playground.clusters.presets.starter import HIGH_PRIORITY

Manifest = dict[str, Any]

NAMESPACE = "default"


def starvation(name: str) -> list[Manifest]:
    giant = _pod("giant", "6", priorityClassName=HIGH_PRIORITY)
    return [*_nodes(name, 2), giant, _job("small", "1", pods=40, at_once=12)]


def backoff(name: str) -> list[Manifest]:
    """The node is never empty enough for `patient`: `resident` stays."""
    resident = _pod("resident", "500m", nodeName=f"{name}-n1")
    return [*_nodes(name, 1), resident, _pod("patient", "4"), _job("busy", "500m", pods=60, at_once=2)]


def hints(name: str) -> list[Manifest]:
    taint = {"key": "team", "value": "data", "effect": "NoSchedule"}
    node = node_manifest(f"{name}-n1", "2", "8Gi", {"disk": "hdd"}, taints=[taint])
    tolerant = {"tolerations": [{"key": "team", "operator": "Exists"}]}
    claim = [{"name": "data", "persistentVolumeClaim": {"claimName": "missing"}}]
    causes: dict[str, tuple[str, dict[str, Any]]] = {
        "ssd": ("100m", {"nodeSelector": {"disk": "ssd"}, **tolerant}),
        "tape": ("100m", {"nodeSelector": {"disk": "tape"}, **tolerant}),
        "large": ("32", tolerant),
        "claim": ("100m", {"volumes": claim, **tolerant}),
        "gated": ("100m", {"schedulingGates": [{"name": "example.com/quota"}]}),
    }
    return [node, *(_pod(f"{cause}-{i}", cpu, **spec) for cause, (cpu, spec) in causes.items() for i in (1, 2))]


def slow_api_server(name: str) -> list[Manifest]:
    labels = {"app": "rush"}
    return [
        *_nodes(name, 2),
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "rush", "namespace": NAMESPACE},
            "spec": {
                "replicas": 4,
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": _pod("rush", "3")["spec"]},
            },
        },
    ]


def _nodes(name: str, count: int) -> list[Manifest]:
    return [node_manifest(f"{name}-n{number}", "4", "8Gi", {}) for number in range(1, count + 1)]


def _pod(name: str, cpu: str, **spec: Any) -> Manifest:
    resources = {"requests": {"cpu": cpu, "memory": "64Mi"}}
    container = {"name": "main", "image": "registry.example/app:1.0", "resources": resources}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": NAMESPACE, "labels": {"app": name}},
        "spec": {"containers": [container], **spec},
    }


def _job(name: str, cpu: str, *, pods: int, at_once: int) -> Manifest:
    """Pods that come and go: every one that ends is an event."""
    spec = {**_pod(name, cpu)["spec"], "restartPolicy": "Never"}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {"completions": pods, "parallelism": at_once, "template": {"metadata": {}, "spec": spec}},
    }
