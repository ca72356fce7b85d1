"""Clusters whose scheduler asks an HTTP extender that the playground itself serves (`playground.samples`)."""

from __future__ import annotations

from typing import Any

from playground.clusters.presets.nodes import node_manifest
from playground.common.outgoing_targets import OWN_HOST

Manifest = dict[str, Any]

LICENSED = {"licence-matlab": "true"}


def licences(name: str) -> list[Manifest]:
    """Two nodes have the licence; of the four, the roomiest has none."""
    nodes = [
        node_manifest(f"{name}-n1", "4", "8Gi", {**LICENSED, "power": "coal"}),
        node_manifest(f"{name}-n2", "4", "8Gi", {**LICENSED, "power": "green"}),
        node_manifest(f"{name}-n3", "8", "16Gi", {"power": "green"}),
        node_manifest(f"{name}-n4", "4", "8Gi", {"power": "mixed"}),
    ]
    return [
        *nodes,
        _pod("model", "500m", licence="matlab"),
        _pod("plot", "500m"),
        _pod("solver", "500m", licence="maple"),
    ]


def slow(name: str) -> list[Manifest]:
    nodes = [node_manifest(f"{name}-n{number}", "4", "8Gi", {}) for number in (1, 2, 3)]
    return [*nodes, *(_pod(f"patient-{number}", "500m") for number in (1, 2, 3))]


def configuration(path: str, **fields: Any) -> dict[str, Any]:
    """A scheduler with one extender of the playground's own."""
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [{"urlPrefix": f"http://{OWN_HOST}/samples/{path}", "filterVerb": "filter", **fields}],
    }


LICENCE_EXTENDER = configuration("extender", prioritizeVerb="prioritize", weight=5)
SLOW_EXTENDER = configuration("slow-extender", httpTimeout="1s", ignorable=True)


def _pod(name: str, cpu: str, **labels: str) -> Manifest:
    resources = {"requests": {"cpu": cpu, "memory": "64Mi"}}
    container = {"name": "main", "image": "registry.example/app:1.0", "resources": resources}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": name, **labels}},
        "spec": {"containers": [container]},
    }
