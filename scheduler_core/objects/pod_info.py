"""PodInfo: a pod with what is worth computing once.

Everything costly is lazy and kept. `class_key` is what makes scheduling many
pods cheap: pods of one controller differ in name and uid only, so whatever a
plugin works out from labels and spec can be kept per class.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from scheduler_core.objects.affinity_term import (
    AffinityTerm,
    WeightedAffinityTerm,
    preferred_terms,
    required_terms,
)
from scheduler_core.objects.model import Labels
from scheduler_core.objects.pod import Pod, PodSpec, claim_name, matters_for_scheduling
from scheduler_core.objects.quantity import Quantity
from scheduler_core.objects.requests import effective_requests, scoring_requests
from scheduler_core.objects.timestamps import parse_timestamp

# What a host port without an address binds to.
ANY_ADDRESS = "0.0.0.0"  # noqa: S104


class HostPort(NamedTuple):
    address: str
    protocol: str
    port: int


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

    def __repr__(self) -> str:
        return f"PodInfo({self.key})"

    @property
    def node_name(self) -> str:
        return self.pod.spec.node_name

    @property
    def nominated_node_name(self) -> str:
        return self.pod.status.nominated_node_name

    @property
    def scheduler_name(self) -> str:
        return self.pod.spec.scheduler_name

    @property
    def is_terminating(self) -> bool:
        return self.pod.metadata.deletion_timestamp is not None

    @cached_property
    def started_at(self) -> float | None:
        """When the kubelet started the pod, seconds since the epoch."""
        return parse_timestamp(self.pod.status.start_time)

    @cached_property
    def requests(self) -> dict[str, int]:
        """Effective requests in canonical integers; absent means zero."""
        return effective_requests(self.pod)

    @cached_property
    def scoring_requests(self) -> tuple[int, int]:
        """CPU (milli) and memory (bytes), with the defaults of containers that request none."""
        return scoring_requests(self.pod)

    @cached_property
    def host_ports(self) -> tuple[HostPort, ...]:
        """Host ports of containers and sidecars, each once."""
        sidecars = [each for each in self.pod.spec.init_containers if each.restart_policy == "Always"]
        ports = [
            HostPort(port.host_ip or ANY_ADDRESS, port.protocol or "TCP", port.host_port)
            for container in (*self.pod.spec.containers, *sidecars)
            for port in container.ports
            if port.host_port > 0
        ]
        return tuple(dict.fromkeys(ports))

    @cached_property
    def required_affinity_terms(self) -> tuple[AffinityTerm, ...]:
        affinity = self.pod.spec.affinity
        return required_terms(affinity.pod_affinity, self.namespace) if affinity else ()

    @cached_property
    def required_anti_affinity_terms(self) -> tuple[AffinityTerm, ...]:
        affinity = self.pod.spec.affinity
        return required_terms(affinity.pod_anti_affinity, self.namespace) if affinity else ()

    @cached_property
    def preferred_affinity_terms(self) -> tuple[WeightedAffinityTerm, ...]:
        affinity = self.pod.spec.affinity
        return preferred_terms(affinity.pod_affinity, self.namespace) if affinity else ()

    @cached_property
    def preferred_anti_affinity_terms(self) -> tuple[WeightedAffinityTerm, ...]:
        affinity = self.pod.spec.affinity
        return preferred_terms(affinity.pod_anti_affinity, self.namespace) if affinity else ()

    @property
    def has_pod_affinity(self) -> bool:
        """Whether the pod has any pod affinity or anti-affinity, required or preferred."""
        affinity = self.pod.spec.affinity
        return affinity is not None and (affinity.pod_affinity is not None or affinity.pod_anti_affinity is not None)

    @cached_property
    def claim_names(self) -> tuple[str, ...]:
        """Names of the PersistentVolumeClaims of the pod's volumes, ephemeral ones included, one for each volume."""
        names = (claim_name(self.name, volume) for volume in self.pod.spec.volumes)
        return tuple(name for name in names if name is not None)

    @cached_property
    def has_volumes(self) -> bool:
        """Whether any volume of the pod matters for scheduling."""
        return any(map(matters_for_scheduling, self.pod.spec.volumes))

    @cached_property
    def label_key(self) -> tuple[str, frozenset[tuple[str, str]]]:
        """Equal for pods that every selector treats alike."""
        return self.namespace, frozenset(self.labels.items())

    @cached_property
    def class_key(self) -> bytes:
        """Equal for pods that every plugin treats alike, but for their name, uid, priority and made claims."""
        return _encoder.encode(self._class_parts())

    def _class_parts(self) -> list[Any]:
        controller = self.pod.metadata.controller
        owner = [controller.api_version, controller.kind, controller.name] if controller else []
        parts: list[Any] = [self.namespace, self.labels, owner, _class_spec(self.pod.spec)]
        resized = [
            each
            for each in (*self.pod.status.container_statuses, *self.pod.status.init_container_statuses)
            if each.resources is not None
        ]
        return [*parts, resized, self.pod.status.conditions] if resized else parts


def _class_spec(spec: PodSpec) -> PodSpec:
    """The spec without what no Filter or Score looks at."""
    return msgspec.structs.replace(
        spec,
        node_name="",
        scheduler_name="",
        scheduling_gates=(),
        priority=None,
        priority_class_name="",
        preemption_policy=None,
        termination_grace_period_seconds=None,
        active_deadline_seconds=None,
    )


def _encode_quantity(value: Any) -> Any:
    if isinstance(value, Quantity):
        return value.nano
    raise TypeError(f"cannot encode {type(value).__name__}")


_encoder = msgspec.json.Encoder(enc_hook=_encode_quantity)
