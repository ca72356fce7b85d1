"""A Deployment's status: counts over its ReplicaSets, and the conditions Available and Progressing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scheduler_core.controllers.deployment.revisions import ReplicaSets
from scheduler_core.controllers.deployment.scaling import available_of
from scheduler_core.controllers.deployment.strategy import fences
from scheduler_core.controllers.replica_set import desired_replicas
from scheduler_core.objects.conditions import condition, set_condition, without_condition
from scheduler_core.objects.manifest import Manifest, condition_of, generation_of
from scheduler_core.objects.timestamps import parse_timestamp

DEFAULT_PROGRESS_DEADLINE = 600
# Kubernetes writes "never" as the largest 32-bit number.
NO_DEADLINE = 2**31 - 1


class Progress(NamedTuple):
    reason: str
    message: str
    status: bool | str = True


def _count(replica_sets: Iterable[Manifest], field: str) -> int:
    return sum(int((each.get("status") or {}).get(field) or 0) for each in replica_sets)


def counts(deployment: Manifest, replica_sets: ReplicaSets) -> Manifest:
    listed = replica_sets.all
    available = sum(map(available_of, listed))
    numbers = {
        "replicas": _count(listed, "replicas"),
        "updatedReplicas": _count([replica_sets.new] if replica_sets.new else [], "replicas"),
        "readyReplicas": _count(listed, "readyReplicas"),
        "availableReplicas": available,
        "unavailableReplicas": max(sum(map(desired_replicas, listed)) - available, 0),
    }
    return {"observedGeneration": generation_of(deployment), **{field: n for field, n in numbers.items() if n}}


def is_complete(deployment: Manifest, status: Manifest) -> bool:
    wanted = desired_replicas(deployment)
    fields = ("updatedReplicas", "replicas", "availableReplicas")
    return all(status.get(field, 0) == wanted for field in fields)


def progress_deadline(deployment: Manifest) -> int | None:
    seconds = deployment["spec"].get("progressDeadlineSeconds", DEFAULT_PROGRESS_DEADLINE)
    return None if seconds is None or seconds >= NO_DEADLINE else int(seconds)


def _has_moved(old: Manifest, new: Manifest) -> bool:
    def outdated(status: Manifest) -> int:
        return int(status.get("replicas", 0) - status.get("updatedReplicas", 0))

    grown = ("updatedReplicas", "readyReplicas", "availableReplicas")
    return any(new.get(field, 0) > old.get(field, 0) for field in grown) or outdated(new) < outdated(old)


def deadline_left(deployment: Manifest, now: float) -> float | None:
    """Seconds until a rollout that does not move is called stuck; None: nothing to wait for."""
    seconds = progress_deadline(deployment)
    current = condition_of(deployment, "Progressing")
    if seconds is None or current is None or current.get("status") != "True":
        return None
    if current.get("reason") == "NewReplicaSetAvailable":
        return None
    since = current.get("lastUpdateTime") or current["lastTransitionTime"]
    return (parse_timestamp(since) or now) + seconds - now


def _was_complete(deployment: Manifest, status: Manifest) -> bool:
    """A finished rollout stays finished: a restarted pod or a new size is no rollout."""
    current = condition_of(deployment, "Progressing")
    settled = status.get("replicas", 0) == status.get("updatedReplicas", 0)
    return settled and current is not None and current.get("reason") == "NewReplicaSetAvailable"


def _subject(deployment: Manifest, replica_sets: ReplicaSets) -> str:
    new = replica_sets.new
    return f'ReplicaSet "{new["metadata"]["name"]}"' if new else f'Deployment "{deployment["metadata"]["name"]}"'


def _progress(
    deployment: Manifest, replica_sets: ReplicaSets, status: Manifest, now: float, news: Progress | None
) -> Progress | None:
    """What to say about the rollout now; None: what was said before still holds."""
    subject = _subject(deployment, replica_sets)
    if news is None and _was_complete(deployment, status):
        return None
    if is_complete(deployment, status):
        return Progress("NewReplicaSetAvailable", f"{subject} has successfully progressed.")
    if news is not None:
        return news
    if _has_moved(deployment.get("status") or {}, status):
        return Progress("ReplicaSetUpdated", f"{subject} is progressing.")
    left = deadline_left(deployment, now)
    if left is not None and left <= 0:
        return Progress("ProgressDeadlineExceeded", f"{subject} has timed out progressing.", status=False)
    return None


def _availability(deployment: Manifest, status: Manifest, now: float) -> Manifest:
    needed = desired_replicas(deployment) - fences(deployment).max_unavailable
    if status.get("availableReplicas", 0) >= needed:
        reason, message = "MinimumReplicasAvailable", "Deployment has minimum availability."
        return condition("Available", True, now, reason=reason, message=message, updates=True)
    reason, message = "MinimumReplicasUnavailable", "Deployment does not have minimum availability."
    return condition("Available", False, now, reason=reason, message=message, updates=True)


def _replica_failure(replica_sets: ReplicaSets) -> Manifest | None:
    found = (condition_of(each, "ReplicaFailure") for each in reversed(replica_sets.all))
    return next((each for each in found if each is not None), None)


def new_status(
    deployment: Manifest,
    replica_sets: ReplicaSets,
    now: float,
    *,
    news: Progress | None = None,
    collisions: int = 0,
) -> Manifest:
    """The whole status. `news`: what happened in this reconcile, for the condition Progressing."""
    status = counts(deployment, replica_sets)
    conditions = list((deployment.get("status") or {}).get("conditions") or ())
    conditions = set_condition(conditions, _availability(deployment, status, now))
    if progress_deadline(deployment) is None:
        conditions = without_condition(conditions, "Progressing")
    elif progress := _progress(deployment, replica_sets, status, now, news):
        conditions = _set_progress(conditions, progress, now)
    failure = _replica_failure(replica_sets)
    conditions = without_condition(conditions, "ReplicaFailure")
    status["conditions"] = [*conditions, failure] if failure else conditions
    if collisions:
        status["collisionCount"] = collisions
    return status


def _set_progress(conditions: list[Manifest], progress: Progress, now: float) -> list[Manifest]:
    reason, message, state = progress
    made = condition("Progressing", state, now, reason=reason, message=message, updates=True)
    if reason == "ReplicaSetUpdated":
        # Every step forward renews lastUpdateTime, from which the deadline counts.
        old = next((each for each in conditions if each["type"] == "Progressing"), None)
        if old is not None and old["status"] == made["status"]:
            made["lastTransitionTime"] = old["lastTransitionTime"]
        return [*without_condition(conditions, "Progressing"), made]
    return set_condition(conditions, made)
