"""Clusters with more than one scheduler, profile or scheduler process, and what each of these can do to the others.

What each shows is told in its description, and played by a test.
"""

from __future__ import annotations

from typing import Any

from playground.clusters.presets.nodes import node_manifest

Manifest = dict[str, Any]

NAMESPACE = "default"
SECOND = "second-scheduler"
DEFAULTS: Manifest = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
SECOND_SCHEDULER: Manifest = {
    **DEFAULTS,
    # A Lease of its own, or it would wait for the first scheduler's.
    "leaderElection": {"resourceName": SECOND},
    "profiles": [{"schedulerName": SECOND}],
}
TWO_PROFILES: Manifest = {
    **DEFAULTS,
    "profiles": [{"schedulerName": "default-scheduler"}, {"schedulerName": SECOND}],
}


def race(name: str) -> list[Manifest]:
    """A node of 4 CPU, nearly 1 of it taken, and two pods of 3."""
    return [
        node_manifest(f"{name}-n1", "4", "8Gi", {}),
        _pod("resident", "500m", nodeName=f"{name}-n1"),
        _deployment("first", "default-scheduler"),
        _deployment("second", SECOND),
    ]


def leader_election(name: str) -> list[Manifest]:
    return [node_manifest(f"{name}-n{number}", "4", "8Gi", {}) for number in (1, 2)]


def _deployment(name: str, scheduler: str) -> Manifest:
    labels = {"app": name}
    pod = _pod(name, "3", schedulerName=scheduler)
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod["spec"]},
        },
    }


def _pod(name: str, cpu: str, **spec: Any) -> Manifest:
    resources = {"requests": {"cpu": cpu, "memory": "64Mi"}}
    container = {"name": "main", "image": "registry.example/app:1.0", "resources": resources}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": NAMESPACE, "labels": {"app": name}},
        "spec": {"containers": [container], **spec},
    }
