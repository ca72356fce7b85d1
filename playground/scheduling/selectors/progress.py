"""Whether the scheduler of a cluster still has something to do, and how its pods stand."""

from __future__ import annotations

import msgspec
from django.db.models import Count

from playground.clusters.models import Change, Cluster, Pod
from playground.scheduling.models import QueuedPod, SchedulerState
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


def unfollowed_changes(*, cluster_id: int) -> bool:
    """Whether the feed holds something that no scheduling slice has looked at."""
    state = SchedulerState.objects.filter(cluster_id=cluster_id).only("feed_version").first()
    seen = state.feed_version if state else 0
    newer = Change.objects.filter(cluster_id=cluster_id, version__gt=seen, topic__in=FOLLOWED_TOPICS)
    return newer.exclude(kind="Event").exists()


def scheduler_work_left(cluster: Cluster) -> list[str]:
    """The scheduler's answer to `clusters.idle`."""
    if unfollowed_changes(cluster_id=cluster.pk):
        return ["changes to look at"]
    queues = QueuedPod.objects.filter(cluster_id=cluster.pk, queue__in=GOING_ON)
    counts = queues.values_list("queue").annotate(pods=Count("pk")).order_by("queue")
    left = [f"{pods} pods in {queue}" for queue, pods in counts]
    bindings = bindings_in_flight(cluster_id=cluster.pk).count()
    return [*left, f"{bindings} bindings in flight"] if bindings else left


def pod_counts(*, cluster_id: int) -> tuple[int, int]:
    """Pods with a node and pods without one."""
    pods = Pod.objects.filter(cluster_id=cluster_id)
    pending = pods.filter(node_name="").count()
    return pods.count() - pending, pending


def unschedulable_pods(*, cluster_id: int) -> list[UnschedulablePod]:
    rows = QueuedPod.objects.filter(cluster_id=cluster_id, queue__in=("unschedulablePods", "gated"))
    named = rows.order_by("namespace", "name")[:MOST_NAMED]
    return [UnschedulablePod(namespace=row.namespace, name=row.name, message=row.message) for row in named]
