"""Giving a Deployment's ReplicaSets their sizes.

Each function answers with sizes, `{index in the given list: replicas}`; the
controller writes them. Names and rules follow the Deployment controller of
Kubernetes, so that a rollout takes the same steps in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.controllers.deployment.revisions import DESIRED_REPLICAS, MAX_REPLICAS
from scheduler_core.controllers.deployment.strategy import fences, max_pods
from scheduler_core.controllers.replica_set import desired_replicas
from scheduler_core.objects.manifest import Manifest, annotations_of, created_at

Sizes = dict[int, int]


def available_of(replica_set: Manifest) -> int:
    return int((replica_set.get("status") or {}).get("availableReplicas") or 0)


def _annotated(replica_set: Manifest, annotation: str) -> int | None:
    text = annotations_of(replica_set).get(annotation, "")
    return int(text) if text.isascii() and text.isdigit() else None


def is_scaling_event(deployment: Manifest, active: Sequence[Manifest]) -> bool:
    """Whether the Deployment's size changed since its ReplicaSets were last sized."""
    wanted = desired_replicas(deployment)
    return any(_annotated(each, DESIRED_REPLICAS) not in (None, wanted) for each in active)


def is_saturated(deployment: Manifest, new: Manifest | None) -> bool:
    """Whether the newest ReplicaSet alone is what the Deployment asks for."""
    if new is None:
        return False
    wanted = desired_replicas(deployment)
    return desired_replicas(new) == _annotated(new, DESIRED_REPLICAS) == available_of(new) == wanted


def shrink_old(deployment: Manifest, old: Sequence[Manifest], new: Manifest) -> Sizes:
    """Smaller old ReplicaSets, as far as enough pods stay available; unhealthy replicas go first."""
    replica_sets = [*old, new]
    min_available = desired_replicas(deployment) - fences(deployment).max_unavailable
    new_unavailable = desired_replicas(new) - available_of(new)
    budget = sum(map(desired_replicas, replica_sets)) - min_available - new_unavailable
    if budget <= 0 or not any(map(desired_replicas, old)):
        return {}
    sizes = _without_unhealthy(old, budget)
    spare = sum(map(available_of, replica_sets)) - min_available
    for index, replica_set in enumerate(old):
        size = sizes.get(index, desired_replicas(replica_set))
        cut = min(size, max(spare, 0))
        spare -= cut
        sizes[index] = size - cut
    return {index: size for index, size in sizes.items() if size != desired_replicas(old[index])}


def _without_unhealthy(old: Sequence[Manifest], budget: int) -> Sizes:
    sizes: Sizes = {}
    for index, replica_set in enumerate(old):
        size = desired_replicas(replica_set)
        cut = min(budget, max(size - available_of(replica_set), 0))
        budget -= cut
        sizes[index] = size - cut
    return sizes


def proportional(deployment: Manifest, active: Sequence[Manifest]) -> Sizes:
    """A resize in the middle of a rollout: every active ReplicaSet gets its share, the largest the rest."""
    wanted = desired_replicas(deployment)
    current = sum(map(desired_replicas, active))
    to_add = (max_pods(deployment) if wanted > 0 else 0) - current
    # The largest first; of equals the youngest when growing, the eldest when shrinking.
    age_sign = -1 if to_add > 0 else 1
    order = sorted(range(len(active)), key=lambda i: (-desired_replicas(active[i]), age_sign * created_at(active[i])))
    sizes: Sizes = {}
    added = 0
    for index in order:
        share = _share(deployment, active[index], to_add, added)
        sizes[index] = desired_replicas(active[index]) + share
        added += share
    if order:
        sizes[order[0]] = max(sizes[order[0]] + to_add - added, 0)
    return sizes


def _share(deployment: Manifest, replica_set: Manifest, to_add: int, added: int) -> int:
    size = desired_replicas(replica_set)
    left = to_add - added
    if size == 0 or left == 0:
        return 0
    share = _fraction(deployment, replica_set)
    return min(share, left) if to_add > 0 else max(share, left)


def _fraction(deployment: Manifest, replica_set: Manifest) -> int:
    size = desired_replicas(replica_set)
    if desired_replicas(deployment) == 0:
        return -size
    before = _annotated(replica_set, MAX_REPLICAS) or int((deployment.get("status") or {}).get("replicas") or 0)
    if before == 0:
        return 0
    # Half away from zero, in whole numbers.
    return (2 * size * max_pods(deployment) + before) // (2 * before) - size
