"""Fluent builders of Kubernetes objects.

    make_node("n1").cpu("4").zone("a").taint("gpu", "true").node()
    make_pod("web-0").labels(app="web").requests(cpu="500m").pod_info()

Each method changes the manifest and gives the builder back; what a method does
not reach, `spec(...)` and `patch(...)` do. The manifest is real Kubernetes JSON,
so what is tested includes decoding.
"""

from __future__ import annotations

import copy
from typing import Any, Self

from scheduler_core.objects.decode import decode
from scheduler_core.objects.node import HOSTNAME_LABEL, REGION_LABEL, ZONE_LABEL, Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo

PAUSE_IMAGE = "registry.k8s.io/pause:3.10"
LABEL_WORDS = str.maketrans("_", "-")


class _Builder:
    def __init__(self, kind: str, name: str) -> None:
        self.manifest: dict[str, Any] = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name}, "spec": {}}

    @property
    def _metadata(self) -> dict[str, Any]:
        return self.manifest["metadata"]  # type: ignore[no-any-return]

    def label(self, key: str, value: str) -> Self:
        self._metadata.setdefault("labels", {})[key] = value
        return self

    def labels(self, **labels: str) -> Self:
        for key, value in labels.items():
            self.label(key.translate(LABEL_WORDS), value)
        return self

    def spec(self, **fields: Any) -> Self:
        """Set fields of the spec, in Kubernetes' own names."""
        self.manifest["spec"].update(fields)
        return self

    def created(self, timestamp: str) -> Self:
        self._metadata["creationTimestamp"] = timestamp
        return self

    def build(self) -> dict[str, Any]:
        """A manifest of its own."""
        return copy.deepcopy(self.manifest)


class NodeBuilder(_Builder):
    """A node of 4 CPUs, 16Gi and 110 pods unless told otherwise."""

    def __init__(self, name: str) -> None:
        super().__init__("Node", name)
        self._allocatable: dict[str, str] = {"cpu": "4", "memory": "16Gi", "pods": "110"}
        self.manifest["status"] = {"allocatable": self._allocatable, "capacity": self._allocatable}
        self.label(HOSTNAME_LABEL, name)

    def cpu(self, amount: str) -> Self:
        return self.resource("cpu", amount)

    def memory(self, amount: str) -> Self:
        return self.resource("memory", amount)

    def pods(self, amount: int) -> Self:
        return self.resource("pods", str(amount))

    def resource(self, name: str, amount: str) -> Self:
        self._allocatable[name] = amount
        return self

    def zone(self, zone: str) -> Self:
        return self.label(ZONE_LABEL, zone)

    def region(self, region: str) -> Self:
        return self.label(REGION_LABEL, region)

    def taint(self, key: str, value: str = "", effect: str = "NoSchedule") -> Self:
        self.manifest["spec"].setdefault("taints", []).append({"key": key, "value": value, "effect": effect})
        return self

    def cordoned(self) -> Self:
        return self.spec(unschedulable=True)

    def image(self, *names: str, size: int) -> Self:
        images = self.manifest["status"].setdefault("images", [])
        images.append({"names": list(names), "sizeBytes": size})
        return self

    def node(self) -> Node:
        decoded = decode(self.build())
        if not isinstance(decoded, Node):
            raise TypeError(f"expected a Node, got {type(decoded).__name__}")
        return decoded


class PodBuilder(_Builder):
    """A pod with one container and no requests unless told otherwise."""

    def __init__(self, name: str, namespace: str = "default") -> None:
        super().__init__("Pod", name)
        self._metadata.update(namespace=namespace, uid=f"uid-{namespace}-{name}")
        self._container: dict[str, Any] = {"name": "main", "image": PAUSE_IMAGE}
        self.manifest["spec"]["containers"] = [self._container]
        self.manifest["status"] = {"phase": "Pending"}

    def uid(self, uid: str) -> Self:
        self._metadata["uid"] = uid
        return self

    def image(self, image: str) -> Self:
        self._container["image"] = image
        return self

    def requests(self, **amounts: str) -> Self:
        """cpu="500m", memory="1Gi"; of the first container."""
        for name, amount in amounts.items():
            self.request(name, amount)
        return self

    def request(self, resource: str, amount: str) -> Self:
        self._container.setdefault("resources", {}).setdefault("requests", {})[resource] = amount
        return self

    def container(self, name: str, **fields: Any) -> Self:
        """One more container, in Kubernetes' own fields."""
        self.manifest["spec"]["containers"].append({"name": name, "image": PAUSE_IMAGE, **fields})
        return self

    def init_container(self, name: str, **fields: Any) -> Self:
        init = self.manifest["spec"].setdefault("initContainers", [])
        init.append({"name": name, "image": PAUSE_IMAGE, **fields})
        return self

    def host_port(self, port: int, protocol: str = "TCP", ip: str = "") -> Self:
        ports = self._container.setdefault("ports", [])
        ports.append({"containerPort": port, "hostPort": port, "protocol": protocol, "hostIP": ip})
        return self

    def priority(self, priority: int) -> Self:
        return self.spec(priority=priority)

    def node_selector(self, **labels: str) -> Self:
        return self.spec(nodeSelector={key.translate(LABEL_WORDS): value for key, value in labels.items()})

    def toleration(self, **fields: Any) -> Self:
        self.manifest["spec"].setdefault("tolerations", []).append(fields)
        return self

    def affinity(self, **affinity: Any) -> Self:
        """nodeAffinity={...}, podAffinity={...}, podAntiAffinity={...}."""
        self.manifest["spec"].setdefault("affinity", {}).update(affinity)
        return self

    def spread(self, topology_key: str, max_skew: int = 1, *, hard: bool = True, **fields: Any) -> Self:
        """A topology spread constraint over the pods that share this pod's labels so far."""
        constraint = {
            "topologyKey": topology_key,
            "maxSkew": max_skew,
            "whenUnsatisfiable": "DoNotSchedule" if hard else "ScheduleAnyway",
            "labelSelector": {"matchLabels": dict(self._metadata.get("labels", {}))},
        }
        self.manifest["spec"].setdefault("topologySpreadConstraints", []).append(constraint | fields)
        return self

    def scheduler(self, name: str) -> Self:
        return self.spec(schedulerName=name)

    def gate(self, *names: str) -> Self:
        return self.spec(schedulingGates=[{"name": name} for name in names])

    def on(self, node: str) -> Self:
        """Bound to a node."""
        return self.spec(nodeName=node)

    def nominated(self, node: str) -> Self:
        return self.status(nominatedNodeName=node)

    def status(self, **fields: Any) -> Self:
        self.manifest["status"].update(fields)
        return self

    def deleted(self, timestamp: str = "2026-01-01T00:00:00Z") -> Self:
        """Being deleted."""
        self._metadata["deletionTimestamp"] = timestamp
        return self

    def pod(self) -> Pod:
        decoded = decode(self.build())
        if not isinstance(decoded, Pod):
            raise TypeError(f"expected a Pod, got {type(decoded).__name__}")
        return decoded

    def pod_info(self) -> PodInfo:
        return PodInfo(self.pod())


def make_node(name: str) -> NodeBuilder:
    return NodeBuilder(name)


def make_pod(name: str, namespace: str = "default") -> PodBuilder:
    return PodBuilder(name, namespace)
