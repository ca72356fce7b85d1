"""What an object change means to the cache and to the pods that wait.

Pods on nodes and nodes go to the cache, pods of a known profile that want a node
to the queue, everything else to the object store; each change is then told to
the queue as cluster events. Finished pods count as gone.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from scheduler_core.cache.cache import Cache
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.model import KubernetesObject
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.queue.events import (
    ASSIGNED_POD_ADD,
    ASSIGNED_POD_DELETE,
    NODE_ADD,
    NODE_DELETE,
    node_update_events,
    object_event,
    pod_update_events,
)
from scheduler_core.queue.scheduling_queue import SchedulingQueue


def assigned(pod: Pod, node_name: str) -> Pod:
    """The pod as it would be stored on the node."""
    return msgspec.structs.replace(pod, spec=msgspec.structs.replace(pod.spec, node_name=node_name))


class EventHandlers:
    """Feeds one scheduler."""

    def __init__(
        self,
        cache: Cache,
        queue: SchedulingQueue,
        is_responsible: Callable[[str], bool],
        stop_waiting: Callable[[str], str],
    ) -> None:
        self._cache = cache
        self._queue = queue
        # Whether there is a profile of that name.
        self._is_responsible = is_responsible
        # Ends the Permit wait of a pod that is gone, and tells the node it held; "": it did not wait.
        self._stop_waiting = stop_waiting

    def handle(self, change: ObjectChange) -> None:
        gone = change.event == "DELETED"
        match change.object:
            case Pod() as pod if gone or pod.is_finished:
                self._cache.group_members.remove(PodInfo(pod).uid)
                self._pod_gone(pod)
            case Pod() as pod:
                self._pod_set(pod)
            case Node() as node:
                self._node_gone(node) if gone else self._node_set(node)
            case other:
                self._object_gone(other) if gone else self._object_set(other)

    def load(self, stored: KubernetesObject) -> None:
        """The object was there before the scheduler came: nothing is told to the queue."""
        match stored:
            case Pod() as pod:
                if not pod.is_finished:
                    self._load_pod(PodInfo(pod))
            case Node() as node:
                self._cache.add_node(node)
            case other:
                self._cache.objects.put(other)

    # --- pods ---

    def _load_pod(self, pod: PodInfo) -> None:
        self._cache.group_members.put(pod)
        if pod.node_name:
            self._cache.set_pod(pod)

    def _pod_set(self, pod: Pod) -> None:
        info = PodInfo(pod)
        self._cache.group_members.put(info)
        if pod.spec.node_name:
            self._pod_on_node(info)
            return
        known = self._cache.placement(info.uid)
        if known is not None and not known.assumed:
            # No API server takes a pod off its node; whoever does has made room there.
            self._pod_gone(known.pod.pod)
        if self._is_responsible(info.scheduler_name) and not self._cache.is_assumed(info.uid):
            self._pod_pending(info)

    def _pod_on_node(self, pod: PodInfo) -> None:
        known = self._cache.placement(pod.uid)
        if known is not None and not known.assumed:
            old = known.pod.pod
            self._cache.set_pod(pod)
            for event in pod_update_events(old, pod.pod):
                self._queue.move_all_to_active_or_backoff(event, old, pod.pod)
            return
        self._cache.set_pod(pod)
        self._queue.bound(pod.uid, pod.node_name)
        self._queue.move_all_to_active_or_backoff(ASSIGNED_POD_ADD, None, pod.pod)

    def _pod_pending(self, pod: PodInfo) -> None:
        if self._queue.get(pod.uid) is None:
            self._queue.add(pod)
        else:
            self._queue.update(None, pod)

    def _pod_gone(self, pod: Pod) -> None:
        info = PodInfo(pod)
        known = self._cache.placement(info.uid)
        if known is not None and not known.assumed:
            self._cache.remove_pod(info.uid)
            self._queue.drop(info.uid)
            self._queue.move_all_to_active_or_backoff(ASSIGNED_POD_DELETE, pod, None)
            return
        nominated = bool(self._queue.nominator.node_of(info.uid))
        self._queue.delete(info.uid)
        held = self._stop_waiting(info.uid)
        if held or nominated:
            gone = assigned(pod, held) if held else pod
            # Pods of higher priority never counted it.
            self._queue.move_all_to_active_or_backoff(
                ASSIGNED_POD_DELETE, gone, None, lambda waiting: waiting.priority <= info.priority
            )

    # --- nodes ---

    def _node_set(self, node: Node) -> None:
        old = self._cache.node(node.name)
        self._cache.add_node(node)
        if old is None:
            self._queue.move_all_to_active_or_backoff(NODE_ADD, None, node)
            return
        for event in node_update_events(old, node):
            self._queue.move_all_to_active_or_backoff(event, old, node)

    def _node_gone(self, node: Node) -> None:
        self._queue.move_all_to_active_or_backoff(NODE_DELETE, node, None)
        self._cache.remove_node(node.name)

    # --- the rest ---

    def _object_set(self, new: KubernetesObject) -> None:
        old = self._cache.objects.put(new)
        action = "Add" if old is None else "Update"
        self._queue.move_all_to_active_or_backoff(object_event(type(new).__name__, action), old, new)

    def _object_gone(self, gone: KubernetesObject) -> None:
        self._cache.objects.remove(gone)
        self._queue.move_all_to_active_or_backoff(object_event(type(gone).__name__, "Delete"), gone, None)
