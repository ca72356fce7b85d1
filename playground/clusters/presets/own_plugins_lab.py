"""A cluster whose scheduler runs plugins that people wrote: two in Python, one in CEL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playground.clusters.presets.nodes import node_manifest

Manifest = dict[str, Any]

GPU = "nvidia.com/gpu"
INSTANCE_TYPE = "node.kubernetes.io/instance-type"
# Of nodes, and of pods that prefer such nodes.
LIFECYCLE, PREFERENCE = "lifecycle", "lifecycle-preference"

CEL_PLUGINS: tuple[Mapping[str, str], ...] = (
    {
        "name": "KeepGPUNodes",
        "filter": f'"{GPU}" in pod.requests || !("{GPU}" in node.allocatable)',
        "message": "node(s) were kept for pods that ask for a GPU",
    },
)

# Weights that outdo the default plugins, which spread pods.
CONFIGURATION: Manifest = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [
        {
            "schedulerName": "default-scheduler",
            "plugins": {
                "multiPoint": {
                    "enabled": [
                        {"name": "InstanceType", "weight": 10},
                        {"name": "LifecyclePreference", "weight": 20},
                        {"name": "KeepGPUNodes"},
                    ]
                }
            },
            "pluginConfig": [{"name": "InstanceType", "args": {"families": ["c5", "m5", "r5"]}}],
        }
    ],
}


def manifests(name: str) -> list[Manifest]:
    machines = (("c5", "on-demand"), ("m5", "spot"), ("r5", "on-demand"))
    nodes = [
        node_manifest(f"{name}-{family}", "4", "16Gi", {INSTANCE_TYPE: f"{family}.xlarge", LIFECYCLE: lifecycle})
        for family, lifecycle in machines
    ]
    gpu = node_manifest(f"{name}-gpu", "32", "128Gi", {INSTANCE_TYPE: "p4d.24xlarge"}, resources={GPU: "8"})
    return [
        *nodes,
        gpu,
        _deployment("web", {}, 2, {"cpu": "500m"}),
        _deployment("batch", {PREFERENCE: "spot"}, 2, {"cpu": "500m"}),
        _deployment("training", {}, 1, {"cpu": "8", GPU: "2"}),
        _deployment("wide", {}, 1, {"cpu": "8"}),
    ]


def _deployment(app: str, labels: Mapping[str, str], replicas: int, requests: Mapping[str, str]) -> Manifest:
    # An amount of an extended resource is its limit as well.
    limits = {key: value for key, value in requests.items() if "/" in key}
    container = {
        "name": "main",
        "image": f"registry.example/{app}:1.0",
        "resources": {"requests": dict(requests), "limits": limits},
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": app, "namespace": "default", "labels": {"app": app}},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": app}},
            "template": {"metadata": {"labels": {"app": app, **labels}}, "spec": {"containers": [container]}},
        },
    }
