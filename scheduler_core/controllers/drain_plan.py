"""Which pods `kubectl drain` would evict from a node, and why it would rather not.

The filters, their order and their words are kubectl's. Warnings are told and
the drain goes on; errors are told and it does not begin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from scheduler_core.controllers.disruption_budgets import Find
from scheduler_core.objects.manifest import Manifest, annotations_of, controller_of, is_finished

Severity = Literal["", "warning", "error"]

DAEMON_SET_FATAL = "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)"
DAEMON_SET_WARNING = "ignoring DaemonSet-managed Pods"
LOCAL_STORAGE_FATAL = "Pods with local storage (use --delete-emptydir-data to override)"
LOCAL_STORAGE_WARNING = "deleting Pods with local storage"
UNMANAGED_FATAL = "Pods that declare no controller (use --force to override)"
UNMANAGED_WARNING = "deleting Pods that declare no controller"
_MIRROR = "kubernetes.io/config.mirror"


class DrainOptions(msgspec.Struct, frozen=True, kw_only=True):
    """kubectl's flags, at kubectl's defaults."""

    ignore_daemonsets: bool = False
    delete_emptydir_data: bool = False
    force: bool = False
    # None: each pod's own.
    grace_period: int | None = None
    # Seconds of cluster time after which it is given up; 0: never.
    timeout: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DrainPlan:
    pods: list[Manifest]
    # "reason: namespace/name, ..."
    warnings: list[str]
    errors: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opinion:
    evict: bool = True
    severity: Severity = ""
    reason: str = ""


_FINE = _Opinion()
_Filter = Callable[[Manifest, DrainOptions, Find], _Opinion]


def drain_plan(pods: Sequence[Manifest], options: DrainOptions, find: Find) -> DrainPlan:
    """`pods`: everything on the node."""
    opinions = [(pod, _opinion_of(pod, options, find)) for pod in pods]
    return DrainPlan(
        pods=[pod for pod, opinion in opinions if opinion.evict],
        warnings=_grouped(opinions, "warning"),
        errors=[f"cannot delete {line}" for line in _grouped(opinions, "error")],
    )


def _opinion_of(pod: Manifest, options: DrainOptions, find: Find) -> _Opinion:
    """The last filter's that has one; a filter that spares the pod ends it."""
    told = _FINE
    for each in _FILTERS:
        opinion = each(pod, options, find)
        if not opinion.evict:
            return opinion
        told = told if opinion is _FINE else opinion
    return told


def _grouped(opinions: Sequence[tuple[Manifest, _Opinion]], severity: Severity) -> list[str]:
    groups: dict[str, list[str]] = {}
    for pod, opinion in opinions:
        if opinion.severity == severity:
            groups.setdefault(opinion.reason, []).append(f"{pod['metadata']['namespace']}/{pod['metadata']['name']}")
    return [f"{reason}: {', '.join(names)}" for reason, names in groups.items()]


def _daemon_set(pod: Manifest, options: DrainOptions, find: Find) -> _Opinion:
    owner = controller_of(pod)
    if owner is None or owner["kind"] != "DaemonSet" or is_finished(pod):
        return _FINE
    if find("DaemonSet", pod["metadata"]["namespace"], owner["name"]) is None:
        reason = f'daemonsets.apps "{owner["name"]}" not found'
        return _Opinion(evict=options.force, severity="warning" if options.force else "error", reason=reason)
    if options.ignore_daemonsets:
        return _Opinion(evict=False, severity="warning", reason=DAEMON_SET_WARNING)
    return _Opinion(evict=False, severity="error", reason=DAEMON_SET_FATAL)


def _mirror(pod: Manifest, options: DrainOptions, find: Find) -> _Opinion:
    return _Opinion(evict=False) if _MIRROR in annotations_of(pod) else _FINE


def _local_storage(pod: Manifest, options: DrainOptions, find: Find) -> _Opinion:
    is_local = any(volume.get("emptyDir") is not None for volume in pod["spec"].get("volumes") or ())
    if not is_local or is_finished(pod):
        return _FINE
    if options.delete_emptydir_data:
        return _Opinion(severity="warning", reason=LOCAL_STORAGE_WARNING)
    return _Opinion(evict=False, severity="error", reason=LOCAL_STORAGE_FATAL)


def _unmanaged(pod: Manifest, options: DrainOptions, find: Find) -> _Opinion:
    if is_finished(pod) or controller_of(pod) is not None:
        return _FINE
    if options.force:
        return _Opinion(severity="warning", reason=UNMANAGED_WARNING)
    return _Opinion(evict=False, severity="error", reason=UNMANAGED_FATAL)


_FILTERS: Sequence[_Filter] = (_daemon_set, _mirror, _local_storage, _unmanaged)
