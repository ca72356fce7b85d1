"""Whether the scheduler of a cluster still has something to do, and how its pods stand."""

from __future__ import annotations

import msgspec
from django.db.models import Count

from playground.clusters.models import Change, Cluster, Pod
from playground.scheduling.models import ClusterScheduler, QueuedPod
from playground.scheduling.models.scheduler import FIRST
from playground.scheduling.selectors.queue import bindings_in_flight

# Pods that go on by themselves; the others wait for somebody to change something.
GOING_ON = ("activeQ", "backoffQ", "inFlight", "waiting", "binding")
# Changes that can give the scheduler work.
FOLLOWED_TOPICS = ("object", "bindings", "cluster")
# Unschedulable pods named in an answer.
MOST_NAMED = 100


class UnschedulablePod(msgspec.Struct, frozen=True, kw_only=True):
    namespace: str
    name: str
    # The scheduler's words.
    message: str


def unfollowed_changes(*, cluster_id: int, seen: int) -> bool:
    """Whether the feed holds something newer that concerns a scheduler."""
    newer = Change.objects.filter(cluster_id=cluster_id, version__gt=seen, topic__in=FOLLOWED_TOPICS)
    return newer.exclude(kind="Event").exists()


def scheduler_work_left(cluster: Cluster) -> list[str]:
    """The schedulers' answer to `clusters.idle`."""
    rows = ClusterScheduler.objects.select_related("state").filter(cluster=cluster).order_by("ordinal")
    to_do = [(row.name, work) for row in rows if (work := _own_work(row))]
    if to_do:
        # Whoever has but one scheduler need not be told its name.
        return [work if name == FIRST else f"{name}: {work}" for name, work in to_do]
    queues = QueuedPod.objects.filter(cluster_id=cluster.pk, queue__in=GOING_ON)
    counts = queues.values_list("queue").annotate(pods=Count("pk")).order_by("queue")
    left = [f"{pods} pods in {queue}" for queue, pods in counts]
    bindings = bindings_in_flight(cluster_id=cluster.pk).count()
    return [*left, f"{bindings} bindings in flight"] if bindings else left


def _own_work(row: ClusterScheduler) -> str:
    """What a scheduler has to look at before its queue tells anything."""
    state = getattr(row, "state", None)
    if row.standing_by:
        expected = state is not None and state.next_wakeup is not None
        return "a lease that will be taken over" if expected else ""
    seen = state.feed_version if state else 0
    return "changes to look at" if unfollowed_changes(cluster_id=row.cluster_id, seen=seen) else ""


def pod_counts(*, cluster_id: int) -> tuple[int, int]:
    """Pods with a node and pods without one."""
    pods = Pod.objects.filter(cluster_id=cluster_id)
    pending = pods.filter(node_name="").count()
    return pods.count() - pending, pending


def unschedulable_pods(*, cluster_id: int) -> list[UnschedulablePod]:
    rows = QueuedPod.objects.filter(cluster_id=cluster_id, queue__in=("unschedulablePods", "gated"))
    named = rows.order_by("namespace", "name")[:MOST_NAMED]
    return [UnschedulablePod(namespace=row.namespace, name=row.name, message=row.message) for row in named]
