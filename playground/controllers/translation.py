"""Rows <-> the engine's values."""

from __future__ import annotations

from playground.clusters.services.events import NewEvent, Regarding
from playground.clusters.settings import ClusterSettings
from playground.common.errors import ApiError
from playground.controllers.models import KubeletStep
from scheduler_core.controllers.interface import Refusal
from scheduler_core.kubelet.pod_life import PodStep, Step
from scheduler_core.kubelet.settings import KubeletSettings
from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import Manifest, uid_of


def new_event(record: EventRecord) -> NewEvent:
    return NewEvent(
        regarding=_regarding(record.regarding, record.field_path),
        type=record.event_type,
        reason=record.reason,
        message=record.message,
        source=record.source,
        host=record.host,
        count=record.count,
    )


def _regarding(manifest: Manifest, field_path: str) -> Regarding:
    metadata = manifest["metadata"]
    return Regarding(
        kind=manifest["kind"],
        api_version=manifest["apiVersion"],
        namespace=metadata.get("namespace", ""),
        name=metadata["name"],
        uid=uid_of(manifest),
        resource_version=metadata.get("resourceVersion", ""),
        field_path=field_path,
    )


def refusal(error: ApiError) -> Refusal:
    return Refusal(reason=error.reason, message=error.message)


def kubelet_settings(settings: ClusterSettings) -> KubeletSettings:
    return KubeletSettings(
        pull_seconds=settings.pull_seconds,
        start_seconds=settings.start_seconds,
        stop_seconds=settings.stop_seconds,
        job_seconds=settings.job_seconds,
    )


def pod_step(row: KubeletStep) -> PodStep:
    return PodStep(step=Step(row.step), due_at=row.due_at, since=row.since, images=tuple(row.images))


def step_row(cluster_id: int, pod: Manifest, step: PodStep) -> KubeletStep:
    return KubeletStep(
        cluster_id=cluster_id,
        pod_uid=uid_of(pod),
        node_name=pod["spec"]["nodeName"],
        step=step.step.value,
        since=step.since,
        due_at=step.due_at,
        images=list(step.images),
    )
