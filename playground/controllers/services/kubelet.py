"""One turn of all kubelets of a cluster, inside its transaction.

Pods that were bound are admitted or refused, pods that are being deleted begin
to stop, and whatever step is over by now is taken. What comes of it is written
in bulk: statuses and events through the store, steps in their own table, the
images of a node once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from playground.clusters.services.transaction import ClusterTransaction
from playground.clusters.settings import cluster_settings
from playground.common.database import chunks
from playground.controllers import selectors
from playground.controllers.models import KubeletStep
from playground.controllers.services.store import TransactionStore
from playground.controllers.session import ClusterSession
from playground.controllers.translation import kubelet_settings, pod_step, step_row
from scheduler_core.kubelet.images import with_images
from scheduler_core.kubelet.pod_life import Outcome, PodStep, Step, begin, mounted, resumed, stop, take, unmounted
from scheduler_core.kubelet.volumes import unbound_claims
from scheduler_core.objects.manifest import Manifest, is_finished, node_name_of, uid_of
from scheduler_core.objects.node_health import kubelet_runs

# Pods looked at in one transaction, of each sort.
SLICE_PODS = 100
# A pod, its node, and the images that are on their way there -> what the kubelet does first.
FirstStep = Callable[[Manifest, Manifest, Mapping[str, float]], Outcome]


class KubeletTurn:
    def __init__(self, tx: ClusterTransaction, session: ClusterSession, store: TransactionStore) -> None:
        self._tx = tx
        self._session = session
        self._view = session.kubelet
        self._store = store
        self._settings = kubelet_settings(cluster_settings(tx.cluster))
        self._next_steps: dict[str, KubeletStep] = {}
        # uids of pods without a step from now on.
        self._stepless: list[str] = []
        self._pulled: defaultdict[str, list[str]] = defaultdict(list)
        self._gone: list[Manifest] = []

    def run(self) -> None:
        self._stepless.extend(self._view.take_gone())
        self._take_due()
        self._resume(self._view.take_resuming(SLICE_PODS))
        self._begin(self._view.take_new(SLICE_PODS))
        self._stop(self._view.take_stopping(SLICE_PODS))
        self._write()

    def _take_due(self) -> None:
        due = selectors.steps_due(self._tx.cluster.pk, self._tx.now, SLICE_PODS)
        mounting: list[Manifest] = []
        for row in due:
            pod = self._session.index.by_uid(row.pod_uid)
            if pod is None or not self._goes_on(pod, row):
                self._stepless.append(row.pod_uid)
                continue
            if row.step == Step.MOUNTING:
                mounting.append(pod)
                continue
            outcome = take(pod, pod_step(row), serial=_serial(pod), settings=self._settings, now=self._tx.now)
            self._accept(pod, outcome)
        self._bring_up(mounting, self._mount)

    def _goes_on(self, pod: Manifest, row: KubeletStep) -> bool:
        """A finished pod has no next step, nor has one whose node is gone, but for its own end.

        A kubelet that stopped forgets: it finds out where its pods are when it is back.
        """
        if is_finished(pod):
            return False
        node = self._view.node_of(pod)
        return row.step == Step.STOPPING if node is None else kubelet_runs(node)

    def _resume(self, pods: Sequence[Manifest]) -> None:
        known = selectors.pods_with_step(self._tx.cluster.pk, map(uid_of, pods)) if pods else set()
        for pod in pods:
            outcome = resumed(pod, settings=self._settings, now=self._tx.now)
            if outcome.status is not None:
                self._store.update_status(pod, outcome.status)
            if outcome.next_step is not None and uid_of(pod) not in known:
                self._set_step(pod, outcome.next_step)

    def _begin(self, pods: Sequence[Manifest]) -> None:
        self._bring_up(pods, self._admit)

    def _bring_up(self, pods: Sequence[Manifest], first_step: FirstStep) -> None:
        pulls = selectors.pulls_on(self._tx.cluster.pk, {node_name_of(pod) for pod in pods}) if pods else {}
        for pod in pods:
            node = self._view.serving_node(pod)
            if node is None:
                continue
            node_name = node_name_of(pod)
            on_their_way = pulls.setdefault(node_name, {})
            outcome = first_step(pod, self._with_pulled(node, node_name), on_their_way)
            self._accept(pod, outcome)
            if outcome.next_step is not None:
                for image in outcome.next_step.images:
                    on_their_way.setdefault(image, outcome.next_step.due_at)

    def _admit(self, pod: Manifest, node: Manifest, pulling: Mapping[str, float]) -> Outcome:
        others = self._view.others_on(node_name_of(pod), uid_of(pod))
        unbound = unbound_claims(pod, self._store)
        settings, now = self._settings, self._tx.now
        return begin(pod, node, others, pulling=pulling, settings=settings, now=now, unbound=unbound)

    def _mount(self, pod: Manifest, node: Manifest, pulling: Mapping[str, float]) -> Outcome:
        unbound = unbound_claims(pod, self._store)
        if unbound:
            return unmounted(pod, unbound, self._tx.now)
        return mounted(pod, node, pulling=pulling, settings=self._settings, now=self._tx.now)

    def _with_pulled(self, node: Manifest, node_name: str) -> Manifest:
        """The node with the images this turn has brought it."""
        pulled = self._pulled.get(node_name)
        return {**node, "status": {**node["status"], "images": with_images(node, pulled)}} if pulled else node

    def _stop(self, pods: Sequence[Manifest]) -> None:
        known = selectors.steps_of(self._tx.cluster.pk, map(uid_of, pods), Step.STOPPING) if pods else {}
        for pod in pods:
            outcome = stop(pod, settings=self._settings, now=self._tx.now)
            before, after = known.get(uid_of(pod)), outcome.next_step
            if before is None or after is None:
                self._accept(pod, outcome)
            elif after.due_at < before.due_at:
                # A second delete with a shorter grace period.
                self._set_step(pod, PodStep(step=Step.STOPPING, due_at=after.due_at, since=before.since))

    def _accept(self, pod: Manifest, outcome: Outcome) -> None:
        if outcome.status is not None:
            self._store.update_status(pod, outcome.status)
        self._store.record_events(outcome.events)
        self._pulled[node_name_of(pod)].extend(outcome.pulled)
        if outcome.gone:
            self._gone.append(pod)
        if outcome.next_step is not None:
            self._set_step(pod, outcome.next_step)
        else:
            self._stepless.append(uid_of(pod))

    def _set_step(self, pod: Manifest, step: PodStep) -> None:
        self._next_steps[uid_of(pod)] = step_row(self._tx.cluster.pk, pod, step)

    def _write(self) -> None:
        if self._gone:
            self._store.remove_many(self._gone)
        self._report_images()
        for some in chunks(uid for uid in self._stepless if uid not in self._next_steps):
            KubeletStep.objects.filter(cluster=self._tx.cluster, pod_uid__in=some).delete()
        KubeletStep.objects.bulk_create(
            self._next_steps.values(),
            update_conflicts=True,
            unique_fields=["cluster", "pod_uid"],
            update_fields=["node_name", "step", "since", "due_at", "images"],
        )

    def _report_images(self) -> None:
        for name, images in self._pulled.items():
            node = self._store.get("Node", "", name)
            if node is None or not images:
                continue
            status = {**(node.get("status") or {}), "images": with_images(node, images)}
            if status != node.get("status"):
                self._store.update_status(node, status)


def _serial(pod: Manifest) -> int:
    """A number no other pod of the cluster has: the version it was written at last."""
    return int(pod["metadata"]["resourceVersion"])
