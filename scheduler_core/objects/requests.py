"""What a pod asks of a node.

Containers and sidecars (restartable init containers) run at the same time, so
their requests add up. Plain init containers run one after another, each with
the sidecars started before it, so the largest of those steps counts. The pod
needs the larger of the two, per resource; pod-level requests replace the sum
of the containers'; overhead comes on top. Finished init containers keep
counting.

Amounts are summed in exact nano-units and turned into canonical integers at
the end: millicores for cpu, whole units for everything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scheduler_core.objects.pod import Container, ContainerStatus, Pod
from scheduler_core.objects.quantity import NANO, Quantity, canonical

CPU = "cpu"
MEMORY = "memory"
EPHEMERAL_STORAGE = "ephemeral-storage"
PODS = "pods"
HUGE_PAGES_PREFIX = "hugepages-"

# Scoring counts a container without a request as this much, so that such pods spread too.
DEFAULT_SCORING_NANO: Mapping[str, int] = {CPU: NANO // 10, MEMORY: 200 * 1024 * 1024 * NANO}

# Resource name -> nano-units.
Amounts = dict[str, int]


def effective_requests(pod: Pod) -> dict[str, int]:
    """Effective requests in canonical integers."""
    return {name: canonical(name, nano) for name, nano in pod_amounts(pod).items()}


def scoring_requests(pod: Pod) -> tuple[int, int]:
    """CPU and memory as they count for a pod that is on a node, when nodes are scored."""
    amounts = pod_amounts(pod, missing=_missing_defaults(pod))
    return canonical(CPU, amounts.get(CPU, 0)), canonical(MEMORY, amounts.get(MEMORY, 0))


def incoming_scoring_requests(pod: Pod) -> dict[str, int]:
    """All requests of the pod being scheduled, with the defaults; here pod-level requests do not count."""
    amounts = _containers(pod, DEFAULT_SCORING_NANO)
    _add(amounts, {name: each.nano for name, each in pod.spec.overhead.items()})
    return {name: canonical(name, amount) for name, amount in amounts.items()}


def quantity_value(name: str, quantity: Quantity) -> int:
    """A quantity of a resource as a canonical integer."""
    return canonical(name, quantity.nano)


def readable_amount(name: str, amount: int) -> str:
    """A canonical integer as a person would write it: 500m, 2, 1536Mi."""
    if name == CPU:
        return str(amount // 1000) if amount % 1000 == 0 else f"{amount}m"
    if name in (MEMORY, EPHEMERAL_STORAGE) or name.startswith(HUGE_PAGES_PREFIX):
        for unit, size in (("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10)):
            if amount % size == 0:
                return f"{amount // size}{unit}"
    return str(amount)


def has_pod_level_requests(pod: Pod) -> bool:
    resources = pod.spec.resources
    return resources is not None and any(map(_pod_level, resources.requests))


def pod_amounts(pod: Pod, missing: Mapping[str, int] | None = None) -> Amounts:
    """Effective requests in nano-units; `missing` is what a container without a request counts as."""
    total = _containers(pod, missing or {})
    resources = pod.spec.resources
    if resources is not None:
        total.update({name: each.nano for name, each in resources.requests.items() if _pod_level(name)})
    _add(total, {name: each.nano for name, each in pod.spec.overhead.items()})
    return total


def _pod_level(name: str) -> bool:
    return name in (CPU, MEMORY) or name.startswith(HUGE_PAGES_PREFIX)


def _missing_defaults(pod: Pod) -> Mapping[str, int]:
    if not has_pod_level_requests(pod):
        return DEFAULT_SCORING_NANO
    asked = pod_amounts(pod)
    return {name: nano for name, nano in DEFAULT_SCORING_NANO.items() if name not in asked}


def _containers(pod: Pod, missing: Mapping[str, int]) -> Amounts:
    total: Amounts = {}
    for amounts in _each_container(pod, pod.spec.containers, pod.status.container_statuses, missing):
        _add(total, amounts)
    sidecars: Amounts = {}
    largest_step: Amounts = {}
    init = _each_container(pod, pod.spec.init_containers, pod.status.init_container_statuses, missing)
    for container, amounts in zip(pod.spec.init_containers, init, strict=True):
        step = dict(sidecars)
        _add(step, amounts)
        if container.restart_policy == "Always":
            _add(total, amounts)
            sidecars = step
        _raise_to(largest_step, step)
    _raise_to(total, largest_step)
    return total


def _each_container(
    pod: Pod, containers: Sequence[Container], statuses: Sequence[ContainerStatus], missing: Mapping[str, int]
) -> list[Amounts]:
    given = {status.name: status for status in statuses if status.resources is not None}
    infeasible = bool(given) and _resize_infeasible(pod)
    return [_container_amounts(each, given.get(each.name), infeasible, missing) for each in containers]


def _container_amounts(
    container: Container, given: ContainerStatus | None, infeasible: bool, missing: Mapping[str, int]
) -> Amounts:
    wanted = {name: each.nano for name, each in container.resources.requests.items()}
    amounts = wanted if given is None else _while_resizing(wanted, given, infeasible)
    for name, nano in missing.items():
        amounts.setdefault(name, nano)
    return amounts


def _while_resizing(wanted: Amounts, given: ContainerStatus, infeasible: bool) -> Amounts:
    """The larger of what is asked and what the kubelet has given; an infeasible wish does not count."""
    amounts: Amounts = {} if infeasible else wanted
    if given.resources is not None:
        _raise_to(amounts, {name: each.nano for name, each in given.resources.requests.items()})
    _raise_to(amounts, {name: each.nano for name, each in given.allocated_resources.items()})
    return amounts


def _resize_infeasible(pod: Pod) -> bool:
    return any(each.type == "PodResizePending" and each.reason == "Infeasible" for each in pod.status.conditions)


def _add(total: Amounts, more: Amounts) -> None:
    for name, nano in more.items():
        total[name] = total.get(name, 0) + nano


def _raise_to(total: Amounts, floor: Amounts) -> None:
    for name, nano in floor.items():
        total[name] = max(total.get(name, nano), nano)
