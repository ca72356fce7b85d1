"""A pod class: pods that every plugin treats alike, and what follows from their spec.

Pods of one controller differ in name and uid only. Whatever is worked out from
labels and spec (requests, ports, affinity terms) is worked out for the first
pod of a class and shared by the others; plugins keep their own answers per
class `key`. Not part of a class: name, uid, priority, and claims made for the
pod.
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
from scheduler_core.objects.pod import Pod, matters_for_scheduling
from scheduler_core.objects.quantity import Quantity
from scheduler_core.objects.requests import effective_requests, scoring_requests

# What a host port without an address binds to.
ANY_ADDRESS = "0.0.0.0"  # noqa: S104
# Classes remembered at once; a forgotten one is worked out again.
MAX_CLASSES = 16384


class HostPort(NamedTuple):
    address: str
    protocol: str
    port: int


class PodClass:
    """See the module."""

    def __init__(self, key: bytes, pod: Pod, namespace: str) -> None:
        # Equal for pods of one class, and only for them.
        self.key = key
        # Its first pod.
        self._pod = pod
        self._namespace = namespace
        affinity = pod.spec.affinity
        self._affinity = affinity.pod_affinity if affinity else None
        self._anti_affinity = affinity.pod_anti_affinity if affinity else None
        self.has_pod_affinity = self._affinity is not None or self._anti_affinity is not None

    @cached_property
    def requests(self) -> dict[str, int]:
        return effective_requests(self._pod)

    @cached_property
    def scoring_requests(self) -> tuple[int, int]:
        return scoring_requests(self._pod)

    @cached_property
    def host_ports(self) -> tuple[HostPort, ...]:
        sidecars = [each for each in self._pod.spec.init_containers if each.restart_policy == "Always"]
        ports = [
            HostPort(port.host_ip or ANY_ADDRESS, port.protocol or "TCP", port.host_port)
            for container in (*self._pod.spec.containers, *sidecars)
            for port in container.ports
            if port.host_port > 0
        ]
        return tuple(dict.fromkeys(ports))

    @cached_property
    def required_affinity_terms(self) -> tuple[AffinityTerm, ...]:
        return required_terms(self._affinity, self._namespace)

    @cached_property
    def required_anti_affinity_terms(self) -> tuple[AffinityTerm, ...]:
        return required_terms(self._anti_affinity, self._namespace)

    @cached_property
    def preferred_affinity_terms(self) -> tuple[WeightedAffinityTerm, ...]:
        return preferred_terms(self._affinity, self._namespace)

    @cached_property
    def preferred_anti_affinity_terms(self) -> tuple[WeightedAffinityTerm, ...]:
        return preferred_terms(self._anti_affinity, self._namespace)

    @cached_property
    def has_volumes(self) -> bool:
        return any(map(matters_for_scheduling, self._pod.spec.volumes))

    @cached_property
    def label_key(self) -> tuple[str, frozenset[tuple[str, str]]]:
        return self._namespace, frozenset(self._pod.metadata.labels.items())


_classes: dict[bytes, PodClass] = {}


def pod_class(pod: Pod, namespace: str) -> PodClass:
    """The class of a pod."""
    key = _encoder.encode(_parts(pod, namespace))
    found = _classes.get(key)
    if found is None:
        if len(_classes) >= MAX_CLASSES:
            _classes.clear()
        found = _classes[key] = PodClass(key, pod, namespace)
    return found


def _parts(pod: Pod, namespace: str) -> list[Any]:
    """Everything a Filter or Score plugin may look at."""
    metadata, spec = pod.metadata, pod.spec
    controller = metadata.controller
    parts: list[Any] = [
        namespace,
        metadata.labels,
        [controller.api_version, controller.kind, controller.name] if controller else None,
        spec.node_selector,
        spec.affinity,
        spec.tolerations,
        spec.topology_spread_constraints,
        spec.containers,
        spec.init_containers,
        spec.overhead,
        spec.resources,
        spec.volumes,
        spec.resource_claims,
        spec.host_network,
        spec.restart_policy,
    ]
    status = pod.status
    if status.container_statuses or status.init_container_statuses:
        resized = [
            each for each in (*status.container_statuses, *status.init_container_statuses) if each.resources is not None
        ]
        if resized:
            parts += [resized, status.conditions]
    return parts


def _encode_quantity(value: Any) -> Any:
    if isinstance(value, Quantity):
        return value.nano
    raise TypeError(f"cannot encode {type(value).__name__}")


_encoder = msgspec.json.Encoder(enc_hook=_encode_quantity)
