"""The claims of a pod's generic ephemeral volumes: made with the pod, gone with it (its owner)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from scheduler_core.controllers.interface import DONE, ReconcileResult, Refusal, Store
from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import (
    Manifest,
    ObjectKey,
    is_active,
    is_controlled_by,
    key_of,
    owner_reference,
)


class EphemeralVolumeController:
    kind: ClassVar[str] = "Pod"
    watches: ClassVar[frozenset[str]] = frozenset({"Pod"})
    source: ClassVar[str] = "ephemeral_volume"

    def concerned(self, index: ObjectIndex, old: Manifest | None, new: Manifest | None) -> Iterator[ObjectKey]:
        if old is None and new is not None and _ephemeral(new):
            yield key_of(new)

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        pod = store.get(*key)
        if pod is None or not is_active(pod):
            return DONE
        for volume in _ephemeral(pod):
            trouble = _make_claim(store, pod, volume)
            if trouble:
                store.record_events([self._failed(pod, trouble)])
        return DONE

    def _failed(self, pod: Manifest, message: str) -> EventRecord:
        return EventRecord(
            regarding=pod,
            event_type="Warning",
            reason="FailedBinding",
            message=message,
            source=self.source,
        )


def _ephemeral(pod: Manifest) -> list[Manifest]:
    return [each for each in pod["spec"].get("volumes") or () if each.get("ephemeral")]


def _make_claim(store: Store, pod: Manifest, volume: Manifest) -> str:
    """Answers what is in the way; "": nothing."""
    namespace, name = pod["metadata"]["namespace"], f"{pod['metadata']['name']}-{volume['name']}"
    present = store.get("PersistentVolumeClaim", namespace, name)
    if present is not None:
        owned = is_controlled_by(present, pod)
        return "" if owned else f"PVC {namespace}/{name} was not created for pod {namespace}/{pod['metadata']['name']}"
    template = volume["ephemeral"]["volumeClaimTemplate"]
    metadata = {field: value for field, value in (template.get("metadata") or {}).items() if value}
    (answer,) = store.create_many(
        [
            {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "metadata": {
                    **metadata,
                    "name": name,
                    "namespace": namespace,
                    "ownerReferences": [owner_reference(pod)],
                },
                "spec": template["spec"],
            }
        ]
    )
    return (
        f"ephemeral volume controller: create PVC {namespace}/{name}: {answer.message}"
        if isinstance(answer, Refusal)
        else ""
    )
