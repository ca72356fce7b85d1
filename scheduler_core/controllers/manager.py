"""Who is to look at what: from changes to reconciles.

Every change of an object wakes the controller of its kind, of its owner, and of
workloads that could adopt it. Keys wait in a queue without doubles: a thousand
pod changes are one look at their ReplicaSet. Looks that a controller asked for
later wait with the cluster time they are due.

The manager does no writing of its own; it can be dropped at any time and built
anew with `resync`, which looks at everything once.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from scheduler_core.controllers.garbage_collection import GarbageCollector, finalizers_of
from scheduler_core.controllers.interface import BATCH, DONE, Controller, ReconcileResult, Store, Watcher
from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.controllers.postponed import Postponed
from scheduler_core.controllers.selectors import selector_of
from scheduler_core.objects.manifest import (
    Manifest,
    ObjectKey,
    controller_of,
    is_deleting,
    is_finished,
    key_of,
    labels_of,
    node_name_of,
    owner_references,
    uid_of,
)
from scheduler_core.objects.taints import NO_EXECUTE

# Kinds whose ownerless objects a workload with the right selector takes in.
ADOPTERS: Mapping[str, Sequence[str]] = {
    "Pod": ("ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet", "Job"),
    "ReplicaSet": ("Deployment",),
}


# What a controller itself writes about its object: no reason to look at it again.
_REPORTED = frozenset({"status"})
# Kinds whose status others write for the controller to act on.
_ACTS_ON_STATUS = frozenset({"Node"})
# Kinds of which few concern a controller: it says itself which (`Watcher`).
_SELECTED = frozenset({"Pod"})
_BOOKKEEPING = frozenset({"resourceVersion", "managedFields"})


def _only_status_differs(old: Manifest | None, new: Manifest | None) -> bool:
    if old is None or new is None:
        return False
    return _without(old, _REPORTED) == _without(new, _REPORTED)


def _without(manifest: Manifest, fields: frozenset[str]) -> Manifest:
    kept = {field: value for field, value in manifest.items() if field not in fields}
    kept["metadata"] = {field: value for field, value in manifest["metadata"].items() if field not in _BOOKKEEPING}
    return kept


# What a malformed object may cause in a controller. Anything else is not the object's fault.
_MALFORMED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
FailureReport = Callable[[ObjectKey, Exception], None]
# An object whose look failed has another one after this many seconds, or when it changes.
RETRY_SECONDS = 10.0


class ControllerManager:
    def __init__(
        self, index: ObjectIndex, controllers: Iterable[Controller], on_failure: FailureReport | None = None
    ) -> None:
        self._index = index
        # None: a failure is raised.
        self._on_failure = on_failure
        # Several controllers may look at a kind, in this order.
        self._controllers: defaultdict[str, list[Controller]] = defaultdict(list)
        self._watchers: defaultdict[str, list[Watcher]] = defaultdict(list)
        for controller in controllers:
            self._controllers[controller.kind].append(controller)
            if isinstance(controller, Watcher):
                self._watch(controller)
        self._garbage = GarbageCollector(index)
        # Used as ordered sets: first come, first looked at.
        self._queue: dict[ObjectKey, None] = {}
        self._suspects: dict[ObjectKey, None] = {}
        self._finalizing: dict[ObjectKey, None] = {}
        self._due: dict[ObjectKey, float] = {}
        # Looks that were broken off: somebody outside has to be asked first.
        self._postponed: dict[ObjectKey, None] = {}

    def _watch(self, watcher: Watcher) -> None:
        for kind in watcher.watches:
            self._watchers[kind].append(watcher)

    # What happened.

    def observe(self, old: Manifest | None, new: Manifest | None) -> None:
        """An object changed; the index knows already. `old` is None for a new one, `new` for one that is gone."""
        manifest = new if new is not None else old
        if manifest is None:
            return
        kind = manifest["kind"]
        if self._looks_at(kind) and (kind in _ACTS_ON_STATUS or not _only_status_differs(old, new)):
            self._wake(key_of(manifest))
        self._wake_concerned(kind, old, new)
        for each in (old, new):
            self._wake_owner(each)
        if kind == "Pod" and (new is None or is_finished(new)):
            self._wake_owner_of_owner(manifest)
        self._wake_adopters(manifest)
        self._wake_troubled_node(new)
        if kind == "Node" and not _only_status_differs(old, new):
            self._wake_all("DaemonSet")
        self._watch_garbage(manifest, gone=new is None)

    def resync(self) -> None:
        """Look at everything once."""
        for manifest in self._index:
            if self._looks_at(manifest["kind"]):
                self._wake(key_of(manifest))
            self._wake_concerned(manifest["kind"], None, manifest)
            self._wake_troubled_node(manifest)
            self._watch_garbage(manifest, gone=False)

    def _looks_at(self, kind: str) -> bool:
        """Whether every object of the kind is looked at when it changes."""
        return kind in self._controllers and kind not in _SELECTED

    def _wake_concerned(self, kind: str, old: Manifest | None, new: Manifest | None) -> None:
        for watcher in self._watchers.get(kind, ()):
            for key in watcher.concerned(self._index, old, new):
                self._wake(key)

    def _wake(self, key: ObjectKey) -> None:
        if key.kind in self._controllers:
            self._queue[key] = None

    def _wake_owner(self, manifest: Manifest | None) -> None:
        owner = None if manifest is None else controller_of(manifest)
        if owner is not None and manifest is not None:
            self._wake(ObjectKey(owner["kind"], key_of(manifest).namespace, owner["name"]))

    def _wake_owner_of_owner(self, pod: Manifest) -> None:
        """A Deployment that recreates waits for the last of its old pods."""
        owner = controller_of(pod)
        self._wake_owner(None if owner is None else self._index.by_uid(owner["uid"]))

    def _wake_adopters(self, manifest: Manifest) -> None:
        if controller_of(manifest) is not None:
            return
        for kind in ADOPTERS.get(manifest["kind"], ()):
            if kind not in self._controllers:
                continue
            for workload in self._index.of_kind(kind, key_of(manifest).namespace):
                if selector_of(workload).matches(labels_of(manifest)):
                    self._wake(key_of(workload))

    def _wake_troubled_node(self, pod: Manifest | None) -> None:
        """A pod on a node that is not there, or that may throw it out, is that node's affair."""
        if pod is None or pod["kind"] != "Pod" or not node_name_of(pod):
            return
        key = ObjectKey("Node", "", node_name_of(pod))
        node = self._index.get(key)
        taints = () if node is None else (node.get("spec") or {}).get("taints") or ()
        if node is None or any(taint.get("effect") == NO_EXECUTE for taint in taints):
            self._wake(key)

    def _wake_all(self, kind: str) -> None:
        for workload in self._index.of_kind(kind):
            self._wake(key_of(workload))

    def _watch_garbage(self, manifest: Manifest, *, gone: bool) -> None:
        if gone:
            self._suspects |= dict.fromkeys(map(key_of, self._index.dependents(uid_of(manifest))))
        elif self._garbage.has_missing_owner(manifest):
            self._suspects[key_of(manifest)] = None
        if is_deleting(manifest) and finalizers_of(manifest):
            self._finalizing[key_of(manifest)] = None
        for owner in owner_references(manifest):
            waiting = self._index.by_uid(owner["uid"])
            if waiting is not None and is_deleting(waiting) and finalizers_of(waiting):
                self._finalizing[key_of(waiting)] = None

    # What is to be done.

    @property
    def has_work(self) -> bool:
        return bool(self._queue or self._suspects or self._finalizing)

    def resume_postponed(self) -> None:
        """Who had to be asked has answered: look again."""
        self._queue |= self._postponed
        self._postponed = {}

    @property
    def next_due(self) -> float | None:
        """Cluster time of the next look somebody asked for."""
        return min(self._due.values(), default=None)

    def run(self, store: Store, now: float, may_go_on: Callable[[], bool]) -> None:
        """Look at what is waiting, until nothing is or the caller has had enough."""
        self._wake_due(now)
        while self.has_work and may_go_on():
            if self._suspects or self._finalizing:
                self._collect(store)
            else:
                self._reconcile_next(store, now)

    def _wake_due(self, now: float) -> None:
        for key in [key for key, at in self._due.items() if at <= now]:
            del self._due[key]
            self._wake(key)

    def _collect(self, store: Store) -> None:
        suspects = list(self._suspects)[:BATCH]
        for key in suspects:
            del self._suspects[key]
        self._garbage.collect(store, suspects)
        for key in list(self._finalizing):
            del self._finalizing[key]
            if not self._garbage.finalize(store, key, BATCH):
                self._finalizing[key] = None

    def _reconcile_next(self, store: Store, now: float) -> None:
        key = next(iter(self._queue))
        del self._queue[key]
        self._due.pop(key, None)
        for controller in self._controllers[key.kind]:
            result = self._reconcile(controller, store, key, now)
            if result.requeue_after is not None:
                self._look_again(key, now, result.requeue_after)

    def _look_again(self, key: ObjectKey, now: float, seconds: float) -> None:
        if seconds <= 0:
            self._queue[key] = None
        else:
            self._due[key] = min(now + seconds, self._due.get(key, math.inf))

    def _reconcile(self, controller: Controller, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        """One look. An object nobody can make sense of must not stop the others."""
        try:
            return controller.reconcile(store, key, now)
        except Postponed:
            self._postponed[key] = None
            return DONE
        except _MALFORMED as error:
            if self._on_failure is None:
                raise
            self._on_failure(key, error)
            return ReconcileResult(requeue_after=RETRY_SECONDS)
