"""What is asked of admission: the attributes of one request, without its object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from playground.clusters.kinds import Kind

Manifest = dict[str, Any]
Operation = Literal["CREATE", "UPDATE"]

ADMIN: Mapping[str, Any] = {
    "username": "kubernetes-admin",
    "groups": ["kubeadm:cluster-admins", "system:authenticated"],
}
# The service accounts of kube-controller-manager, by the kind of what they make objects for.
_ACCOUNTS: Mapping[str, str] = {
    "ReplicaSet": "replicaset-controller",
    "ReplicationController": "replication-controller",
    "Deployment": "deployment-controller",
    "StatefulSet": "statefulset-controller",
    "DaemonSet": "daemon-set-controller",
    "Job": "job-controller",
    "CronJob": "cronjob-controller",
    "Pod": "resource-claim-controller",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionRequest:
    kind: Kind
    operation: Operation
    # "" for kinds without one. A Namespace is in itself.
    namespace: str = ""
    # As the client gave it: "" where the server draws one.
    name: str = ""
    subresource: str = ""
    # Before an update; None for a creation.
    old: Manifest | None = None
    dry_run: bool = False
    user: Mapping[str, Any] = field(default_factory=lambda: ADMIN)

    def as_review(self) -> Manifest:
        """The request of an AdmissionReview, but for uid and objects."""
        kind = self.kind
        named = {"group": kind.group, "version": kind.version}
        options = "CreateOptions" if self.operation == "CREATE" else "UpdateOptions"
        return {
            "kind": {**named, "kind": kind.kind},
            "resource": {**named, "resource": kind.plural},
            **self._subresource("subResource"),
            "requestKind": {**named, "kind": kind.kind},
            "requestResource": {**named, "resource": kind.plural},
            **self._subresource("requestSubResource"),
            **({"name": self.name} if self.name else {}),
            **({"namespace": self.namespace} if self.namespace else {}),
            "operation": self.operation,
            "userInfo": dict(self.user),
            "dryRun": self.dry_run,
            "options": {"kind": options, "apiVersion": "meta.k8s.io/v1"},
        }

    def _subresource(self, field_name: str) -> Manifest:
        return {field_name: self.subresource} if self.subresource else {}


def controller_user(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """The account a controller makes this object with: its owner's kind tells."""
    owners = manifest["metadata"].get("ownerReferences") or ()
    account = _ACCOUNTS.get(owners[0]["kind"], "") if owners else ""
    if not account:
        return ADMIN
    return {
        "username": f"system:serviceaccount:kube-system:{account}",
        "groups": ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
    }
