"""Clusters that show gangs: pods that are of use only together.

What each shows is told in its description, and played by a test.
"""

from __future__ import annotations

from typing import Any

from playground.clusters.presets.nodes import node_manifest

Manifest = dict[str, Any]

NAMESPACE = "default"
LABEL = "scheduling.x-k8s.io/pod-group"
TEAMS = ("blue", "red")
# Pods of a gang that must all run for any of them to be of use.
GANG = 4

# As the scheduler-plugins project's own page has it.
COSCHEDULING: Manifest = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [
        {
            "schedulerName": "default-scheduler",
            "plugins": {
                "multiPoint": {"enabled": [{"name": "Coscheduling"}]},
                "queueSort": {"enabled": [{"name": "Coscheduling"}], "disabled": [{"name": "*"}]},
            },
        }
    ],
}


def too_few(name: str) -> list[Manifest]:
    labels = {"app": "trainer", LABEL: "trainer"}
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "trainer", "namespace": NAMESPACE},
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": {"app": "trainer"}},
            "template": {"metadata": {"labels": labels}, "spec": _pod_spec()},
        },
    }
    return [*_nodes(name), _group("trainer", 3), deployment]


def starving(name: str) -> list[Manifest]:
    """The pods of the two gangs come by turns, so each gets half the room."""
    return [*_nodes(name), *_gangs()]


def whole(name: str) -> list[Manifest]:
    return [*_nodes(name), *(_group(team, GANG) for team in TEAMS), *_gangs()]


def _nodes(name: str) -> list[Manifest]:
    """Room for four pods of one CPU."""
    return [node_manifest(f"{name}-n{number}", "2", "4Gi", {}) for number in (1, 2)]


def _group(name: str, least: int) -> Manifest:
    return {
        "apiVersion": "scheduling.x-k8s.io/v1alpha1",
        "kind": "PodGroup",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {"minMember": least},
    }


def _gangs() -> list[Manifest]:
    return [_member(team, number) for number in range(1, GANG + 1) for team in TEAMS]


def _member(team: str, number: int) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": f"{team}-{number}",
            "namespace": NAMESPACE,
            "labels": {"app": team, LABEL: team},
        },
        "spec": _pod_spec(),
    }


def _pod_spec() -> Manifest:
    resources = {"requests": {"cpu": "1", "memory": "64Mi"}}
    container = {"name": "main", "image": "registry.example/trainer:1.0", "resources": resources}
    # Who deletes a gang wants to see what the other one makes of the room.
    return {"terminationGracePeriodSeconds": 3, "containers": [container]}
