"""Whether a node takes a pod: the kubelet's own check, after the scheduler's.

The scheduler has made sure of all this, so a refusal means that somebody went
round it (a binding by hand, two schedulers) or that the node changed meanwhile.
A refused pod is Failed for good; only its controller makes a new one. The
kubelet looks at resources, required node affinity, node name, host ports and
NoExecute taints, in this order, and names the first thing that is wrong. It
does not look at NoSchedule taints or at cordons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scheduler_core.objects.node import Node
from scheduler_core.objects.pod_info import ANY_ADDRESS, HostPort, PodInfo
from scheduler_core.objects.requests import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from scheduler_core.objects.resource_names import is_extended
from scheduler_core.objects.taints import NO_EXECUTE, first_untolerated
from scheduler_core.snapshot.node_selection import required_node_affinity

WRONG_AFFINITY = "node(s) didn't match Pod's node affinity/selector"
WRONG_NAME = "node(s) didn't match the requested node name"
PORTS_TAKEN = "node(s) didn't have free ports for the requested pod ports"
TAINTED = "node(s) had taints that the pod didn't tolerate"
# Checked first, in this order.
_FIRST = (CPU, MEMORY, EPHEMERAL_STORAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    # The pod's `status.reason`: "OutOfcpu", "NodeAffinity", ...
    reason: str
    message: str


def admit(pod: PodInfo, node: Node, others: Sequence[PodInfo]) -> Rejection | None:
    """None: the node takes the pod. `others` are the pods that are on it already and not finished."""
    return next(_objections(pod, node, others), None)


def _objections(pod: PodInfo, node: Node, others: Sequence[PodInfo]) -> Iterator[Rejection]:
    yield from _lacking_resources(pod, node, others)
    if not required_node_affinity(pod.pod).matches(node):
        yield _failed_predicate("NodeAffinity", WRONG_AFFINITY)
    if pod.node_name != node.name:
        yield _failed_predicate("NodeName", WRONG_NAME)
    if _ports_clash(pod.host_ports, (port for other in others for port in other.host_ports)):
        yield _failed_predicate("NodePorts", PORTS_TAKEN)
    if first_untolerated(node.spec.taints, pod.pod.spec.tolerations, frozenset({NO_EXECUTE})):
        yield _failed_predicate("TaintToleration", TAINTED)


def _lacking_resources(pod: PodInfo, node: Node, others: Sequence[PodInfo]) -> Iterator[Rejection]:
    allocatable = node.allocatable
    if len(others) + 1 > allocatable.get(PODS, 0):
        yield _out_of(PODS, 1, len(others), allocatable.get(PODS, 0))
    wanted = pod.requests
    for name in (*_FIRST, *(each for each in wanted if each not in _FIRST)):
        requested = wanted.get(name, 0)
        # An extended resource the node does not know is none of the kubelet's business.
        if requested == 0 or (name not in allocatable and is_extended(name)):
            continue
        used = sum(other.requests.get(name, 0) for other in others)
        capacity = allocatable.get(name, 0)
        if requested > capacity - used:
            yield _out_of(name, requested, used, capacity)


def _out_of(resource: str, requested: int, used: int, capacity: int) -> Rejection:
    amounts = f"requested: {requested}, used: {used}, capacity: {capacity}"
    return Rejection(reason=f"OutOf{resource}", message=f"Node didn't have enough resource: {resource}, {amounts}")


def _failed_predicate(name: str, description: str) -> Rejection:
    return Rejection(reason=name, message=f"Predicate {name} failed: {description}")


def _ports_clash(wanted: Sequence[HostPort], used: Iterable[HostPort]) -> bool:
    return bool(wanted) and any(_clash(one, other) for other in used for one in wanted)


def _clash(one: HostPort, other: HostPort) -> bool:
    same_address = one.address == other.address or ANY_ADDRESS in (one.address, other.address)
    return same_address and (one.protocol, one.port) == (other.protocol, other.port)
