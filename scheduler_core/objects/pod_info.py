"""PodInfo: a pod with what is worth computing once.

What follows from labels and spec is shared by all pods of a class
(`pod_class`); only what differs from pod to pod is worked out for each.
"""

from __future__ import annotations

from functools import cached_property

from scheduler_core.objects.affinity_term import AffinityTerm, WeightedAffinityTerm
from scheduler_core.objects.model import Labels
from scheduler_core.objects.pod import Pod, claim_name
from scheduler_core.objects.pod_class import ANY_ADDRESS, HostPort, pod_class
from scheduler_core.objects.timestamps import parse_timestamp

__all__ = ["ANY_ADDRESS", "HostPort", "PodInfo"]


class PodInfo:
    """A pod of the engine. Never changed: an update makes a new one."""

    def __init__(self, pod: Pod) -> None:
        self.pod = pod
        metadata = pod.metadata
        self.namespace: str = metadata.namespace or "default"
        self.name: str = metadata.name
        # "ns/name"
        self.key = f"{self.namespace}/{self.name}"
        # Pods that were never stored have no uid; their key is unique as well.
        self.uid: str = metadata.uid or self.key
        self.labels: Labels = metadata.labels
        self.priority: int = pod.spec.priority or 0
        self.scheduler_name: str = pod.spec.scheduler_name
        self.is_terminating: bool = metadata.deletion_timestamp is not None
        self.pod_class = pod_class(pod, self.namespace)
        # Equal for pods that every plugin treats alike, but for their name, uid, priority and made claims.
        self.class_key: bytes = self.pod_class.key

    def __repr__(self) -> str:
        return f"PodInfo({self.key})"

    @property
    def node_name(self) -> str:
        return self.pod.spec.node_name

    @property
    def nominated_node_name(self) -> str:
        return self.pod.status.nominated_node_name

    @cached_property
    def started_at(self) -> float | None:
        """When the kubelet started the pod, seconds since the epoch."""
        return parse_timestamp(self.pod.status.start_time)

    @property
    def requests(self) -> dict[str, int]:
        """Effective requests in canonical integers; absent means zero."""
        return self.pod_class.requests

    @property
    def scoring_requests(self) -> tuple[int, int]:
        """CPU (milli) and memory (bytes), with the defaults of containers that request none."""
        return self.pod_class.scoring_requests

    @property
    def host_ports(self) -> tuple[HostPort, ...]:
        """Host ports of containers and sidecars, each once."""
        return self.pod_class.host_ports

    @property
    def required_affinity_terms(self) -> tuple[AffinityTerm, ...]:
        return self.pod_class.required_affinity_terms

    @property
    def required_anti_affinity_terms(self) -> tuple[AffinityTerm, ...]:
        return self.pod_class.required_anti_affinity_terms

    @property
    def preferred_affinity_terms(self) -> tuple[WeightedAffinityTerm, ...]:
        return self.pod_class.preferred_affinity_terms

    @property
    def preferred_anti_affinity_terms(self) -> tuple[WeightedAffinityTerm, ...]:
        return self.pod_class.preferred_anti_affinity_terms

    @property
    def has_pod_affinity(self) -> bool:
        """Whether the pod has any pod affinity or anti-affinity, required or preferred."""
        return self.pod_class.has_pod_affinity

    @cached_property
    def claim_names(self) -> tuple[str, ...]:
        """Names of the PersistentVolumeClaims of the pod's volumes, ephemeral ones included, one for each volume."""
        names = (claim_name(self.name, volume) for volume in self.pod.spec.volumes)
        return tuple(name for name in names if name is not None)

    @property
    def has_volumes(self) -> bool:
        """Whether any volume of the pod matters for scheduling."""
        return self.pod_class.has_volumes

    @property
    def label_key(self) -> tuple[str, frozenset[tuple[str, str]]]:
        """Equal for pods that every selector treats alike."""
        return self.pod_class.label_key
