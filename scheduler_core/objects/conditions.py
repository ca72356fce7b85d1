"""Status conditions: a list with one entry a type, whose transition time moves only with its status."""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.objects.manifest import Manifest
from scheduler_core.objects.timestamps import format_timestamp


def condition(
    condition_type: str, status: bool | str, now: float, *, reason: str = "", message: str = "", updates: bool = False
) -> Manifest:
    """A condition as of `now`; `updates` adds lastUpdateTime, which Deployments have."""
    made: Manifest = {"type": condition_type, "status": status if isinstance(status, str) else str(status)}
    if updates:
        made["lastUpdateTime"] = format_timestamp(now)
    made["lastTransitionTime"] = format_timestamp(now)
    if reason:
        made["reason"] = reason
    if message:
        made["message"] = message
    return made


def _merged(old: Manifest, new: Manifest) -> Manifest:
    if old.get("status") != new["status"]:
        return new
    if (old.get("reason"), old.get("message")) == (new.get("reason"), new.get("message")):
        return old
    return {**new, "lastTransitionTime": old.get("lastTransitionTime", new["lastTransitionTime"])}


def set_condition(conditions: Iterable[Manifest], new: Manifest) -> list[Manifest]:
    """The conditions with `new` in its type's place, or at the end."""
    listed = list(conditions)
    for index, old in enumerate(listed):
        if old.get("type") == new["type"]:
            listed[index] = _merged(old, new)
            return listed
    return [*listed, new]


def without_condition(conditions: Iterable[Manifest], condition_type: str) -> list[Manifest]:
    return [old for old in conditions if old.get("type") != condition_type]
