"""Node and Namespace."""

from __future__ import annotations

from scheduler_core.objects.model import KubernetesObject, Model
from scheduler_core.objects.quantity import Quantity, canonical
from scheduler_core.objects.taints import Taint

HOSTNAME_LABEL = "kubernetes.io/hostname"
ZONE_LABEL = "topology.kubernetes.io/zone"
REGION_LABEL = "topology.kubernetes.io/region"


class NodeSpec(Model, frozen=True, kw_only=True):
    # Cordoned.
    unschedulable: bool = False
    taints: tuple[Taint, ...] = ()
    provider_id: str = ""


class ContainerImage(Model, frozen=True, kw_only=True):
    """An image that is already on the node, with all its names."""

    names: tuple[str, ...] = ()
    size_bytes: int = 0


class NodeCondition(Model, frozen=True, kw_only=True):
    type: str
    status: str = ""
    reason: str = ""


class NodeStatus(Model, frozen=True, kw_only=True):
    allocatable: dict[str, Quantity] = {}
    capacity: dict[str, Quantity] = {}
    images: tuple[ContainerImage, ...] = ()
    conditions: tuple[NodeCondition, ...] = ()


class Node(KubernetesObject, frozen=True, kw_only=True):
    spec: NodeSpec = NodeSpec()
    status: NodeStatus = NodeStatus()

    @property
    def labels(self) -> dict[str, str]:
        return self.metadata.labels

    @property
    def allocatable(self) -> dict[str, int]:
        """In canonical integers. Computed at each call."""
        return {name: canonical(name, each.nano) for name, each in self.status.allocatable.items()}


class Namespace(KubernetesObject, frozen=True, kw_only=True):
    """Only its labels matter: namespace selectors look at them."""
