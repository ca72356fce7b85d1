"""VolumeRestrictions: what two pods must not share.

A disk of the old in-line kinds cannot be on one node twice, unless both pods
only read it. A claim that only one pod at a time may use (ReadWriteOncePod)
keeps every other pod waiting, wherever it is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.events import on, queue, skip
from scheduler_core.framework.interface import (
    ALL_FIT,
    NOTHING_TO_FILTER,
    EventRegistration,
    HintAnswer,
    Plugin,
    PreFilterResult,
    Rows,
    Verdicts,
)
from scheduler_core.framework.status import SUCCESS, Status, unresolvable, unschedulable
from scheduler_core.objects.pod import (
    AwsElasticBlockStore,
    GcePersistentDisk,
    IscsiVolume,
    Pod,
    RbdVolume,
    Volume,
)
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.storage import READ_WRITE_ONCE_POD, PersistentVolumeClaim
from scheduler_core.snapshot.snapshot import Snapshot

DISK_CONFLICT = unschedulable("node(s) had no available disk")
CLAIM_IN_USE = unschedulable(
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
)

_STATE = "VolumeRestrictions"


@dataclass(slots=True)
class SinglePodClaims:
    """The ReadWriteOncePod claims of the pod, and how often other pods use them."""

    names: frozenset[str]
    users: int

    def clone(self) -> SinglePodClaims:
        return SinglePodClaims(self.names, self.users)


class VolumeRestrictions(Plugin):
    """Rejects nodes with a conflicting disk, and all nodes while a single-pod claim is in use."""

    name = "VolumeRestrictions"

    def pre_filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot) -> PreFilterResult:
        if not pod.has_volumes:
            return NOTHING_TO_FILTER
        claims = {name: self._claim(pod, name) for name in _direct_claims(pod)}
        missing = next((name for name, claim in claims.items() if claim is None), None)
        if missing is not None:
            return PreFilterResult(unresolvable(f'persistentvolumeclaim "{missing}" not found'))
        names = self._single_pod_claims(pod)
        users = sum(snapshot.claim_users(pod.namespace, name) > 0 for name in names)
        state.write(_STATE, SinglePodClaims(names, users))
        if not users and not _exclusive_disks(pod):
            return NOTHING_TO_FILTER
        return PreFilterResult()

    def _claim(self, pod: PodInfo, name: str) -> PersistentVolumeClaim | None:
        return self.handle.lister.get("PersistentVolumeClaim", pod.namespace, name)

    def _single_pod_claims(self, pod: PodInfo) -> frozenset[str]:
        claims = (self._claim(pod, name) for name in _direct_claims(pod))
        return frozenset(
            claim.name for claim in claims if claim is not None and READ_WRITE_ONCE_POD in claim.spec.access_modes
        )

    def add_pod(self, state: CycleState, pod: PodInfo, added: PodInfo, row: int) -> Status:
        return self._pod_changed(state, pod, added, 1)

    def remove_pod(self, state: CycleState, pod: PodInfo, removed: PodInfo, row: int) -> Status:
        return self._pod_changed(state, pod, removed, -1)

    def _pod_changed(self, state: CycleState, pod: PodInfo, changed: PodInfo, change: int) -> Status:
        claims: SinglePodClaims | None = state.get(_STATE)
        if claims is not None and changed.namespace == pod.namespace:
            claims.users += change * sum(name in claims.names for name in _direct_claims(changed))
        return SUCCESS

    def filter(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Verdicts:
        claims: SinglePodClaims = state.read(_STATE)
        disks = _exclusive_disks(pod)
        if claims.users <= 0 and not disks:
            return ALL_FIT
        selected = snapshot.all_rows[rows]
        codes = np.full(len(selected), 2 if claims.users > 0 else 0, dtype=np.int16)
        if disks:
            for i in np.flatnonzero(np.isin(selected, snapshot.rows_with_volumes())):
                if _conflicts(disks, snapshot.pods_with_volumes(int(selected[i]))):
                    codes[i] = 1
        return Verdicts(codes, (DISK_CONFLICT, CLAIM_IN_USE))

    def remedies(self, pod: PodInfo, snapshot: Snapshot, row: int) -> Sequence[str]:
        disks, here = _exclusive_disks(pod), snapshot.pods_with_volumes(row)
        found = [f"pod {each.key} gone, it has a disk of the pod" for each in here if _conflicts(disks, [each])]
        used = [name for name in self._single_pod_claims(pod) if snapshot.claim_users(pod.namespace, name)]
        return [*found, *(f"nobody else using claim {name}" for name in sorted(used))]

    def events_to_register(self) -> Sequence[EventRegistration]:
        return (
            on("Pod", "Delete", hint=self._pod_deleted),
            on("Node", "Add"),
            on("PersistentVolumeClaim", "Add", hint=self._claim_added),
        )

    def _pod_deleted(self, pod: PodInfo, old: Pod | None, new: Pod | None) -> HintAnswer:
        if old is None:
            return skip("no pod was deleted")
        gone = PodInfo(old)
        if gone.namespace != pod.namespace:
            return skip("the deleted pod was in another namespace")
        if _conflicts(_exclusive_disks(pod), [gone]):
            return queue("the deleted pod had a disk of the pod")
        if set(_direct_claims(pod)) & set(_direct_claims(gone)):
            return queue("the deleted pod used a claim of the pod")
        return skip("the deleted pod shared no volume with the pod")

    def _claim_added(
        self, pod: PodInfo, old: PersistentVolumeClaim | None, new: PersistentVolumeClaim | None
    ) -> HintAnswer:
        if new is None or new.namespace != pod.namespace:
            return skip("the claim is in another namespace")
        if new.name in _direct_claims(pod):
            return queue("a claim of the pod was created")
        return skip("the pod does not use the claim")


def _direct_claims(pod: PodInfo) -> list[str]:
    """Claims that the pod names itself."""
    return [
        each.persistent_volume_claim.claim_name
        for each in pod.pod.spec.volumes
        if each.persistent_volume_claim is not None
    ]


def _exclusive_disks(pod: PodInfo) -> list[Volume]:
    return [each for each in pod.pod.spec.volumes if _is_exclusive(each)]


def _is_exclusive(volume: Volume) -> bool:
    kinds = (volume.gce_persistent_disk, volume.aws_elastic_block_store, volume.rbd, volume.iscsi)
    return any(each is not None for each in kinds)


def _conflicts(disks: Sequence[Volume], pods: Collection[PodInfo]) -> bool:
    return any(_conflict(disk, other) for disk in disks for pod in pods for other in pod.pod.spec.volumes)


def _conflict(one: Volume, other: Volume) -> bool:
    return (
        _same_gce_disk(one.gce_persistent_disk, other.gce_persistent_disk)
        or _same_aws_disk(one.aws_elastic_block_store, other.aws_elastic_block_store)
        or _same_iscsi_target(one.iscsi, other.iscsi)
        or _same_rbd_image(one.rbd, other.rbd)
    )


def _same_gce_disk(one: GcePersistentDisk | None, other: GcePersistentDisk | None) -> bool:
    if one is None or other is None or one.pd_name != other.pd_name:
        return False
    return not (one.read_only and other.read_only)


def _same_aws_disk(one: AwsElasticBlockStore | None, other: AwsElasticBlockStore | None) -> bool:
    # Also when both only read it.
    return one is not None and other is not None and one.volume_id == other.volume_id


def _same_iscsi_target(one: IscsiVolume | None, other: IscsiVolume | None) -> bool:
    if one is None or other is None or one.iqn != other.iqn:
        return False
    return not (one.read_only and other.read_only)


def _same_rbd_image(one: RbdVolume | None, other: RbdVolume | None) -> bool:
    if one is None or other is None or (one.pool, one.image) != (other.pool, other.image):
        return False
    return bool(set(one.monitors) & set(other.monitors)) and not (one.read_only and other.read_only)
