"""Reads: the feed of objects, steps that are due, and what is left to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from django.db.models import Count, Min

from playground.clusters import clock
from playground.clusters.kinds import KINDS
from playground.clusters.models import Change, Cluster
from playground.clusters.selectors import feed_version, object_iterate
from playground.common.database import chunks, consistent_read
from playground.common.errors import Expired
from playground.controllers.models import ControllerState, KubeletStep
from scheduler_core.kubelet.pod_life import Step
from scheduler_core.objects.manifest import Manifest

# Written by the controllers themselves and read by none of them.
UNFOLLOWED_KINDS = ("Event", "Lease")
FOLLOWED_KINDS = tuple(kind for kind in KINDS if kind not in UNFOLLOWED_KINDS)
CHUNK = 1_000
WAITING_FOR = {
    Step.PULLING: "pods to pull images",
    Step.STARTING: "pods to start",
    Step.RUNNING: "pods to run to their end",
    Step.STOPPING: "pods to stop",
}


class ObjectChange(NamedTuple):
    event: str
    manifest: Manifest


def objects_at_a_version(cluster_id: int) -> tuple[int, list[Manifest]]:
    """Everything that is followed, and the version of the feed it stands for."""
    with consistent_read():
        version = feed_version(cluster_id)
        return version, [manifest for _, manifest in object_iterate(cluster_id, FOLLOWED_KINDS)]


def object_changes(cluster_id: int, after: int, until: int) -> Iterator[ObjectChange]:
    """Changes of followed objects with versions in (after, until]. Raises Expired where they are gone."""
    while True:
        query = Change.objects.filter(cluster_id=cluster_id, version__gt=after, version__lte=until, topic="object")
        query = query.exclude(kind__in=UNFOLLOWED_KINDS).order_by("version")
        found = list(query.values_list("version", "event", "payload")[:CHUNK])
        oldest = Cluster.objects.filter(pk=cluster_id).values_list("oldest_change_version", flat=True).first()
        if oldest is None or after < oldest:
            raise Expired(f"too old resource version: {after} ({oldest})")
        for _, event, payload in found:
            yield ObjectChange(event, payload)
        if len(found) < CHUNK:
            return
        after = found[-1][0]


def steps_due(cluster_id: int, now: float, limit: int) -> list[KubeletStep]:
    return list(KubeletStep.objects.filter(cluster_id=cluster_id, due_at__lte=now).order_by("due_at", "pk")[:limit])


def steps_of(cluster_id: int, pod_uids: Iterable[str], step: Step) -> dict[str, KubeletStep]:
    """pod uid -> row, of those pods that are in that step."""
    found: dict[str, KubeletStep] = {}
    for some in chunks(pod_uids):
        rows = KubeletStep.objects.filter(cluster_id=cluster_id, pod_uid__in=some, step=step.value)
        found.update((row.pod_uid, row) for row in rows)
    return found


def pods_with_step(cluster_id: int, pod_uids: Iterable[str]) -> set[str]:
    """uids of those of the pods that are in some step."""
    found: set[str] = set()
    for some in chunks(pod_uids):
        rows = KubeletStep.objects.filter(cluster_id=cluster_id, pod_uid__in=some)
        found.update(rows.values_list("pod_uid", flat=True))
    return found


def pulls_on(cluster_id: int, node_names: Iterable[str]) -> dict[str, dict[str, float]]:
    """node -> image on its way -> cluster time it is there."""
    found: dict[str, dict[str, float]] = {}
    for some in chunks(node_names):
        rows = KubeletStep.objects.filter(cluster_id=cluster_id, node_name__in=some, step=Step.PULLING.value)
        for row in rows:
            images = found.setdefault(row.node_name, {})
            for image in row.images:
                images[image] = min(row.due_at, images.get(image, row.due_at))
    return found


def next_step_due(cluster_id: int) -> float | None:
    found: float | None = KubeletStep.objects.filter(cluster_id=cluster_id).aggregate(first=Min("due_at"))["first"]
    return found


def _unseen_changes(cluster_id: int, feed_version: int) -> bool:
    # A clock that runs again gives the kubelets work, so changes of the cluster itself count.
    newer = Change.objects.filter(cluster_id=cluster_id, version__gt=feed_version, topic__in=("object", "cluster"))
    return newer.exclude(kind__in=UNFOLLOWED_KINDS).exists()


def controllers_work_left(cluster: Cluster) -> list[str]:
    """The controllers' answer to `clusters.idle`."""
    state = ControllerState.objects.filter(cluster=cluster).first()
    if _unseen_changes(cluster.pk, state.feed_version if state else 0):
        return ["changes to look at"]
    return ["more to write"] if state and state.unfinished else []


def kubelet_work_left(cluster: Cluster) -> list[str]:
    """The kubelets' answer to `clusters.idle`."""
    # A pod without its volumes waits for somebody to give it some, not for its kubelet.
    waiting = KubeletStep.objects.filter(cluster=cluster).exclude(step=Step.MOUNTING.value)
    steps = waiting.values_list("step").annotate(pods=Count("pk")).order_by("step")
    return [f"{pods} {WAITING_FOR[Step(step)]}" for step, pods in steps]


def clusters_to_wake() -> Sequence[int]:
    """Clusters with something to do that nobody may have come for."""
    states = {state.cluster_id: state for state in ControllerState.objects.all()}
    return [cluster.pk for cluster in Cluster.objects.all() if _is_waiting(cluster, states.get(cluster.pk))]


def _is_waiting(cluster: Cluster, state: ControllerState | None) -> bool:
    if state is None or state.unfinished or state.feed_version < cluster.resource_version:
        return True
    if state.next_due is None or cluster.clock_state == Cluster.ClockState.PAUSED:
        return False
    return state.next_due <= clock.now(cluster)
