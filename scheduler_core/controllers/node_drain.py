"""Draining a node: its pods are evicted one by one, those that a budget protects are asked for again.

kubectl drains from a terminal; here a controller does, so that a drain outlives
whoever began it. What is to be done and how far it got is one annotation of the
Node: everybody who follows the feed sees the progress, a fork takes it along,
and a worker that takes over reads where to go on. As with kubectl, the pods are
those that were on the node when the drain began.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

import msgspec

from scheduler_core.controllers.disruption_budgets import BROKEN
from scheduler_core.controllers.drain_plan import DrainOptions
from scheduler_core.controllers.interface import DONE, EvictionRefusal, ReconcileResult, Store
from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.objects.manifest import Manifest, ObjectKey, annotations_of, node_name_of, uid_of, with_metadata

DRAIN = "scheduling-playground/drain"
# Between two attempts to evict a pod that a budget protects.
RETRY_SECONDS = 5.0
# Lines of the log that are kept, the newest ones.
MOST_LINES = 100

PodState = Literal["waiting", "blocked", "evicted", "gone", "failed"]
DrainState = Literal["draining", "drained", "failed", "cancelled"]


class DrainedPod(msgspec.Struct, frozen=True, kw_only=True):
    namespace: str
    name: str
    uid: str
    # waiting -> (blocked ->) evicted -> gone; failed: it cannot be evicted
    state: PodState = "waiting"
    # The budget that protects it, while blocked.
    budget: str = ""
    message: str = ""


class Drain(msgspec.Struct, frozen=True, kw_only=True):
    """The value of the annotation."""

    options: DrainOptions
    state: DrainState = "draining"
    # Cluster time.
    started_at: float
    ended_at: float | None = None
    # When the blocked pods are asked for again.
    retry_at: float | None = None
    pods: list[DrainedPod] = []
    # What kubectl would print.
    log: list[str] = []

    @property
    def left(self) -> list[DrainedPod]:
        return [pod for pod in self.pods if pod.state != "gone"]


_decoder = msgspec.json.Decoder(Drain)


def drain_of(node: Manifest) -> Drain | None:
    """None where there is none, or none that can be read."""
    text = annotations_of(node).get(DRAIN)
    if text is None:
        return None
    try:
        return _decoder.decode(text)
    except msgspec.DecodeError:
        return None


def with_drain(node: Manifest, drain: Drain | None) -> Manifest:
    if drain is None and DRAIN not in annotations_of(node):
        return node
    annotations = {key: value for key, value in annotations_of(node).items() if key != DRAIN}
    if drain is not None:
        annotations[DRAIN] = msgspec.json.encode(drain).decode()
    return with_metadata(node, annotations=annotations)


def drain_begun(pods: Sequence[Manifest], options: DrainOptions, warnings: Sequence[str], now: float) -> Drain:
    waiting = [
        DrainedPod(namespace=pod["metadata"]["namespace"], name=pod["metadata"]["name"], uid=uid_of(pod))
        for pod in pods
    ]
    log = [f"Warning: {'; '.join(warnings)}"] if warnings else []
    return Drain(options=options, started_at=now, pods=waiting, log=log)


def ended(drain: Drain, state: DrainState, now: float, *lines: str) -> Drain:
    return msgspec.structs.replace(
        drain, state=state, ended_at=now, retry_at=None, log=[*drain.log, *lines][-MOST_LINES:]
    )


class NodeDrainController:
    kind: ClassVar[str] = "Node"
    watches: ClassVar[frozenset[str]] = frozenset({"Pod"})

    def concerned(self, index: ObjectIndex, old: Manifest | None, new: Manifest | None) -> Iterator[ObjectKey]:
        """The node of a pod that goes, where it is being drained."""
        pod = new if new is not None else old
        if pod is None or (new is not None and old is not None):
            return
        node = index.get(ObjectKey("Node", "", node_name_of(pod)))
        if node is not None and DRAIN in annotations_of(node):
            yield ObjectKey("Node", "", node_name_of(pod))

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        node = store.get(*key)
        drain = None if node is None else drain_of(node)
        if node is None or drain is None or drain.state != "draining":
            return DONE
        after = _Turn(store, node, drain, now).result()
        if after != drain:
            store.update(with_drain(store.get(*key) or node, after))
        return ReconcileResult(requeue_after=_next_look(after, now))


def _next_look(drain: Drain, now: float) -> float | None:
    if drain.state != "draining":
        return None
    times = [drain.retry_at] if drain.retry_at is not None else []
    if drain.options.timeout:
        times.append(drain.started_at + drain.options.timeout)
    return max(0.0, min(times) - now) if times else None


class _Turn:
    """One look at one drain."""

    def __init__(self, store: Store, node: Manifest, drain: Drain, now: float) -> None:
        self._store = store
        self._name: str = node["metadata"]["name"]
        self._drain = drain
        self._now = now
        self._lines: list[str] = []
        self._there = {uid_of(pod) for pod in store.pods_on(self._name)}

    def result(self) -> Drain:
        drain, now = self._drain, self._now
        pods = [self._looked_at(pod) for pod in drain.pods]
        is_retry = drain.retry_at is None or drain.retry_at <= now
        blocked = any(pod.state == "blocked" for pod in pods)
        retry_at = (now + RETRY_SECONDS if is_retry else drain.retry_at) if blocked else None
        log = [*drain.log, *self._lines][-MOST_LINES:]
        after = msgspec.structs.replace(drain, pods=pods, retry_at=retry_at, log=log)
        return self._ended(after)

    def _looked_at(self, pod: DrainedPod) -> DrainedPod:
        if pod.state in ("gone", "failed"):
            return pod
        if pod.uid not in self._there:
            self._lines.append(f"pod/{pod.name} evicted")
            return msgspec.structs.replace(pod, state="gone", budget="", message="")
        if pod.state == "evicted" or (pod.state == "blocked" and self._now < (self._drain.retry_at or 0.0)):
            return pod
        return self._evicted(pod)

    def _evicted(self, pod: DrainedPod) -> DrainedPod:
        self._lines.append(f"evicting pod {pod.namespace}/{pod.name}")
        refusal = self._store.evict(pod.namespace, pod.name, self._drain.options.grace_period)
        if refusal is None:
            # One without a grace period is gone at once.
            self._there = {uid_of(each) for each in self._store.pods_on(self._name)}
            state: PodState = "evicted" if pod.uid in self._there else "gone"
            if state == "gone":
                self._lines.append(f"pod/{pod.name} evicted")
            return msgspec.structs.replace(pod, state=state, budget="", message="")
        return self._refused(pod, refusal)

    def _refused(self, pod: DrainedPod, refusal: EvictionRefusal) -> DrainedPod:
        when = "" if refusal.reason == BROKEN else f" (will retry after {RETRY_SECONDS:g}s)"
        self._lines.append(f'error when evicting pods/"{pod.name}" -n "{pod.namespace}"{when}: {refusal.message}')
        state: PodState = "failed" if refusal.reason == BROKEN else "blocked"
        return msgspec.structs.replace(
            pod, state=state, budget=refusal.budget, message=refusal.detail or refusal.message
        )

    def _ended(self, drain: Drain) -> Drain:
        if not drain.left:
            return ended(drain, "drained", self._now, f"node/{self._name} drained")
        if all(pod.state == "failed" for pod in drain.left):
            return ended(drain, "failed", self._now, f'error: unable to drain node "{self._name}"')
        timeout = drain.options.timeout
        if timeout and self._now >= drain.started_at + timeout:
            return ended(drain, "failed", self._now, f"error: global timeout reached: {timeout:g}s")
        return drain
