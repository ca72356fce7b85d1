"""Job: pods that end, until enough of them have succeeded.

At most `parallelism` pods run at a time; a failed one is replaced after a
growing wait, `backoffLimit` times in all. An indexed Job wants one success for
each index. A finished Job keeps its pods and is removed after
`ttlSecondsAfterFinished`, if it says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from scheduler_core.controllers.combined_events import events
from scheduler_core.controllers.interface import AGAIN, BATCH, DONE, ReconcileResult, Refusal, Store
from scheduler_core.controllers.job_pods import counted, format_indexes, index_of, is_counted, job_pod, parse_indexes
from scheduler_core.controllers.replica_set import RETRY_SECONDS
from scheduler_core.objects.conditions import condition, set_condition
from scheduler_core.objects.manifest import (
    Manifest,
    ObjectKey,
    condition_of,
    is_active,
    is_controlled_by,
    is_deleting,
    is_finished,
    is_ready,
    phase_of,
    uid_of,
)
from scheduler_core.objects.timestamps import format_timestamp, parse_timestamp

DEFAULT_BACKOFF_LIMIT = 6
FIRST_BACKOFF, LONGEST_BACKOFF = 10.0, 360.0


class JobController:
    kind: ClassVar[str] = "Job"
    source: ClassVar[str] = "job-controller"

    def __init__(self, generator: Random) -> None:
        self._generator = generator

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        job = store.get(*key)
        if job is None or is_deleting(job):
            return DONE
        return _Look(store, job, now, self.source, self._generator).result()


class _Look:
    """One look at one Job."""

    def __init__(self, store: Store, job: Manifest, now: float, source: str, generator: Random) -> None:
        self._store = store
        self._job = job
        self._spec = job["spec"]
        self._now = now
        self._source = source
        self._generator = generator
        self._status: Manifest = dict(job.get("status") or {})
        self._pods = [pod for pod in store.owned_by("Pod", uid_of(job)) if is_controlled_by(pod, job)]
        self._active = [pod for pod in self._pods if is_active(pod)]

    def result(self) -> ReconcileResult:
        if self._is_over():
            return self._clean_up()
        self._count_ended()
        result = self._go_on()
        self._report()
        return result

    # Where it stands.

    @property
    def _completions(self) -> int | None:
        """None: a work queue, done when one of its pods succeeds and the others have ended."""
        given = self._spec.get("completions")
        if given is None and self._spec.get("parallelism") is None:
            return 1
        return None if given is None else int(given)

    @property
    def _parallelism(self) -> int:
        given = self._spec.get("parallelism")
        return 1 if given is None else int(given)

    @property
    def _is_indexed(self) -> bool:
        return bool(self._spec.get("completionMode") == "Indexed")

    def _is_over(self) -> bool:
        ends = (condition_of(self._job, each) for each in ("Complete", "Failed"))
        return any(end is not None and end["status"] == "True" for end in ends)

    def _count_ended(self) -> None:
        indexes = parse_indexes(self._status.get("completedIndexes") or "")
        for pod in self._pods:
            if not is_finished(pod) or is_counted(pod):
                continue
            self._store.update(counted(pod))
            if phase_of(pod) == "Failed":
                self._status["failed"] = self._status.get("failed", 0) + 1
            elif not self._is_indexed:
                self._status["succeeded"] = self._status.get("succeeded", 0) + 1
            elif (index := index_of(pod)) is not None:
                indexes.add(index)
        if self._is_indexed:
            self._status["completedIndexes"] = format_indexes(indexes)
            self._status["succeeded"] = len(indexes)

    # What to do.

    def _go_on(self) -> ReconcileResult:
        if self._spec.get("suspend"):
            return self._suspend()
        if "startTime" not in self._status:
            self._status["startTime"] = format_timestamp(self._now)
        self._resume()
        limit = self._spec.get("backoffLimit", DEFAULT_BACKOFF_LIMIT)
        if self._status.get("failed", 0) > limit:
            return self._fail("BackoffLimitExceeded", "Job has reached the specified backoff limit")
        left = self._deadline_left()
        if left is not None and left <= 0:
            return self._fail("DeadlineExceeded", "Job was active longer than specified deadline")
        if self._is_complete():
            return self._complete()
        return self._fill_up(left)

    def _is_complete(self) -> bool:
        succeeded = self._status.get("succeeded", 0)
        if self._completions is None:
            return bool(succeeded and not self._active)
        return bool(succeeded >= self._completions)

    def _fill_up(self, deadline_left: float | None) -> ReconcileResult:
        missing = self._wanted_active() - len(self._active)
        if missing < 0:
            self._delete(self._active[missing:])
        wait = self._backoff_left()
        if missing > 0 and wait <= 0:
            if self._create(min(missing, BATCH)):
                return ReconcileResult(requeue_after=RETRY_SECONDS)
            if missing > BATCH:
                return AGAIN
        waits = [each for each in (deadline_left, wait if missing > 0 and wait > 0 else None) if each is not None]
        return ReconcileResult(requeue_after=min(waits, default=None))

    def _wanted_active(self) -> int:
        succeeded = self._status.get("succeeded", 0)
        if self._completions is None:
            return len(self._active) if succeeded else self._parallelism
        return min(self._parallelism, self._completions - int(succeeded))

    def _backoff_left(self) -> float:
        """Seconds until a pod may be made again after the last failure."""
        failures = [pod for pod in self._pods if phase_of(pod) == "Failed"]
        if not failures:
            return 0.0
        last = max(self._ended_at(pod) for pod in failures)
        wait: float = min(FIRST_BACKOFF * 2 ** min(len(failures) - 1, 10), LONGEST_BACKOFF)
        return last + wait - self._now

    def _ended_at(self, pod: Manifest) -> float:
        statuses = (pod.get("status") or {}).get("containerStatuses") or ()
        ends = [((each.get("state") or {}).get("terminated") or {}).get("finishedAt") for each in statuses]
        times = [parse_timestamp(each) or 0.0 for each in (*ends, (pod.get("status") or {}).get("startTime"))]
        return max(times)

    def _deadline_left(self) -> float | None:
        seconds = self._spec.get("activeDeadlineSeconds")
        started = parse_timestamp(self._status.get("startTime"))
        return None if seconds is None or started is None else started + float(seconds) - self._now

    def _create(self, count: int) -> Refusal | None:
        indexes: Sequence[int | None] = self._free_indexes(count) if self._is_indexed else [None] * count
        answers = self._store.create_many([job_pod(self._job, index, self._generator) for index in indexes])
        made = [answer for answer in answers if not isinstance(answer, Refusal)]
        self._active += made
        self._tell("SuccessfulCreate", [f"Created pod: {pod['metadata']['name']}" for pod in made])
        refused = next((answer for answer in answers if isinstance(answer, Refusal)), None)
        if refused is not None:
            self._tell("FailedCreate", [f"Error creating: {refused.message}"], warning=True)
        return refused

    def _free_indexes(self, count: int) -> list[int]:
        taken = parse_indexes(self._status.get("completedIndexes") or "")
        taken |= {index for index in map(index_of, self._active) if index is not None}
        return [index for index in range(self._completions or 0) if index not in taken][:count]

    def _delete(self, pods: Sequence[Manifest]) -> None:
        doomed = list(pods)
        if doomed:
            self._store.delete_many(doomed)
            self._tell("SuccessfulDelete", [f"Deleted pod: {pod['metadata']['name']}" for pod in doomed])
            self._active = [pod for pod in self._active if pod not in doomed]

    # How it ends.

    def _complete(self) -> ReconcileResult:
        self._delete(self._active)
        self._status["completionTime"] = format_timestamp(self._now)
        reason, message = "CompletionsReached", "Reached expected number of succeeded pods"
        self._set("SuccessCriteriaMet", True, reason, message)
        self._set("Complete", True, reason, message)
        self._tell("Completed", ["Job completed"])
        return self._next_clean_up(self._now)

    def _fail(self, reason: str, message: str) -> ReconcileResult:
        self._delete(self._active)
        self._set("FailureTarget", True, reason, message)
        self._set("Failed", True, reason, message)
        self._tell(reason, [message], warning=True)
        return self._next_clean_up(self._now)

    def _suspend(self) -> ReconcileResult:
        self._delete(self._active)
        self._status.pop("startTime", None)
        if condition_of({"status": self._status}, "Suspended") is None:
            self._tell("Suspended", ["Job suspended"])
        self._set("Suspended", True, "JobSuspended", "Job suspended")
        return DONE

    def _resume(self) -> None:
        suspended = condition_of({"status": self._status}, "Suspended")
        if suspended is not None and suspended["status"] == "True":
            self._set("Suspended", False, "JobResumed", "Job resumed")
            self._tell("Resumed", ["Job resumed"])

    def _clean_up(self) -> ReconcileResult:
        ends = (condition_of(self._job, each) for each in ("Complete", "Failed"))
        ended = next(parse_timestamp(end["lastTransitionTime"]) or self._now for end in ends if end is not None)
        result = self._next_clean_up(ended)
        if result.requeue_after is not None and result.requeue_after <= 0:
            self._store.delete_many([self._job])
            return DONE
        return result

    def _next_clean_up(self, ended: float) -> ReconcileResult:
        seconds = self._spec.get("ttlSecondsAfterFinished")
        return DONE if seconds is None else ReconcileResult(requeue_after=ended + float(seconds) - self._now)

    def _set(self, condition_type: str, status: bool, reason: str, message: str) -> None:
        made = condition(condition_type, status, self._now, reason=reason, message=message)
        self._status["conditions"] = set_condition(self._status.get("conditions") or (), made)

    def _report(self) -> None:
        counts = {"active": len(self._active), "ready": sum(map(is_ready, self._active))}
        status = {**self._status, **counts}
        if status != self._job.get("status"):
            self._store.update_status(self._job, status)

    def _tell(self, reason: str, messages: Sequence[str], *, warning: bool = False) -> None:
        if messages:
            self._store.record_events(events(self._job, reason, messages, source=self._source, warning=warning))
