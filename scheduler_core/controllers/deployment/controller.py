"""Deployment: rolls pods from one template to the next through ReplicaSets.

One reconcile makes one step of a rollout, as in Kubernetes: find or make the
newest ReplicaSet, then either grow it or shrink the old ones, then report. The
ReplicaSets' own changes (pods made, pods ready) wake it for the next step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from scheduler_core.controllers.deployment import revisions, scaling
from scheduler_core.controllers.deployment.revisions import REVISION, ReplicaSets
from scheduler_core.controllers.deployment.status import Progress, deadline_left, is_complete, new_status
from scheduler_core.controllers.deployment.strategy import is_recreate, new_replicas
from scheduler_core.controllers.interface import DONE, ReconcileResult, Refusal, Store
from scheduler_core.controllers.pod_ownership import claim
from scheduler_core.controllers.replica_set import desired_replicas
from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import (
    Manifest,
    ObjectKey,
    annotations_of,
    condition_of,
    generation_of,
    is_deleting,
    is_finished,
    uid_of,
    with_metadata,
    with_spec,
)

DEFAULT_HISTORY_LIMIT = 10
# A hash that clashes this often is no accident.
MAX_COLLISIONS = 20


class DeploymentController:
    kind: ClassVar[str] = "Deployment"
    source: ClassVar[str] = "deployment-controller"

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        deployment = store.get(*key)
        if deployment is None or is_deleting(deployment):
            return DONE
        rollout = Rollout(store, deployment, now, self.source)
        rollout.step()
        rollout.report()
        return ReconcileResult(requeue_after=rollout.next_look())


class Rollout:
    """One step of one Deployment. Holds what is known of it while the step is made."""

    def __init__(self, store: Store, deployment: Manifest, now: float, source: str) -> None:
        self._store = store
        self._deployment = deployment
        self._now = now
        self._source = source
        self._sets = revisions.sort_out(deployment, claim(store, deployment, "ReplicaSet"))
        self._news: Progress | None = None
        self._collisions = int((deployment.get("status") or {}).get("collisionCount") or 0)

    def step(self) -> None:
        if self._is_paused():
            self._resize()
            return
        self._adopt_new_replica_set()
        if is_recreate(self._deployment):
            self._recreate()
        elif scaling.is_scaling_event(self._deployment, self._sets.active):
            self._resize()
        else:
            self._roll()

    def report(self) -> None:
        status = new_status(self._deployment, self._sets, self._now, news=self._news, collisions=self._collisions)
        if status != (self._deployment.get("status") or {}):
            self._deployment = self._store.update_status(self._deployment, status)
        if is_complete(self._deployment, status) and not self._is_paused():
            self._forget_old_revisions()

    def next_look(self) -> float | None:
        left = deadline_left(self._deployment, self._now)
        return None if left is None or left <= 0 else left

    # The three ways of moving.

    def _roll(self) -> None:
        new = self._sets.new or self._create_new_replica_set()
        if new is None or self._grow(new):
            return
        old = self._sets.old
        for index, size in scaling.shrink_old(self._deployment, old, new).items():
            self._scale(old[index], size)

    def _recreate(self) -> None:
        shrunk = [self._scale(each, 0) for each in self._sets.active_old]
        if any(shrunk) or self._old_pods_run():
            return
        new = self._sets.new or self._create_new_replica_set()
        if new is not None:
            self._grow(new)

    def _resize(self) -> None:
        """The size of the Deployment changed, or a pause holds the rollout: sizes only."""
        sets = self._sets
        if len(sets.active) <= 1:
            only = sets.active[0] if sets.active else (sets.new or (sets.old[-1] if sets.old else None))
            if only is not None:
                self._scale(only, desired_replicas(self._deployment))
        elif scaling.is_saturated(self._deployment, sets.new):
            for each in sets.active_old:
                self._scale(each, 0)
        else:
            active = sets.active
            for index, size in scaling.proportional(self._deployment, active).items():
                self._scale(active[index], size)

    # Steps.

    def _grow(self, new: Manifest) -> bool:
        everything = sum(map(desired_replicas, self._sets.all))
        return self._scale(new, new_replicas(self._deployment, desired_replicas(new), everything))

    def _scale(self, replica_set: Manifest, size: int) -> bool:
        """Write a new size (and what it was sized for); True where the size changed."""
        before = desired_replicas(replica_set)
        sized_for = {**annotations_of(replica_set), **revisions.replica_annotations(self._deployment)}
        if before == size and sized_for == annotations_of(replica_set):
            return False
        self._write(replica_set, with_spec(with_metadata(replica_set, annotations=sized_for), replicas=size))
        if before != size:
            self._tell_scaling(replica_set["metadata"]["name"], before, size)
        return before != size

    def _write(self, before: Manifest, after: Manifest) -> None:
        stored = self._store.update(after)
        sets = self._sets
        old = [stored if each is before else each for each in sets.old]
        self._sets = ReplicaSets(new=stored if sets.new is before else sets.new, old=old)

    def _adopt_new_replica_set(self) -> None:
        """Keep the newest ReplicaSet's notes in step with the Deployment's, and the revision of both."""
        new = self._sets.new
        if new is None:
            return
        revision = max(revisions.revision_of(new), revisions.next_revision(self._sets.old))
        annotations = {**annotations_of(new), **revisions.copied_annotations(self._deployment), REVISION: str(revision)}
        wanted = with_metadata(new, annotations=annotations)
        min_ready = self._deployment["spec"].get("minReadySeconds") or 0
        if (new["spec"].get("minReadySeconds") or 0) != min_ready:
            wanted = with_spec(wanted, minReadySeconds=min_ready)
        if wanted != new:
            self._write(new, wanted)
        self._set_revision(revision)
        if condition_of(self._deployment, "Progressing") is None:
            self._news = Progress("FoundNewReplicaSet", f'Found new replica set "{new["metadata"]["name"]}"')

    def _create_new_replica_set(self) -> Manifest | None:
        revision = revisions.next_revision(self._sets.old)
        everything = sum(map(desired_replicas, self._sets.old))
        size = new_replicas(self._deployment, 0, everything)
        answer = self._create_without_clash(size, revision)
        if isinstance(answer, Refusal):
            self._fail(answer)
            return None
        name = answer["metadata"]["name"]
        self._sets = ReplicaSets(new=answer, old=self._sets.old)
        self._news = Progress("NewReplicaSetCreated", f'Created new replica set "{name}"')
        self._set_revision(revision)
        if size:
            self._tell_scaling(name, 0, size)
        return answer

    def _create_without_clash(self, size: int, revision: int) -> Manifest | Refusal:
        while True:
            wanted = revisions.new_replica_set(self._deployment, size, revision, self._collisions)
            answer = self._store.create_many([wanted])[0]
            if not isinstance(answer, Refusal) or answer.reason != "AlreadyExists":
                return answer
            if self._collisions >= MAX_COLLISIONS:
                return answer
            self._collisions += 1

    def _fail(self, refusal: Refusal) -> None:
        message = f"Failed to create new replica set: {refusal.message}"
        self._news = Progress("ReplicaSetCreateError", message, status=False)
        self._tell("ReplicaSetCreateError", message, warning=True)

    def _set_revision(self, revision: int) -> None:
        annotations = annotations_of(self._deployment)
        if annotations.get(REVISION) != str(revision):
            updated = with_metadata(self._deployment, annotations={**annotations, REVISION: str(revision)})
            self._deployment = self._store.update(updated)

    def _old_pods_run(self) -> bool:
        pods = (pod for each in self._sets.old for pod in self._store.owned_by("Pod", uid_of(each)))
        return any(not is_finished(pod) for pod in pods)

    def _forget_old_revisions(self) -> None:
        limit = self._deployment["spec"].get("revisionHistoryLimit")
        keep = DEFAULT_HISTORY_LIMIT if limit is None else int(limit)
        spare = sorted(filter(_is_empty, self._sets.old), key=revisions.revision_of)
        doomed: Sequence[Manifest] = spare[: max(len(self._sets.old) - keep, 0)]
        if doomed:
            self._store.delete_many(doomed)

    def _is_paused(self) -> bool:
        return bool(self._deployment["spec"].get("paused"))

    def _tell_scaling(self, name: str, before: int, after: int) -> None:
        direction = "up" if after > before else "down"
        self._tell("ScalingReplicaSet", f"Scaled {direction} replica set {name} from {before} to {after}")

    def _tell(self, reason: str, message: str, *, warning: bool = False) -> None:
        event = EventRecord(
            regarding=self._deployment,
            event_type="Warning" if warning else "Normal",
            reason=reason,
            message=message,
            source=self._source,
        )
        self._store.record_events([event])


def _is_empty(replica_set: Manifest) -> bool:
    """Nothing is asked of it, nothing is left of it, and it has seen that."""
    status = replica_set.get("status") or {}
    seen = generation_of(replica_set) <= int(status.get("observedGeneration") or 0)
    return seen and not is_deleting(replica_set) and not desired_replicas(replica_set) and not status.get("replicas")
