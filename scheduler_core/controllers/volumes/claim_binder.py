"""A PersistentVolumeClaim finds its volume, or has one provisioned.

What is written first is the volume's half of the binding, then the claim's; a
look that finds one half without the other writes the other. A claim of a class
that waits for its first consumer is left alone until the scheduler has written
it into a volume, or a selected node into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from scheduler_core.controllers.interface import DONE, ReconcileResult, Refusal, Store
from scheduler_core.controllers.object_index import ObjectIndex
from scheduler_core.controllers.volumes.best_match import best_match, misfit
from scheduler_core.controllers.volumes.binding import (
    BOUND_BY_CONTROLLER,
    claim_reference,
    class_of,
    is_bound,
    is_default,
    is_for,
    is_free,
    spec_of,
)
from scheduler_core.controllers.volumes.provisioner import NO_PROVISIONER, provisioned_volume
from scheduler_core.controllers.volumes.volume_phase import BOUND
from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import (
    Manifest,
    ObjectKey,
    annotations_of,
    is_deleting,
    key_of,
    uid_of,
    with_metadata,
    with_spec,
)
from scheduler_core.objects.storage import WAIT_FOR_FIRST_CONSUMER
from scheduler_core.plugins.volume_binding.claims import BIND_COMPLETED, SELECTED_NODE

SOURCE = "persistentvolume-controller"
STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner"
# Cluster time that making a volume takes.
PROVISION_SECONDS = 1.0
_LOST = "Data on the volume is lost!"


class ClaimBinder:
    kind: ClassVar[str] = "PersistentVolumeClaim"
    watches: ClassVar[frozenset[str]] = frozenset({"PersistentVolume", "StorageClass"})

    def __init__(self) -> None:
        # uid of a claim -> cluster time its volume was asked for. Lost with the process: it then takes longer.
        self._asked: dict[str, float] = {}

    def concerned(self, index: ObjectIndex, old: Manifest | None, new: Manifest | None) -> Iterator[ObjectKey]:
        """The claim a volume is set aside for; every waiting one where something new is on offer."""
        for each in (old, new):
            reference = spec_of(each).get("claimRef") if each is not None else None
            if reference:
                yield ObjectKey(self.kind, reference.get("namespace") or "", reference.get("name") or "")
        if new is not None and (new["kind"] == "StorageClass" or is_free(new)):
            yield from (key_of(claim) for claim in index.of_kind(self.kind) if not is_bound(claim))

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        claim = store.get(*key)
        if claim is None or is_deleting(claim):
            return DONE
        result = _Look(store, claim, now, self._asked).result()
        if result is DONE:
            self._asked.pop(uid_of(claim), None)
        return result


class _Look:
    """One look at one claim."""

    def __init__(self, store: Store, claim: Manifest, now: float, asked: dict[str, float]) -> None:
        self._store = store
        self._claim = claim
        self._now = now
        self._asked = asked

    def result(self) -> ReconcileResult:
        if BIND_COMPLETED in annotations_of(self._claim):
            self._check_bound()
            return DONE
        if spec_of(self._claim).get("volumeName"):
            self._bind_to_named()
            return DONE
        self._take_default_class()
        return self._find()

    # Bound already.

    def _check_bound(self) -> None:
        name = spec_of(self._claim).get("volumeName")
        if not name:
            return self._lose(f"Bound claim has lost reference to PersistentVolume. {_LOST}")
        volume = self._store.get("PersistentVolume", "", name)
        if volume is None:
            return self._lose(f"Bound claim has lost its PersistentVolume. {_LOST}")
        if is_free(volume):
            return self._bind(volume)
        if not is_for(volume, self._claim):
            return self._lose("Two claims are bound to the same volume, this one is bound incorrectly")
        return self._report_bound(volume)

    def _lose(self, message: str) -> None:
        if self._phase != "Lost":
            self._set_status({"phase": "Lost"})
            self._tell("ClaimLost" if "lost" in message else "ClaimMisbound", message, warning=True)

    # Not bound.

    def _bind_to_named(self) -> None:
        """The claim itself names the volume."""
        volume = self._store.get("PersistentVolume", "", spec_of(self._claim)["volumeName"])
        if volume is None:
            return self._wait()
        if is_for(volume, self._claim):
            return self._bind(volume)
        if not is_free(volume):
            self._tell("FailedBinding", f'volume "{volume["metadata"]["name"]}" already bound to a different claim.')
            return self._wait()
        trouble = misfit(volume, self._claim)
        if trouble:
            name = volume["metadata"]["name"]
            self._tell("VolumeMismatch", f'Cannot bind to requested volume "{name}": {trouble}', warning=True)
            return self._wait()
        return self._bind(volume)

    def _take_default_class(self) -> None:
        """A claim that says nothing of a class gets the default one, the newest where there are several."""
        if class_of(self._claim) is not None:
            return
        defaults = [each for each in self._store.list("StorageClass") if is_default(each)]
        if defaults:
            newest = max(
                defaults, key=lambda each: (each["metadata"].get("creationTimestamp") or "", each["metadata"]["name"])
            )
            self._claim = self._store.update(with_spec(self._claim, storageClassName=newest["metadata"]["name"]))

    def _find(self) -> ReconcileResult:
        name = class_of(self._claim)
        storage_class = self._store.get("StorageClass", "", name) if name else None
        waits = storage_class is not None and storage_class.get("volumeBindingMode") == WAIT_FOR_FIRST_CONSUMER
        volume = best_match(self._claim, self._store.list("PersistentVolume"), only_set_aside=waits)
        if volume is not None:
            self._bind(volume)
            return DONE
        self._wait()
        if waits and SELECTED_NODE not in annotations_of(self._claim):
            self._tell("WaitForFirstConsumer", "waiting for first consumer to be created before binding")
        elif not name:
            message = "no persistent volumes available for this claim and no storage class is set"
            self._tell("FailedBinding", message)
        elif storage_class is None:
            self._tell("ProvisioningFailed", f'storageclass.storage.k8s.io "{name}" not found', warning=True)
        elif storage_class["provisioner"] == NO_PROVISIONER:
            self._tell("ProvisioningFailed", f"no volume plugin matched name: {NO_PROVISIONER}", warning=True)
        else:
            return self._provision(storage_class)
        return DONE

    def _wait(self) -> None:
        if self._phase != "Pending":
            self._set_status({"phase": "Pending"})

    # Provisioning.

    def _provision(self, storage_class: Manifest) -> ReconcileResult:
        asked = self._asked.get(uid_of(self._claim))
        if asked is None:
            asked = self._asked[uid_of(self._claim)] = self._now
            self._ask(storage_class["provisioner"])
        left = asked + PROVISION_SECONDS - self._now
        if left > 0:
            return ReconcileResult(requeue_after=left)
        return self._make_volume(storage_class)

    def _ask(self, driver: str) -> None:
        if annotations_of(self._claim).get(STORAGE_PROVISIONER) == driver:
            return
        self._tell(
            "ExternalProvisioning",
            f"Waiting for a volume to be created either by the external provisioner '{driver}' or manually by the "
            "system administrator. If volume creation is delayed, please verify that the provisioner is running and "
            "correctly registered.",
        )
        self._claim = self._store.update(_annotated(self._claim, {STORAGE_PROVISIONER: driver}))

    def _make_volume(self, storage_class: Manifest) -> ReconcileResult:
        selected = annotations_of(self._claim).get(SELECTED_NODE)
        node = self._store.get("Node", "", selected) if selected else None
        driver = storage_class["provisioner"]
        if selected and node is None:
            self._tell("ProvisioningFailed", f'node "{selected}" not found', warning=True, source=driver)
            return DONE
        (answer,) = self._store.create_many([provisioned_volume(self._claim, storage_class, node, self._store)])
        if isinstance(answer, Refusal):
            self._tell("ProvisioningFailed", answer.message, warning=True, source=driver)
            return DONE
        name = answer["metadata"]["name"]
        self._tell("ProvisioningSucceeded", f"Successfully provisioned volume {name}", source=driver)
        self._bind(answer)
        return DONE

    # Writing.

    def _bind(self, volume: Manifest) -> None:
        if not (spec_of(volume).get("claimRef") or {}).get("uid"):
            if is_free(volume):
                volume = _annotated(volume, {BOUND_BY_CONTROLLER: "yes"})
            volume = self._store.update(with_spec(volume, claimRef=claim_reference(self._claim)))
        if (volume.get("status") or {}).get("phase") != BOUND:
            volume = self._store.update_status(volume, {**(volume.get("status") or {}), "phase": BOUND})
        chosen_here = not spec_of(self._claim).get("volumeName")
        marks = {BIND_COMPLETED: "yes", **({BOUND_BY_CONTROLLER: "yes"} if chosen_here else {})}
        self._claim = self._store.update(
            with_spec(_annotated(self._claim, marks), volumeName=volume["metadata"]["name"])
        )
        self._report_bound(volume)

    def _report_bound(self, volume: Manifest) -> None:
        offered = spec_of(volume)
        self._set_status(
            {
                "phase": "Bound",
                "accessModes": offered.get("accessModes") or [],
                "capacity": offered.get("capacity") or {},
            }
        )

    @property
    def _phase(self) -> str | None:
        return (self._claim.get("status") or {}).get("phase")

    def _set_status(self, fields: Manifest) -> None:
        before = self._claim.get("status") or {}
        if {**before, **fields} != before:
            self._claim = self._store.update_status(self._claim, {**before, **fields})

    def _tell(self, reason: str, message: str, *, warning: bool = False, source: str = SOURCE) -> None:
        self._store.record_events(
            [
                EventRecord(
                    regarding=self._claim,
                    event_type="Warning" if warning else "Normal",
                    reason=reason,
                    message=message,
                    source=source,
                )
            ]
        )


def _annotated(manifest: Manifest, annotations: dict[str, str]) -> Manifest:
    return with_metadata(manifest, annotations={**annotations_of(manifest), **annotations})
