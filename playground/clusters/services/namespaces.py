"""Namespaces: an object needs an open one, and a deleted one takes its content along.

A Namespace holds itself with the finalizer `kubernetes` in its spec. Deleting
it marks it Terminating and deletes what is in it; when the last object is gone
(a running pod takes its grace period) the namespace goes too. The namespaces of
the system cannot be deleted, as in Kubernetes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from playground.clusters.kinds import KINDS, Kind
from playground.clusters.models import ClusterObject, KubernetesObject, Pod
from playground.clusters.selectors import Manifest, rows
from playground.clusters.services import store
from playground.clusters.services.transaction import ClusterTransaction
from playground.common.database import chunks
from playground.common.errors import Forbidden, NotFound, Subject

# There from the start, in every cluster.
SYSTEM_NAMESPACES = ("default", "kube-system", "kube-public", "kube-node-lease")
IMMORTAL = frozenset({"default", "kube-system", "kube-public"})


def require_open(tx: ClusterTransaction, namespace: str) -> None:
    """Raises NotFound or Forbidden where nothing may be created in the namespace."""
    phases = _phases(tx)
    if namespace not in phases:
        raise NotFound(f'namespaces "{namespace}" not found', subject=Subject(name=namespace, kind="namespaces"))
    if phases[namespace] == "Terminating":
        raise Forbidden(
            f"unable to create new content in namespace {namespace} because it is being terminated",
            subject=Subject(name=namespace, kind="namespaces"),
        )


def _phases(tx: ClusterTransaction) -> dict[str, str]:
    """namespace -> phase, read once a transaction and again after a namespace was written."""
    written = sum(1 for change in tx.changes if change.kind == "Namespace")
    known = tx.memo.get("namespaces")
    if known is None or known[0] != written:
        query = rows(tx.cluster.pk, KINDS["Namespace"]).values_list("name", "manifest")
        phases = {name: (manifest.get("status") or {}).get("phase", "Active") for name, manifest in query}
        known = tx.memo["namespaces"] = (written, phases)
    found: dict[str, str] = known[1]
    return found


Delete = Callable[[ClusterTransaction, Kind, Sequence[ClusterObject]], object]


def empty(tx: ClusterTransaction, names: Sequence[str], delete: Delete) -> None:
    """Delete all content of namespaces that are being deleted."""
    for name in names:
        if name in IMMORTAL:
            raise Forbidden(
                f'namespaces "{name}" is forbidden: this namespace may not be deleted',
                subject=Subject(name=name, kind="namespaces"),
            )
        for kind in KINDS.values():
            if kind.namespaced:
                content = list(rows(tx.cluster.pk, kind).filter(namespace=name))
                if content:
                    delete(tx, kind, content)


def finish_terminating(tx: ClusterTransaction) -> None:
    """Remove namespaces that wait for their last object, where it is gone now."""
    kind = KINDS["Namespace"]
    terminating = [name for name, phase in _phases(tx).items() if phase == "Terminating"]
    done = [name for name in terminating if not _has_content(tx, name)]
    found = list(rows(tx.cluster.pk, kind).filter(name__in=done)) if done else []
    store.remove(tx, kind, [(row, _released(row.manifest)) for row in found])


def _has_content(tx: ClusterTransaction, namespace: str) -> bool:
    pods = Pod.objects.filter(cluster=tx.cluster, namespace=namespace)
    return pods.exists() or KubernetesObject.objects.filter(cluster=tx.cluster, namespace=namespace).exists()


def _released(manifest: Manifest) -> Manifest:
    return {**manifest, "metadata": {**manifest["metadata"]}, "spec": {**manifest["spec"], "finalizers": []}}


def rows_of_owners(tx: ClusterTransaction, kind: Kind, owner_uids: Sequence[str]) -> list[ClusterObject]:
    found: list[ClusterObject] = []
    for some in chunks(owner_uids):
        found.extend(rows(tx.cluster.pk, kind).filter(owner_uid__in=some))
    return found
