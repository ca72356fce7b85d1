"""What is done to a node as a whole: cordon, drain, let its kubelet stop and start.

    node_cordon / node_uncordon (tx, name=) -> Manifest
    node_fail / node_recover (tx, name=) -> Manifest
    node_drain(cluster_id=, name=, options=) -> Drain          begins; a controller carries it out
    node_drain_cancel(tx, name=) -> Drain

All of it is written into the Node: `scheduler_core.controllers` act on it.
"""

from __future__ import annotations

from collections.abc import Callable

from playground.clusters import clock
from playground.clusters.kinds import KINDS
from playground.clusters.models import Pod
from playground.clusters.selectors import Manifest, object_get
from playground.clusters.services.objects import object_patch, subject
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.errors import Cause, Conflict
from scheduler_core.controllers.drain_plan import DrainOptions, DrainPlan, drain_plan
from scheduler_core.controllers.node_drain import Drain, drain_begun, drain_of, ended, with_drain
from scheduler_core.objects.manifest import annotations_of, with_metadata, with_spec
from scheduler_core.objects.node_health import KUBELET_STOPPED, kubelet_runs

# Pods of one drain: they are told in an annotation.
MOST_DRAINED = 1_000


def node_cordon(tx: ClusterTransaction, *, name: str) -> Manifest:
    return _patched(tx, name, lambda node: with_spec({"spec": {}, **node}, unschedulable=True))


def node_uncordon(tx: ClusterTransaction, *, name: str) -> Manifest:
    """Also ends a drain that is going on, which would cordon for nothing."""

    def change(node: Manifest) -> Manifest:
        spec = {key: value for key, value in (node.get("spec") or {}).items() if key != "unschedulable"}
        return with_drain({**node, "spec": spec}, None)

    return _patched(tx, name, change)


def node_fail(tx: ClusterTransaction, *, name: str) -> Manifest:
    """Its kubelet stops, without a word. Raises NotFound, Conflict."""

    def change(node: Manifest) -> Manifest:
        if not kubelet_runs(node):
            raise _conflict(name, "its kubelet has stopped already")
        stopped = {**annotations_of(node), KUBELET_STOPPED: clock.micro_timestamp(tx.now)}
        return with_metadata(node, annotations=stopped)

    return _patched(tx, name, change)


def node_recover(tx: ClusterTransaction, *, name: str) -> Manifest:
    """Its kubelet starts again. Raises NotFound, Conflict."""

    def change(node: Manifest) -> Manifest:
        if kubelet_runs(node):
            raise _conflict(name, "its kubelet is running")
        left = {key: value for key, value in annotations_of(node).items() if key != KUBELET_STOPPED}
        return with_metadata(node, annotations=left)

    return _patched(tx, name, change)


def node_drain(*, cluster_id: int, name: str, options: DrainOptions) -> Drain:
    """Cordon the node and begin to evict its pods.

    Raises Conflict with a cause for each sort of pod that stands in the way; as with kubectl, the node stays
    cordoned then.
    """
    with cluster_transaction(cluster_id) as tx:
        node_cordon(tx, name=name)
        plan = _plan(tx, name, options)
        if not plan.errors:
            drain = drain_begun(plan.pods, options, plan.warnings, tx.now)
            _patched(tx, name, lambda node: with_drain(_not_draining(node, name), drain))
            return drain
    causes = [Cause(path="", message=error) for error in plan.errors]
    message = f'unable to drain node "{name}" due to error: {"; ".join(plan.errors)}'
    raise Conflict(message, causes, subject(KINDS["Node"], name))


def _plan(tx: ClusterTransaction, name: str, options: DrainOptions) -> DrainPlan:
    pods = Pod.objects.filter(cluster=tx.cluster, node_name=name).order_by("namespace", "name")
    if pods.count() > MOST_DRAINED:
        raise _conflict(name, f"it has more than {MOST_DRAINED} pods; delete some first")

    def find(kind: str, namespace: str, name: str) -> Manifest | None:
        return object_get(tx.cluster.pk, kind, namespace, name)

    return drain_plan(list(pods.values_list("manifest", flat=True)), options, find)


def _not_draining(node: Manifest, name: str) -> Manifest:
    drain = drain_of(node)
    if drain is not None and drain.state == "draining":
        raise _conflict(name, "it is being drained already; cancel that first")
    return node


def node_drain_cancel(tx: ClusterTransaction, *, name: str) -> Drain:
    """No further pod is evicted; the node stays cordoned. Raises NotFound, Conflict where nothing goes on."""
    cancelled: list[Drain] = []

    def change(node: Manifest) -> Manifest:
        drain = drain_of(node)
        if drain is None or drain.state != "draining":
            raise _conflict(name, "it is not being drained")
        cancelled.append(ended(drain, "cancelled", tx.now, f'drain of node "{name}" cancelled'))
        return with_drain(node, cancelled[0])

    _patched(tx, name, change)
    return cancelled[0]


def _patched(tx: ClusterTransaction, name: str, change: Callable[[Manifest], Manifest]) -> Manifest:
    return object_patch(tx, kind="Node", namespace="", name=name, change=change)


def _conflict(name: str, why: str) -> Conflict:
    return Conflict(f'node "{name}": {why}', subject=subject(KINDS["Node"], name))
