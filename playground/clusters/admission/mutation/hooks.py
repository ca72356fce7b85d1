"""The hooks of a cluster: policies with their bindings, and webhooks, in the order they are asked.

Read once a transaction, and again after one of them was written in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from playground.clusters.kinds import KINDS
from playground.clusters.models import KubernetesObject
from playground.clusters.selectors import rows

if TYPE_CHECKING:
    from playground.clusters.services.transaction import ClusterTransaction

Manifest = dict[str, Any]

WEBHOOKS, POLICIES, BINDINGS = (
    "MutatingWebhookConfiguration",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """One entry of a configuration."""

    configuration: str
    # Its place in the configuration's list.
    index: int
    entry: Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundPolicy:
    """A policy as one of its bindings puts it to work."""

    policy: Manifest
    binding: Manifest

    @property
    def key(self) -> tuple[str, str]:
        return self.policy["metadata"]["name"], self.binding["metadata"]["name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    policies: Sequence[BoundPolicy] = ()
    webhooks: Sequence[Webhook] = ()

    def __bool__(self) -> bool:
        return bool(self.policies or self.webhooks)


def hooks_of(tx: ClusterTransaction) -> Hooks:
    written = sum(1 for change in tx.changes if change.kind in (WEBHOOKS, POLICIES, BINDINGS))
    known = tx.memo.get("mutating_hooks")
    if known is None or known[0] != written:
        known = tx.memo["mutating_hooks"] = (written, _read(tx.cluster.pk))
    found: Hooks = known[1]
    return found


def _read(cluster_id: int) -> Hooks:
    query = KubernetesObject.objects.filter(cluster_id=cluster_id, kind__in=(WEBHOOKS, POLICIES, BINDINGS))
    by_kind: dict[str, list[Manifest]] = {WEBHOOKS: [], POLICIES: [], BINDINGS: []}
    for kind, manifest in query.order_by("name").values_list("kind", "manifest"):
        by_kind[kind].append(manifest)
    return Hooks(policies=_bound(by_kind[POLICIES], by_kind[BINDINGS]), webhooks=_entries(by_kind[WEBHOOKS]))


def _bound(policies: Sequence[Manifest], bindings: Sequence[Manifest]) -> list[BoundPolicy]:
    """By name of the policy, then of the binding. A policy nobody binds does nothing."""
    return [
        BoundPolicy(policy=policy, binding=binding)
        for policy in policies
        for binding in bindings
        if binding["spec"].get("policyName") == policy["metadata"]["name"]
    ]


def _entries(configurations: Sequence[Manifest]) -> list[Webhook]:
    return [
        Webhook(configuration=each["metadata"]["name"], index=i, entry=entry)
        for each in configurations
        for i, entry in enumerate(each.get("webhooks") or ())
    ]


def namespace_of(tx: ClusterTransaction, name: str) -> Manifest | None:
    """The Namespace object; None where it is not there (and the object is refused in a moment)."""
    known: dict[str, Manifest | None] = tx.memo.setdefault("namespace_objects", {})
    written = sum(1 for change in tx.changes if change.kind == "Namespace")
    if known.get("") != {"written": written}:
        known.clear()
        known[""] = {"written": written}
    if name not in known:
        query = rows(tx.cluster.pk, KINDS["Namespace"]).filter(name=name)
        known[name] = query.values_list("manifest", flat=True).first()
    return known[name]
