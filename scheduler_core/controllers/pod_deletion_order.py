"""Which pods go first when a ReplicaSet has too many.

Kubernetes' order: the pod whose loss hurts least. Unassigned before assigned,
pending before running, not ready before ready, cheap before dear (the
`pod-deletion-cost` annotation), nodes with more of its siblings first, ready for
a shorter time first, more restarts first, newer first. Ages are compared by
their order of magnitude (log2 of the seconds), so that pods of one rollout count
as equally old and not always the newest zone is emptied; the uid breaks ties.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from scheduler_core.objects.manifest import (
    Manifest,
    annotations_of,
    created_at,
    is_active,
    node_name_of,
    phase_of,
    ready_since,
    uid_of,
)

DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
_PHASE_RANK = {"Pending": 0, "Unknown": 1, "Running": 2}

# Smallest first.
DeletionKey = tuple[bool, int, bool, int, int, int, int, int, str]


def deletion_cost(pod: Manifest) -> int:
    """The annotation's number; anything that is no 32-bit integer counts as 0, as in Kubernetes."""
    text = annotations_of(pod).get(DELETION_COST, "0")
    try:
        cost = int(text) if text.lstrip("-").isascii() else 0
    except ValueError:
        return 0
    return cost if -(2**31) <= cost < 2**31 else 0


def _magnitude(seconds: float) -> int:
    return int(math.log2(seconds)) if seconds >= 1 else 0


def restarts(pod: Manifest) -> int:
    statuses = (pod.get("status") or {}).get("containerStatuses") or ()
    return max((int(status.get("restartCount") or 0) for status in statuses), default=0)


def deletion_key(pod: Manifest, siblings_on_node: int, now: float) -> DeletionKey:
    since = ready_since(pod)
    return (
        bool(node_name_of(pod)),
        _PHASE_RANK.get(phase_of(pod), 2),
        since is not None,
        deletion_cost(pod),
        -siblings_on_node,
        0 if since is None else _magnitude(now - since),
        -restarts(pod),
        _magnitude(now - created_at(pod)),
        uid_of(pod),
    )


def pods_to_delete(pods: Sequence[Manifest], count: int, related: Iterable[Manifest], now: float) -> Sequence[Manifest]:
    """`count` of the pods. `related` are all pods of the same application, which share nodes with them."""
    if count >= len(pods):
        return pods
    siblings = Counter(node_name_of(pod) for pod in related if is_active(pod))
    return sorted(pods, key=lambda pod: deletion_key(pod, siblings[node_name_of(pod)], now))[:count]
