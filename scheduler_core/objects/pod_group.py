"""PodGroup (scheduling.x-k8s.io/v1alpha1): pods that are placed together or not at all.

It is a custom resource of the scheduler-plugins project. A pod belongs to the
group of its own namespace that its label names; the group need not exist.
"""

from __future__ import annotations

from collections.abc import Mapping

from scheduler_core.objects.model import KubernetesObject, Model
from scheduler_core.objects.quantity import Quantity

POD_GROUP_LABEL = "scheduling.x-k8s.io/pod-group"


class PodGroupSpec(Model, frozen=True, kw_only=True):
    # So many pods must have room before any of them is bound.
    min_member: int = 0
    # What the cluster must have free for all of them together; None: nobody looks.
    min_resources: dict[str, Quantity] | None = None
    # How long a pod waits at Permit for its siblings; None: as the plugin's arguments say.
    schedule_timeout_seconds: int | None = None


class PodGroup(KubernetesObject, frozen=True, kw_only=True):
    spec: PodGroupSpec = PodGroupSpec()


def pod_group_of(labels: Mapping[str, str]) -> str:
    """The name of the group that a pod with these labels belongs to; "" without one."""
    return labels.get(POD_GROUP_LABEL, "")
