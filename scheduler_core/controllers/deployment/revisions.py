"""A Deployment's ReplicaSets: one a template, numbered by revision.

The newest is the one whose template is the Deployment's own; rolling back to an
older template gives that ReplicaSet the next number. What Kubernetes keeps in
annotations is kept there too: `kubectl rollout history` reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scheduler_core.controllers.deployment.strategy import max_pods
from scheduler_core.controllers.names import template_hash
from scheduler_core.controllers.pod_template import POD_TEMPLATE_HASH
from scheduler_core.controllers.replica_set import desired_replicas
from scheduler_core.objects.manifest import Manifest, annotations_of, created_at, owner_reference

REVISION = "deployment.kubernetes.io/revision"
DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas"
MAX_REPLICAS = "deployment.kubernetes.io/max-replicas"
# Annotations that belong to the Deployment itself.
_NOT_COPIED = frozenset(
    {
        "kubectl.kubernetes.io/last-applied-configuration",
        REVISION,
        "deployment.kubernetes.io/revision-history",
        DESIRED_REPLICAS,
        MAX_REPLICAS,
        "deprecated.deployment.rollback.to",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaSets:
    """A Deployment's ReplicaSets; `old` from the eldest to the youngest."""

    new: Manifest | None
    old: Sequence[Manifest]

    @property
    def all(self) -> list[Manifest]:
        return [*self.old, self.new] if self.new is not None else list(self.old)

    @property
    def active(self) -> list[Manifest]:
        return [each for each in self.all if desired_replicas(each) > 0]

    @property
    def active_old(self) -> list[Manifest]:
        return [each for each in self.old if desired_replicas(each) > 0]


def _comparable(template: Manifest) -> Manifest:
    """The template without the hash label and without what is null or empty."""
    metadata = template.get("metadata") or {}
    labels = {key: value for key, value in (metadata.get("labels") or {}).items() if key != POD_TEMPLATE_HASH}
    named = {"labels": labels, "annotations": metadata.get("annotations")}
    return {"metadata": {field: value for field, value in named.items() if value}, "spec": template["spec"]}


def same_template(one: Manifest, other: Manifest) -> bool:
    return _comparable(one) == _comparable(other)


def revision_of(manifest: Manifest) -> int:
    text = annotations_of(manifest).get(REVISION, "0")
    return int(text) if text.isascii() and text.isdigit() else 0


def sort_out(deployment: Manifest, replica_sets: Sequence[Manifest]) -> ReplicaSets:
    """Which is the newest (the eldest of several with that template), which are old."""
    by_age = sorted(replica_sets, key=lambda each: (created_at(each), each["metadata"]["name"]))
    template = deployment["spec"]["template"]
    new = next((each for each in by_age if same_template(each["spec"]["template"], template)), None)
    return ReplicaSets(new=new, old=[each for each in by_age if each is not new])


def next_revision(old: Sequence[Manifest]) -> int:
    return max(map(revision_of, old), default=0) + 1


def replica_annotations(deployment: Manifest) -> dict[str, str]:
    """What a ReplicaSet remembers of the size it was scaled for."""
    return {DESIRED_REPLICAS: str(desired_replicas(deployment)), MAX_REPLICAS: str(max_pods(deployment))}


def copied_annotations(deployment: Manifest) -> dict[str, str]:
    return {key: value for key, value in annotations_of(deployment).items() if key not in _NOT_COPIED}


def new_replica_set(deployment: Manifest, replicas: int, revision: int, collisions: int) -> Manifest:
    template = deployment["spec"]["template"]
    hashed = {POD_TEMPLATE_HASH: template_hash(_comparable(template), collisions)}
    metadata = template.get("metadata") or {}
    labels = {**(metadata.get("labels") or {}), **hashed}
    selector = deployment["spec"]["selector"]
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {
            "name": f"{deployment['metadata']['name']}-{hashed[POD_TEMPLATE_HASH]}",
            "namespace": deployment["metadata"]["namespace"],
            "labels": labels,
            "annotations": {
                **copied_annotations(deployment),
                **replica_annotations(deployment),
                REVISION: str(revision),
            },
            "ownerReferences": [owner_reference(deployment)],
        },
        "spec": {
            "replicas": replicas,
            **_min_ready(deployment),
            "selector": {**selector, "matchLabels": {**(selector.get("matchLabels") or {}), **hashed}},
            "template": {**template, "metadata": {**metadata, "labels": labels}},
        },
    }


def _min_ready(deployment: Manifest) -> Manifest:
    seconds = deployment["spec"].get("minReadySeconds")
    return {"minReadySeconds": seconds} if seconds else {}
