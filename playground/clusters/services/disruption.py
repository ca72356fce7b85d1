"""Eviction: a pod is deleted where its PodDisruptionBudget allows it.

pod_evict(tx, namespace=, name=, options=DeleteOptions()) -> Manifest
eviction_refusal(tx, pod=) -> EvictionRefusal | None
"""

from __future__ import annotations

from typing import Any

from playground.clusters.kinds import KINDS
from playground.clusters.selectors import Manifest, object_get, object_list
from playground.clusters.services.objects import DeleteOptions, not_found, object_delete
from playground.clusters.services.transaction import ClusterTransaction
from playground.common.errors import ApiError, Cause, TooManyRequests
from scheduler_core.controllers.disruption_budgets import TOO_MANY, refusal_to_evict
from scheduler_core.controllers.interface import EvictionRefusal


def pod_evict(tx: ClusterTransaction, *, namespace: str, name: str, options: DeleteOptions | None = None) -> Manifest:
    """Raises TooManyRequests where a budget would be broken, NotFound."""
    pod = object_get(tx.cluster.pk, "Pod", namespace, name)
    if pod is None:
        raise not_found(KINDS["Pod"], name)
    refusal = eviction_refusal(tx, pod=pod)
    if refusal is not None:
        raise _error(refusal)
    return object_delete(tx, kind="Pod", namespace=namespace, name=name, options=options)


def eviction_refusal(tx: ClusterTransaction, *, pod: Manifest) -> EvictionRefusal | None:
    """What stands in the way of evicting the pod, in this moment."""
    cluster_id, namespace = tx.cluster.pk, pod["metadata"]["namespace"]
    budgets = object_list(cluster_id, "PodDisruptionBudget", namespace)

    def find(kind: str, of_namespace: str, name: str) -> dict[str, Any] | None:
        return object_get(cluster_id, kind, of_namespace, name) if kind in KINDS else None

    pods = object_list(cluster_id, "Pod", namespace) if budgets else []
    return refusal_to_evict(pod, budgets, pods, find)


def _error(refusal: EvictionRefusal) -> ApiError:
    if refusal.reason != TOO_MANY:
        return ApiError(refusal.message)
    cause = Cause(path="", message=refusal.detail, reason="DisruptionBudget")
    # Without a Retry-After, as in Kubernetes: clients would wait for it in silence, kubectl has its own five seconds.
    return TooManyRequests(refusal.message, [cause])
