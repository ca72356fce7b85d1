"""Device claims: made for pods from templates, and given back when nobody uses them any more.

The name of a generated claim is written into the pod's status, where scheduler
and kubelet look for it. A claim goes with its pod (its owner); one of its own
name stays, and is free again when the last pod that reserved it is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import ClassVar

from scheduler_core.controllers.interface import DONE, ReconcileResult, Refusal, Store
from scheduler_core.controllers.names import generated_name
from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import (
    Manifest,
    ObjectKey,
    is_active,
    is_finished,
    key_of,
    owner_reference,
    uid_of,
)

POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name"


class GeneratedClaimController:
    """Makes the claims that pods ask for by template."""

    kind: ClassVar[str] = "Pod"
    watches: ClassVar[frozenset[str]] = frozenset({"Pod", "ResourceClaimTemplate"})
    source: ClassVar[str] = "resource_claim"

    def __init__(self, generator: Random) -> None:
        self._generator = generator

    def concerned(self, index: ObjectIndex, old: Manifest | None, new: Manifest | None) -> Iterator[ObjectKey]:
        if new is None:
            return
        if new["kind"] == "Pod":
            if _templates(new) and (old is None or (is_finished(new) and not is_finished(old))):
                yield key_of(new)
            return
        for pod in index.of_kind("Pod", new["metadata"]["namespace"]):
            if new["metadata"]["name"] in _templates(pod).values():
                yield key_of(pod)

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        pod = store.get(*key)
        if pod is None:
            return DONE
        if is_finished(pod):
            store.delete_many(store.owned_by("ResourceClaim", uid_of(pod)))
        elif is_active(pod):
            self._make_missing(store, pod)
        return DONE

    def _make_missing(self, store: Store, pod: Manifest) -> None:
        known = list((pod.get("status") or {}).get("resourceClaimStatuses") or ())
        names = {each["name"] for each in known}
        made = [
            {"name": entry, "resourceClaimName": claim["metadata"]["name"]}
            for entry, template in _templates(pod).items()
            if entry not in names
            for claim in [self._made(store, pod, entry, template)]
            if claim is not None
        ]
        if made:
            store.update_status(pod, {**(pod.get("status") or {}), "resourceClaimStatuses": [*known, *made]})

    def _made(self, store: Store, pod: Manifest, entry: str, template_name: str) -> Manifest | None:
        """The claim for one entry of the pod: one that was made before, or a new one."""
        for claim in store.owned_by("ResourceClaim", uid_of(pod)):
            if (claim["metadata"].get("annotations") or {}).get(POD_CLAIM_NAME) == entry:
                return claim
        template = store.get("ResourceClaimTemplate", pod["metadata"]["namespace"], template_name)
        if template is None:
            missing = f'resourceclaimtemplate.resource.k8s.io "{template_name}" not found'
            self._fail(store, pod, entry, f'resource claim template "{template_name}": {missing}')
            return None
        (answer,) = store.create_many([self._claim(pod, entry, template)])
        if isinstance(answer, Refusal):
            self._fail(store, pod, entry, answer.message)
            return None
        return answer

    def _claim(self, pod: Manifest, entry: str, template: Manifest) -> Manifest:
        inner = template["spec"].get("metadata") or {}
        base = f"{pod['metadata']['name']}-{entry}-"
        metadata: Manifest = {
            "name": generated_name(base, self._generator),
            "generateName": base,
            "namespace": pod["metadata"]["namespace"],
            "annotations": {**(inner.get("annotations") or {}), POD_CLAIM_NAME: entry},
            "ownerReferences": [owner_reference(pod)],
        }
        if inner.get("labels"):
            metadata["labels"] = inner["labels"]
        return {
            "apiVersion": template["apiVersion"],
            "kind": "ResourceClaim",
            "metadata": metadata,
            "spec": template["spec"].get("spec") or {},
        }

    def _fail(self, store: Store, pod: Manifest, entry: str, why: str) -> None:
        event = EventRecord(
            regarding=pod,
            event_type="Warning",
            reason="FailedResourceClaimCreation",
            message=f"PodResourceClaim {entry}: {why}",
            source=self.source,
        )
        store.record_events([event])


class ClaimReleaseController:
    """Takes pods that are gone or finished off the claims they reserved."""

    kind: ClassVar[str] = "ResourceClaim"
    watches: ClassVar[frozenset[str]] = frozenset({"Pod"})

    def concerned(self, index: ObjectIndex, old: Manifest | None, new: Manifest | None) -> Iterator[ObjectKey]:
        pod = new if new is not None else old
        if pod is not None and (new is None or is_finished(new)):
            namespace = pod["metadata"]["namespace"]
            yield from (ObjectKey(self.kind, namespace, name) for name in _claim_names(pod))

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        claim = store.get(*key)
        status = (claim or {}).get("status") or {}
        users = status.get("reservedFor") or ()
        if claim is None or not users:
            return DONE
        left = [user for user in users if _uses(store, key.namespace, user)]
        if len(left) < len(users):
            kept = {field: value for field, value in status.items() if field != "reservedFor"}
            if left:
                kept["reservedFor"] = left
            else:
                # Nobody holds the devices any more.
                kept.pop("allocation", None)
            store.update_status(claim, kept)
        return DONE


def _uses(store: Store, namespace: str, user: Manifest) -> bool:
    if user.get("resource") != "pods":
        return True
    pod = store.get("Pod", namespace, user["name"])
    return pod is not None and uid_of(pod) == user.get("uid") and not is_finished(pod)


def _templates(pod: Manifest) -> dict[str, str]:
    """Entry of the pod -> the template it names."""
    entries = pod["spec"].get("resourceClaims") or ()
    return {
        each["name"]: each["resourceClaimTemplateName"] for each in entries if each.get("resourceClaimTemplateName")
    }


def _claim_names(pod: Manifest) -> list[str]:
    named = [each.get("resourceClaimName") for each in pod["spec"].get("resourceClaims") or ()]
    generated = [each.get("resourceClaimName") for each in (pod.get("status") or {}).get("resourceClaimStatuses") or ()]
    return [name for name in (*named, *generated) if name]
