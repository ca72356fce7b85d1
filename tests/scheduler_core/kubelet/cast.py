"""Pods and nodes for the kubelet's tests, as manifests."""

from __future__ import annotations

from typing import Any

from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.manifest import Manifest
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo

NOW = 1_700_000_000.0


def node(
    name: str = "n1", *, images: list[str] | None = None, labels: dict[str, str] | None = None, **spec: Any
) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **(labels or {})}},
        "spec": spec,
        "status": {
            "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "3"},
            "images": [{"names": [image], "sizeBytes": 1} for image in images or ()],
        },
    }


def pod(name: str = "web", *, image: str = "shop:1", requests: dict[str, str] | None = None, **spec: Any) -> Manifest:
    container: Manifest = {"name": "web", "image": image, "resources": {"requests": requests or {}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "uid": f"uid-{name}"},
        "spec": {"nodeName": "n1", "containers": [container], **spec},
        "status": {"phase": "Pending", "qosClass": "BestEffort"},
    }


def pod_info(manifest: Manifest) -> PodInfo:
    return PodInfo(decode_as(Pod, manifest))


def decoded_node(manifest: Manifest) -> Node:
    return decode_as(Node, manifest)
