"""Manifests for tests of the API server, as small as Kubernetes lets them be."""

from __future__ import annotations

from typing import Any

from playground.clusters.models import Cluster
from playground.clusters.services.clusters import cluster_create
from playground.clusters.services.objects import object_create
from playground.clusters.services.transaction import cluster_transaction

Json = dict[str, Any]


def a_cluster(name: str = "demo", **arguments: Any) -> Cluster:
    return cluster_create(name=name, seed=1, **arguments)


def a_pod(name: str = "web", *, namespace: str = "default", cpu: str = "100m", **spec: Any) -> Json:
    container = {"name": "main", "image": "nginx:1.27", "resources": {"requests": {"cpu": cpu}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": {"app": name}},
        "spec": {"containers": [container], **spec},
    }


def a_node(name: str = "n1", *, cpu: str = "4", memory: str = "8Gi", labels: Json | None = None, **spec: Any) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels or {}},
        "spec": spec,
        "status": {"allocatable": {"cpu": cpu, "memory": memory, "pods": "110"}},
    }


def a_deployment(name: str = "web", *, namespace: str = "default", replicas: int = 1) -> Json:
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace, "labels": labels},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": a_pod(name)["spec"]},
        },
    }


def created(cluster: Cluster, *manifests: Json) -> list[Json]:
    """The manifests as they were stored."""
    with cluster_transaction(cluster.pk) as tx:
        return [object_create(tx, manifest=manifest) for manifest in manifests]
