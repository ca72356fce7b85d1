"""Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob: selector, template, counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playground.clusters.admission.metadata import label_causes
from playground.clusters.admission.validation.causes import (
    Json,
    count_or_percent,
    forbidden,
    invalid,
    not_negative,
    required,
    selector,
    supported,
)
from playground.clusters.admission.validation.pods import pod_spec
from playground.common.errors import Cause
from scheduler_core.objects.decode import DecodeError, decode_as
from scheduler_core.objects.label_selector import LabelSelector, compile_selector


def deployment(manifest: Json) -> Iterator[Cause]:
    yield from _selected_workload(manifest)
    spec = manifest.get("spec") or {}
    yield from _counts(spec, ("replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"))
    yield from _strategy(spec.get("strategy") or {})


def replica_set(manifest: Json) -> Iterator[Cause]:
    yield from _selected_workload(manifest)
    yield from _counts(manifest.get("spec") or {}, ("replicas", "minReadySeconds"))


def replication_controller(manifest: Json) -> Iterator[Cause]:
    spec = manifest.get("spec") or {}
    yield from _counts(spec, ("replicas", "minReadySeconds"))
    yield from label_causes(spec.get("selector") or {}, "spec.selector")
    yield from template("spec.template", spec.get("template"), ("Always",))


def stateful_set(manifest: Json) -> Iterator[Cause]:
    yield from _selected_workload(manifest)
    spec = manifest.get("spec") or {}
    yield from _counts(spec, ("replicas", "minReadySeconds", "revisionHistoryLimit"))
    yield from supported("spec.podManagementPolicy", spec.get("podManagementPolicy"), ("OrderedReady", "Parallel"))


def daemon_set(manifest: Json) -> Iterator[Cause]:
    yield from _selected_workload(manifest)
    yield from _counts(manifest.get("spec") or {}, ("minReadySeconds", "revisionHistoryLimit"))


def job(manifest: Json) -> Iterator[Cause]:
    yield from _job_spec("spec", manifest.get("spec"))


def cron_job(manifest: Json) -> Iterator[Cause]:
    spec = manifest.get("spec") or {}
    if not spec.get("schedule"):
        yield required("spec.schedule")
    yield from supported("spec.concurrencyPolicy", spec.get("concurrencyPolicy"), ("Allow", "Forbid", "Replace"))
    yield from _job_spec("spec.jobTemplate.spec", (spec.get("jobTemplate") or {}).get("spec"))


def _job_spec(path: str, spec: Json | None) -> Iterator[Cause]:
    if spec is None:
        yield required(path)
        return
    for field in ("parallelism", "completions", "backoffLimit", "activeDeadlineSeconds", "ttlSecondsAfterFinished"):
        yield from not_negative(f"{path}.{field}", spec.get(field))
    yield from supported(f"{path}.completionMode", spec.get("completionMode"), ("NonIndexed", "Indexed"))
    yield from selector(f"{path}.selector", spec.get("selector"))
    yield from template(f"{path}.template", spec.get("template"), ("OnFailure", "Never"))


def _selected_workload(manifest: Json) -> Iterator[Cause]:
    """A selector that selects the template's pods."""
    spec = manifest.get("spec")
    if spec is None:
        yield required("spec")
        return
    wanted = spec.get("selector")
    if wanted is None:
        yield required("spec.selector")
    elif not wanted.get("matchLabels") and not wanted.get("matchExpressions"):
        yield invalid("spec.selector", wanted, "empty selector is invalid for this kind")
    else:
        yield from selector("spec.selector", wanted)
        labels = ((spec.get("template") or {}).get("metadata") or {}).get("labels") or {}
        if not _selects(wanted, labels):
            yield invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")
    yield from template("spec.template", spec.get("template"), ("Always",))


def _selects(wanted: Json, labels: Json) -> bool:
    try:
        return compile_selector(decode_as(LabelSelector, wanted)).matches(labels)
    except DecodeError:
        # Its operators have been told to be wrong already.
        return True


def template(path: str, value: Json | None, restart_policies: tuple[str, ...]) -> Iterator[Cause]:
    if value is None:
        yield required(path)
        return
    labels = (value.get("metadata") or {}).get("labels") or {}
    yield from label_causes(labels, f"{path}.metadata.labels")
    spec = value.get("spec")
    if spec is None:
        yield required(f"{path}.spec")
        return
    yield from supported(f"{path}.spec.restartPolicy", spec.get("restartPolicy"), restart_policies)
    yield from pod_spec(f"{path}.spec", {**spec, "restartPolicy": "Always"}, labels)


def _counts(spec: Json, fields: tuple[str, ...]) -> Iterator[Cause]:
    for field in fields:
        yield from not_negative(f"spec.{field}", spec.get(field))


def _strategy(strategy: Json) -> Iterator[Cause]:
    path, type_ = "spec.strategy", strategy.get("type")
    yield from supported(f"{path}.type", type_, ("Recreate", "RollingUpdate"))
    rolling = strategy.get("rollingUpdate")
    if rolling is None:
        return
    if type_ == "Recreate":
        yield forbidden(f"{path}.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'")
    for field in ("maxUnavailable", "maxSurge"):
        yield from count_or_percent(f"{path}.rollingUpdate.{field}", rolling.get(field))
    if all(_is_zero(rolling.get(field)) for field in ("maxUnavailable", "maxSurge")):
        rule = "may not be 0 when `maxSurge` is 0"
        yield invalid(f"{path}.rollingUpdate.maxUnavailable", rolling.get("maxUnavailable"), rule)


def _is_zero(value: Any) -> bool:
    return value in (0, "0%")
