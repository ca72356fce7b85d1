"""A cluster whose scheduler is built with Coscheduling."""

from __future__ import annotations

from typing import Any

from scheduler_core.plugins import DEFAULT_REGISTRY, OUT_OF_TREE_REGISTRY
from scheduler_core.testing import PodBuilder, make_pod
from tests.scheduler_core.acceptance.running_cluster import RunningCluster

LABEL = "scheduling.x-k8s.io/pod-group"


def coscheduling(**args: Any) -> dict[str, Any]:
    """The configuration that the project's own page shows."""
    plugins = {
        "multiPoint": {"enabled": [{"name": "Coscheduling"}]},
        "queueSort": {"enabled": [{"name": "Coscheduling"}], "disabled": [{"name": "*"}]},
    }
    config = [{"name": "Coscheduling", "args": args}] if args else []
    return {"profiles": [{"schedulerName": "default-scheduler", "plugins": plugins, "pluginConfig": config}]}


def gang_cluster(**args: Any) -> RunningCluster:
    return RunningCluster(coscheduling(**args), registry={**DEFAULT_REGISTRY, **OUT_OF_TREE_REGISTRY})


def group(name: str, min_member: int, namespace: str = "default", created: str = "", **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": namespace, "creationTimestamp": created or "2026-01-01T00:00:00Z"}
    return {
        "apiVersion": "scheduling.x-k8s.io/v1alpha1",
        "kind": "PodGroup",
        "metadata": metadata,
        "spec": {"minMember": min_member, **spec},
    }


def member(name: str, of: str = "gang", cpu: str = "1", namespace: str = "default") -> PodBuilder:
    return make_pod(name, namespace).label(LABEL, of).requests(cpu=cpu)


def members(count: int, of: str = "gang", cpu: str = "1") -> list[PodBuilder]:
    return [member(f"{of}-{number:02}", of, cpu) for number in range(count)]
