"""DaemonSet: one pod on every node that suits it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import ClassVar

from scheduler_core.controllers.combined_events import events
from scheduler_core.controllers.daemon_pods import (
    REVISION_HASH,
    Wanted,
    daemon_pod,
    decoded_template,
    node_of,
    wanted_on,
)
from scheduler_core.controllers.deployment.strategy import resolve
from scheduler_core.controllers.interface import AGAIN, BATCH, DONE, ReconcileResult, Refusal, Store
from scheduler_core.controllers.names import template_hash
from scheduler_core.controllers.pod_ownership import claim
from scheduler_core.controllers.replica_set import RETRY_SECONDS
from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.manifest import (
    Manifest,
    ObjectKey,
    available_in,
    created_at,
    generation_of,
    is_deleting,
    is_ready,
    labels_of,
    phase_of,
)
from scheduler_core.objects.node import Node

# A failed pod stays this long before it is replaced, so that a pod that always fails does not fail all the time.
FAILED_SECONDS = 10.0


class DaemonSetController:
    kind: ClassVar[str] = "DaemonSet"
    source: ClassVar[str] = "daemonset-controller"

    def __init__(self, generator: Random) -> None:
        self._generator = generator

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        daemon_set = store.get(*key)
        if daemon_set is None or is_deleting(daemon_set):
            return DONE
        return _Look(store, daemon_set, now, self.source, self._generator).result()


class _Look:
    """One look at one DaemonSet."""

    def __init__(self, store: Store, daemon_set: Manifest, now: float, source: str, generator: Random) -> None:
        self._store = store
        self._daemon_set = daemon_set
        self._now = now
        self._source = source
        self._generator = generator
        self._revision = template_hash(daemon_set["spec"]["template"])
        template = decoded_template(daemon_set)
        self._wanted: dict[str, Wanted] = {
            node["metadata"]["name"]: wanted_on(template, decode_as(Node, node)) for node in store.list("Node")
        }
        self._pods: defaultdict[str, list[Manifest]] = defaultdict(list)
        for pod in claim(store, daemon_set, "Pod"):
            self._pods[node_of(pod)].append(pod)
        self._retry_after: float | None = None

    def result(self) -> ReconcileResult:
        missing, doomed = self._difference()
        doomed += self._outdated(doomed)
        self._delete(doomed[:BATCH])
        self._create(missing[:BATCH])
        self._report()
        if max(len(missing), len(doomed)) > BATCH and self._retry_after is None:
            return AGAIN
        return ReconcileResult(requeue_after=self._retry_after)

    def _difference(self) -> tuple[list[str], list[Manifest]]:
        """Nodes without a pod they should have, pods that should not be there."""
        missing: list[str] = []
        doomed: list[Manifest] = []
        for name, wanted in self._wanted.items():
            there = [pod for pod in self._pods.get(name, ()) if not is_deleting(pod)]
            if not wanted.to_keep:
                doomed += there
                continue
            ended = [pod for pod in there if phase_of(pod) in ("Failed", "Succeeded")]
            doomed += [pod for pod in ended if self._may_be_replaced(pod)]
            alive = sorted((pod for pod in there if pod not in ended), key=created_at)
            doomed += alive[1:]
            if wanted.to_run and not self._pods.get(name):
                missing.append(name)
        for name, pods in self._pods.items():
            if name not in self._wanted:
                doomed += [pod for pod in pods if not pod["spec"].get("nodeName") and not is_deleting(pod)]
        return missing, doomed

    def _may_be_replaced(self, pod: Manifest) -> bool:
        left = created_at(pod) + FAILED_SECONDS - self._now
        if left > 0:
            self._retry_after = min(left, self._retry_after or left)
            return False
        where = f"{pod['metadata']['namespace']}/{pod['metadata']['name']} on node {node_of(pod)}"
        text = f"Found failed daemon pod {where}, will try to kill it"
        self._tell("FailedDaemonPod", [text], warning=True)
        return True

    def _outdated(self, doomed: Sequence[Manifest]) -> list[Manifest]:
        """Pods of an older template that may go now, as far as enough daemons stay available."""
        strategy = self._daemon_set["spec"].get("updateStrategy") or {}
        if strategy.get("type", "RollingUpdate") != "RollingUpdate":
            return []
        desired = sum(wanted.to_run for wanted in self._wanted.values())
        limit = resolve((strategy.get("rollingUpdate") or {}).get("maxUnavailable", 1), desired, round_up=True)
        there = [pods[0] for name, pods in self._pods.items() if name in self._wanted and pods]
        available = sum(self._is_available(pod) and not is_deleting(pod) and pod not in doomed for pod in there)
        old = [
            pod
            for pod in there
            if labels_of(pod).get(REVISION_HASH) != self._revision and not is_deleting(pod) and pod not in doomed
        ]
        # Those that are of no use anyway go first and cost nothing.
        useless = [pod for pod in old if not self._is_available(pod)]
        useful = [pod for pod in old if self._is_available(pod)]
        return useless + useful[: max(limit - (desired - available), 0)]

    def _is_available(self, pod: Manifest) -> bool:
        min_ready = float(self._daemon_set["spec"].get("minReadySeconds") or 0)
        return available_in(pod, min_ready, self._now) == 0

    def _create(self, node_names: Sequence[str]) -> None:
        if not node_names:
            return
        wanted = [daemon_pod(self._daemon_set, name, self._revision, self._generator) for name in node_names]
        answers = self._store.create_many(wanted)
        made = [answer for answer in answers if not isinstance(answer, Refusal)]
        refused = [answer for answer in answers if isinstance(answer, Refusal)]
        for pod in made:
            self._pods[node_of(pod)].append(pod)
        self._tell("SuccessfulCreate", [f"Created pod: {pod['metadata']['name']}" for pod in made])
        if refused:
            self._tell("FailedCreate", [f"Error creating: {refused[0].message}"], warning=True)
            self._retry_after = RETRY_SECONDS

    def _delete(self, pods: Sequence[Manifest]) -> None:
        if not pods:
            return
        self._store.delete_many(pods)
        self._tell("SuccessfulDelete", [f"Deleted pod: {pod['metadata']['name']}" for pod in pods])
        for pod in pods:
            self._pods[node_of(pod)].remove(pod)

    def _report(self) -> None:
        desired = [name for name, wanted in self._wanted.items() if wanted.to_run]
        newest = [self._pods[name][0] for name in desired if self._pods.get(name)]
        available = sum(map(self._is_available, newest))
        status = {
            **(self._daemon_set.get("status") or {}),
            "desiredNumberScheduled": len(desired),
            "currentNumberScheduled": len(newest),
            "numberMisscheduled": sum(
                bool(self._pods.get(name)) for name, wanted in self._wanted.items() if not wanted.to_run
            ),
            "numberReady": sum(map(is_ready, newest)),
            "numberAvailable": available,
            "numberUnavailable": len(desired) - available,
            "updatedNumberScheduled": sum(labels_of(pod).get(REVISION_HASH) == self._revision for pod in newest),
            "observedGeneration": generation_of(self._daemon_set),
        }
        if status != self._daemon_set.get("status"):
            self._store.update_status(self._daemon_set, status)

    def _tell(self, reason: str, messages: Sequence[str], *, warning: bool = False) -> None:
        if messages:
            told = events(self._daemon_set, reason, messages, source=self._source, warning=warning)
            self._store.record_events(told)
