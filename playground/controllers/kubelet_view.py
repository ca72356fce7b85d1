"""What the kubelets of a cluster have to know: which pods want them, and what is on each node.

Kept up to date change by change; says only who may need something. The kubelet
service looks at each of these pods itself, so one that was served by another
worker meanwhile costs a look and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.kubelet.pod_life import is_new, is_on_node, may_resume
from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.manifest import Manifest, ObjectKey, is_deleting, is_finished, key_of, node_name_of, uid_of
from scheduler_core.objects.node_health import kubelet_runs
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo


class KubeletView:
    def __init__(self, index: ObjectIndex) -> None:
        self._index = index
        # Used as ordered sets. Bound pods nobody has looked at, pods being deleted, uids of pods that are no more.
        self._new: dict[ObjectKey, None] = {}
        self._stopping: dict[ObjectKey, None] = {}
        self._gone: dict[str, None] = {}
        # Pods whose kubelet starts anew.
        self._resuming: dict[ObjectKey, None] = {}
        # node -> uid -> pod that takes up room there; decoded when it is first needed.
        self._on_node: defaultdict[str, dict[str, Manifest | PodInfo]] = defaultdict(dict)

    def observe(self, old: Manifest | None, new: Manifest | None) -> None:
        manifest = new if new is not None else old
        if manifest is None:
            return
        if manifest["kind"] == "Node":
            self._observe_node(old, new)
        if manifest["kind"] != "Pod":
            return
        key = key_of(manifest)
        if new is None:
            self._leave(key, manifest)
        elif node_name_of(new):
            self._place(key, new)

    def _observe_node(self, old: Manifest | None, new: Manifest | None) -> None:
        """A kubelet that is back looks at what it had."""
        if old is not None and new is not None and kubelet_runs(new) and not kubelet_runs(old):
            self._resume(self._index.pods_on(new["metadata"]["name"]))

    def resume_all(self) -> None:
        """The view is new: who knows what was lost with the old one."""
        self._resume([manifest for manifest in self._index.of_kind("Pod") if node_name_of(manifest)])

    def _resume(self, pods: Iterable[Manifest]) -> None:
        for pod in pods:
            if is_deleting(pod) and not is_finished(pod):
                self._stopping[key_of(pod)] = None
            elif may_resume(pod):
                self._resuming[key_of(pod)] = None

    def _leave(self, key: ObjectKey, pod: Manifest) -> None:
        self._new.pop(key, None)
        self._stopping.pop(key, None)
        self._resuming.pop(key, None)
        self._on_node[node_name_of(pod)].pop(uid_of(pod), None)
        if node_name_of(pod):
            self._gone[uid_of(pod)] = None

    def _place(self, key: ObjectKey, pod: Manifest) -> None:
        on_node = self._on_node[node_name_of(pod)]
        if is_on_node(pod):
            # A pod's requests do not change while it is on a node.
            on_node.setdefault(uid_of(pod), pod)
        else:
            on_node.pop(uid_of(pod), None)
        if is_new(pod):
            self._new[key] = None
        if is_deleting(pod) and not is_finished(pod):
            self._stopping[key] = None

    @property
    def has_work(self) -> bool:
        """Whether a pod wants its kubelet. One whose node is not there, or whose kubelet stopped, has none."""
        if self._gone or any(map(self._may_stop, self._stopping)):
            return True
        return any(map(self._is_served, self._new)) or any(map(self._is_served, self._resuming))

    def _is_served(self, key: ObjectKey) -> bool:
        pod = self._index.get(key)
        return pod is None or self.serving_node(pod) is not None

    def _may_stop(self, key: ObjectKey) -> bool:
        """Pods of a node that is gone are ended, those of a node that is silent wait."""
        pod = self._index.get(key)
        node = None if pod is None else self.node_of(pod)
        return node is None or kubelet_runs(node)

    def serving_node(self, pod: Manifest) -> Manifest | None:
        """The pod's node, where its kubelet runs."""
        node = self.node_of(pod)
        return node if node is not None and kubelet_runs(node) else None

    def node_of(self, pod: Manifest) -> Manifest | None:
        return self._index.get(ObjectKey("Node", "", node_name_of(pod)))

    def others_on(self, node_name: str, but: str) -> list[PodInfo]:
        """The pods that take up room on a node, without the one with that uid."""
        on_node = self._on_node[node_name]
        for uid, pod in on_node.items():
            if isinstance(pod, dict):
                on_node[uid] = PodInfo(decode_as(Pod, pod))
        return [pod for uid, pod in on_node.items() if uid != but and isinstance(pod, PodInfo)]

    def take_new(self, limit: int) -> list[Manifest]:
        """Bound pods that nobody has looked at and whose node is there; they are not told again."""
        return self._take(self._new, [key for key in self._new if self._is_served(key)][:limit], is_new)

    def take_stopping(self, limit: int) -> list[Manifest]:
        keys = [key for key in self._stopping if self._may_stop(key)][:limit]
        return self._take(self._stopping, keys, is_deleting)

    def take_resuming(self, limit: int) -> list[Manifest]:
        """Pods whose kubelet has just started and may have forgotten them."""
        keys = [key for key in self._resuming if self._is_served(key)][:limit]
        return self._take(self._resuming, keys, may_resume)

    def take_gone(self) -> Sequence[str]:
        gone = list(self._gone)
        self._gone.clear()
        return gone

    def _take(
        self, waiting: dict[ObjectKey, None], keys: list[ObjectKey], still: Callable[[Manifest], bool]
    ) -> list[Manifest]:
        found = []
        for key in keys:
            del waiting[key]
            pod = self._index.get(key)
            if pod is not None and still(pod):
                found.append(pod)
        return found
