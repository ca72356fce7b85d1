"""What the kubelets of a cluster have to know: which pods want them, and what is on each node.

Kept up to date change by change; says only who may need something. The kubelet
service looks at each of these pods itself, so one that was served by another
worker meanwhile costs a look and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.kubelet.pod_life import is_new, is_on_node
from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.manifest import Manifest, ObjectKey, is_deleting, is_finished, key_of, node_name_of, uid_of
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo


class KubeletView:
    def __init__(self, index: ObjectIndex) -> None:
        self._index = index
        # Used as ordered sets. Bound pods nobody has looked at, pods being deleted, uids of pods that are no more.
        self._new: dict[ObjectKey, None] = {}
        self._stopping: dict[ObjectKey, None] = {}
        self._gone: dict[str, None] = {}
        # node -> uid -> pod that takes up room there; decoded when it is first needed.
        self._on_node: defaultdict[str, dict[str, Manifest | PodInfo]] = defaultdict(dict)

    def observe(self, old: Manifest | None, new: Manifest | None) -> None:
        manifest = new if new is not None else old
        if manifest is None or manifest["kind"] != "Pod":
            return
        key = key_of(manifest)
        if new is None:
            self._leave(key, manifest)
        elif node_name_of(new):
            self._place(key, new)

    def _leave(self, key: ObjectKey, pod: Manifest) -> None:
        self._new.pop(key, None)
        self._stopping.pop(key, None)
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
        """Whether a pod wants its kubelet. One whose node is not there has none."""
        return bool(self._stopping or self._gone) or any(map(self._is_served, self._new))

    def _is_served(self, key: ObjectKey) -> bool:
        pod = self._index.get(key)
        return pod is None or self.node_of(pod) is not None

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
        return self._take(self._stopping, list(self._stopping)[:limit], is_deleting)

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
