"""How fast a rollout may go: maxSurge and maxUnavailable in pods.

Percentages of a surge round up, of unavailability down. Both zero would let
nothing move, so one pod may then be unavailable.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from scheduler_core.controllers.replica_set import desired_replicas
from scheduler_core.objects.manifest import Manifest

DEFAULT_PERCENT = "25%"


class Fences(NamedTuple):
    max_surge: int
    max_unavailable: int


def is_recreate(deployment: Manifest) -> bool:
    return bool((deployment["spec"].get("strategy") or {}).get("type") == "Recreate")


def resolve(value: int | str, total: int, *, round_up: bool) -> int:
    """A number of pods, or a percentage of `total`."""
    if isinstance(value, int):
        return max(value, 0)
    share = int(value.rstrip("%")) * total / 100
    return max(math.ceil(share) if round_up else math.floor(share), 0)


def fences(deployment: Manifest) -> Fences:
    if is_recreate(deployment):
        return Fences(0, 0)
    replicas = desired_replicas(deployment)
    rolling = (deployment["spec"].get("strategy") or {}).get("rollingUpdate") or {}
    surge = resolve(rolling.get("maxSurge", DEFAULT_PERCENT), replicas, round_up=True)
    unavailable = resolve(rolling.get("maxUnavailable", DEFAULT_PERCENT), replicas, round_up=False)
    if surge == 0 and unavailable == 0:
        unavailable = 1
    return Fences(surge, min(unavailable, replicas))


def max_pods(deployment: Manifest) -> int:
    """The most pods all its ReplicaSets together may ask for."""
    return desired_replicas(deployment) + fences(deployment).max_surge


def new_replicas(deployment: Manifest, new: int, all_replicas: int) -> int:
    """What the newest ReplicaSet, at `new` now, may be scaled to."""
    wanted = desired_replicas(deployment)
    if is_recreate(deployment) or new >= wanted:
        return wanted
    room = max_pods(deployment) - all_replicas
    return new + min(max(room, 0), wanted - new)
