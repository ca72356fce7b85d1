"""Cluster events: what happened, in the words plugins register for.

An object change becomes zero or more `ClusterEvent`s. Adding and deleting give
one; an update gives one for each aspect that scheduling looks at (labels,
taints, allocatable, ...), so that a plugin is woken by what concerns it only.
A general `Update` of a pod, where no known aspect changed, wakes only plugins
that registered for all updates. An update of a node that changed nothing a
plugin may register for (a heartbeat) gives no event at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from scheduler_core.framework.interface import EventRegistration
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.requests import effective_requests


class ClusterEvent(NamedTuple):
    """Something happened to a resource."""

    # As in `EventRegistration.resource`; "*" concerns every pod.
    resource: str
    # "Add", "Delete", "Update" or one of the finer updates.
    action: str
    # Metric label where it is not resource + action.
    custom_label: str = ""

    @property
    def label(self) -> str:
        return self.custom_label or f"{self.resource}{self.action}"

    @property
    def is_wildcard(self) -> bool:
        return self.resource == "*"


# Moves that no object caused.
SCHEDULE_ATTEMPT_FAILURE = "ScheduleAttemptFailure"
BACKOFF_COMPLETE = "BackoffComplete"
POP_FROM_BACKOFF_Q = "PopFromBackoffQ"

POD_ADD = ClusterEvent("Pod", "Add")
POD_UPDATE = ClusterEvent("Pod", "Update")
POD_DELETE = ClusterEvent("Pod", "Delete")
ASSIGNED_POD_ADD = ClusterEvent("Pod", "Add", "AssignedPodAdd")
ASSIGNED_POD_DELETE = ClusterEvent("Pod", "Delete", "AssignedPodDelete")
NODE_ADD = ClusterEvent("Node", "Add")
NODE_DELETE = ClusterEvent("Node", "Delete")
FORCE_ACTIVATE = ClusterEvent("*", "All", "ForceActivate")
UNSCHEDULABLE_TIMEOUT = ClusterEvent("*", "All", "UnschedulableTimeout")

# Every update a plugin may register for; registering "Update" means all of its resource.
FINE_UPDATES: Mapping[str, tuple[str, ...]] = {
    "Node": (
        "UpdateNodeAllocatable",
        "UpdateNodeLabel",
        "UpdateNodeTaint",
        "UpdateNodeCondition",
        "UpdateNodeAnnotation",
    ),
    "Pod": (
        "UpdatePodLabel",
        "UpdatePodScaleDown",
        "UpdatePodToleration",
        "UpdatePodSchedulingGatesEliminated",
        "UpdatePodGeneratedResourceClaim",
    ),
}

# Kinds whose events carry their API group, as plugins register them.
_GROUPED_RESOURCES = {
    "StorageClass": "storage.k8s.io/StorageClass",
    "CSINode": "storage.k8s.io/CSINode",
    "CSIDriver": "storage.k8s.io/CSIDriver",
    "CSIStorageCapacity": "storage.k8s.io/CSIStorageCapacity",
    "VolumeAttachment": "storage.k8s.io/VolumeAttachment",
    "ResourceClaim": "resource.k8s.io/ResourceClaim",
    "ResourceSlice": "resource.k8s.io/ResourceSlice",
    "DeviceClass": "resource.k8s.io/DeviceClass",
    "PodGroup": "podgroups.v1alpha1.scheduling.x-k8s.io",
}


# For who cannot say what may help: every event of every resource that plugins may register for.
EVERY_EVENT = [
    EventRegistration(resource, frozenset({"All"}))
    for resource in (
        *FINE_UPDATES,
        "PersistentVolume",
        "PersistentVolumeClaim",
        *(each for each in _GROUPED_RESOURCES.values() if not each.endswith("/VolumeAttachment")),
    )
]


def resource_of(kind: str) -> str:
    """The resource name that events about a kind carry."""
    return _GROUPED_RESOURCES.get(kind, kind)


def object_event(kind: str, action: str) -> ClusterEvent:
    """The event of an object that is neither pod nor node; `action` is Add, Update or Delete."""
    return ClusterEvent(resource_of(kind), action)


def pod_update_events(old: Pod, new: Pod) -> list[ClusterEvent]:
    """What an update of a pod means; never empty."""
    prefix = "AssignedPod" if new.spec.node_name else "Pod"
    actions = [action for action, changed in _POD_ASPECTS if changed(old, new)]
    return [ClusterEvent("Pod", action, f"{prefix}{action}") for action in actions or ("Update",)]


def node_update_events(old: Node, new: Node) -> list[ClusterEvent]:
    """What an update of a node means for pods that wait; often nothing."""
    return [ClusterEvent("Node", action) for action, changed in _NODE_ASPECTS if changed(old, new)]


def _labels_changed(old: Pod | Node, new: Pod | Node) -> bool:
    return old.metadata.labels != new.metadata.labels


def _scaled_down(old: Pod, new: Pod) -> bool:
    if old.spec == new.spec and old.status.container_statuses == new.status.container_statuses:
        return False
    requests = effective_requests(new)
    return any(name not in requests or requests[name] < value for name, value in effective_requests(old).items())


def _gates_eliminated(old: Pod, new: Pod) -> bool:
    return bool(old.spec.scheduling_gates) and not new.spec.scheduling_gates


def _tolerations_added(old: Pod, new: Pod) -> bool:
    # The API lets tolerations be added only, so their number tells.
    return len(old.spec.tolerations) != len(new.spec.tolerations)


def _claims_generated(old: Pod, new: Pod) -> bool:
    return old.status.resource_claim_statuses != new.status.resource_claim_statuses


def _uncordoned(old: Node, new: Node) -> bool:
    return old.spec.unschedulable and not new.spec.unschedulable


def _allocatable_changed(old: Node, new: Node) -> bool:
    return old.status.allocatable != new.status.allocatable


def _taints_changed(old: Node, new: Node) -> bool:
    return old.spec.taints != new.spec.taints


def _conditions(node: Node) -> dict[str, str]:
    return {condition.type: condition.status for condition in node.status.conditions}


def _conditions_changed(old: Node, new: Node) -> bool:
    return _conditions(old) != _conditions(new)


def _annotations_changed(old: Node, new: Node) -> bool:
    return old.metadata.annotations != new.metadata.annotations


_POD_ASPECTS: tuple[tuple[str, Callable[[Pod, Pod], bool]], ...] = (
    ("UpdatePodLabel", _labels_changed),
    ("UpdatePodScaleDown", _scaled_down),
    ("UpdatePodSchedulingGatesEliminated", _gates_eliminated),
    ("UpdatePodToleration", _tolerations_added),
    ("UpdatePodGeneratedResourceClaim", _claims_generated),
)

# Uncordoning and a changed taint are two events with one action, in this order.
_NODE_ASPECTS: tuple[tuple[str, Callable[[Node, Node], bool]], ...] = (
    ("UpdateNodeTaint", _uncordoned),
    ("UpdateNodeAllocatable", _allocatable_changed),
    ("UpdateNodeLabel", _labels_changed),
    ("UpdateNodeTaint", _taints_changed),
    ("UpdateNodeCondition", _conditions_changed),
    ("UpdateNodeAnnotation", _annotations_changed),
)


def expanded_actions(resource: str, actions: frozenset[str]) -> Iterator[str]:
    """The concrete actions a registration covers, each once."""
    if "All" in actions:
        actions = actions | {"Add", "Delete", "Update"}
    yield from sorted(actions - {"All"})
    if "Update" in actions:
        yield from (fine for fine in FINE_UPDATES.get(resource, ()) if fine not in actions)
