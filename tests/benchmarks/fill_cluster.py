"""Makes a large cluster beside a running playground: `python -m tests.benchmarks.fill_cluster NAME NODES PODS`.

Written by the services themselves, many objects a transaction: fifty thousand
pods over HTTP would take longer than what is to be measured. The pods are bound
and run already, and differ in size, namespace and app, so that every way of
colouring has something to show.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Sequence
from typing import Any

Manifest = dict[str, Any]

SIZES = (("4", "16Gi"), ("8", "32Gi"), ("16", "64Gi"), ("32", "128Gi"))
APPS = ("web", "db", "cache", "batch", "ml")
NAMESPACES = ("default", "shop", "data", "ml")
REQUESTS = (("100m", "128Mi"), ("250m", "256Mi"), ("500m", "512Mi"), ("1", "1Gi"))
WRITTEN_TOGETHER = 500


def main() -> None:
    name, nodes, pods = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.config.settings")
    import django

    django.setup()
    from playground.clusters.services.clusters import cluster_pause
    from playground.clusters.services.from_preset import cluster_create_from
    from playground.clusters.services.transaction import cluster_transaction

    cluster = cluster_create_from(name=name, preset="empty")
    # Kubelets stand still: what is measured is the page, not how they start fifty thousand containers.
    with cluster_transaction(cluster.pk) as tx:
        cluster_pause(tx)
    _create(cluster.pk, "Namespace", [_namespace(each) for each in NAMESPACES[1:]])
    _create(cluster.pk, "Node", [node(i) for i in range(nodes)])
    draw = random.Random(1)
    _create(cluster.pk, "Pod", [pod(i, f"node-{draw.randrange(nodes):04}", draw) for i in range(pods)])


def _create(cluster_id: int, kind: str, manifests: Sequence[Manifest]) -> None:
    from playground.clusters.services.objects import object_create_many
    from playground.clusters.services.transaction import cluster_transaction
    from playground.common.database import chunks

    for some in chunks(list(manifests), WRITTEN_TOGETHER):
        with cluster_transaction(cluster_id) as tx:
            made = object_create_many(tx, kind=kind, manifests=some)
        refused = [each for each in made if isinstance(each, Exception)]
        if refused:
            raise refused[0]


def _namespace(name: str) -> Manifest:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


def node(i: int) -> Manifest:
    cpu, memory = SIZES[i % len(SIZES)]
    resources = {"cpu": cpu, "memory": memory, "pods": "110"}
    labels = {"topology.kubernetes.io/zone": f"zone-{'abc'[i % 3]}", "node.kubernetes.io/instance-type": f"cpu-{cpu}"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"node-{i:04}", "labels": labels},
        "spec": {},
        "status": {"capacity": resources, "allocatable": dict(resources)},
    }


def pod(i: int, on: str, draw: random.Random) -> Manifest:
    app, (cpu, memory) = draw.choice(APPS), draw.choice(REQUESTS)
    container = {
        "name": "main",
        "image": "registry.example/app:1",
        "resources": {"requests": {"cpu": cpu, "memory": memory}},
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"{app}-{i:05}", "namespace": draw.choice(NAMESPACES), "labels": {"app": app}},
        "spec": {"nodeName": on, "containers": [container]},
        "status": {"phase": "Running"},
    }


if __name__ == "__main__":
    main()
