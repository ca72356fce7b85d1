"""The counts of every cluster in Prometheus' text format, read from the database.

Any web process answers the same, since none of them counts anything itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from django.db.models import Count

from playground.scheduling.engine import metrics
from playground.scheduling.engine.metrics import BUCKETS, Counts, Histogram, escaped
from playground.scheduling.models import ClusterScheduler, QueuedPod, SchedulerMetrics

PENDING_PODS = "scheduler_pending_pods"
# kube-scheduler's words; pods of the other queues are not pending to it.
_PENDING = {"activeQ": "active", "backoffQ": "backoff", "unschedulablePods": "unschedulable", "gated": "gated"}

HELP = {
    PENDING_PODS: "Number of pending pods, by the queue type.",
    metrics.ATTEMPTS: "Number of attempts to schedule pods, by the result.",
    metrics.ATTEMPT_DURATION: "Seconds of wall time of a scheduling cycle.",
    metrics.ALGORITHM_DURATION: "Seconds of wall time to filter and score nodes in a scheduling cycle.",
    metrics.SLI_DURATION: "Seconds of cluster time from a pod's first attempt until it is bound.",
    metrics.POD_ATTEMPTS: "Number of attempts of a pod until it is bound.",
    metrics.INCOMING_PODS: "Number of pods added to scheduling queues by event and queue type.",
    metrics.PLUGIN_DURATION: "Seconds of wall time of a plugin at an extension point.",
    metrics.POINT_DURATION: "Seconds of all plugins of an extension point: wall time; of Bind: cluster time.",
    metrics.PREEMPTION_ATTEMPTS: "Number of preemptions that were carried out or tried.",
}


def metrics_text() -> str:
    """Every scheduler's, told apart by the labels `cluster` and, beside a cluster's first, `scheduler`."""
    schedulers = ClusterScheduler.objects.select_related("cluster").order_by("pk")
    sources = {row.pk: _source(row) for row in schedulers}
    counts = {
        sources[row.pk]: msgspec.convert(row.counts, Counts)
        for row in SchedulerMetrics.objects.order_by("pk")
        if row.pk in sources
    }
    return "\n".join([*_pending(sources), *_counters(counts), *_histograms(counts), ""])


def _source(scheduler: ClusterScheduler) -> str:
    """The labels that tell schedulers apart. The first of a cluster needs no name."""
    of_cluster = f'cluster="{escaped(scheduler.cluster.slug)}"'
    return of_cluster if scheduler.is_first else f'{of_cluster},scheduler="{escaped(scheduler.name)}"'


def _pending(sources: dict[int, str]) -> Iterator[str]:
    yield from _head(PENDING_PODS, "gauge")
    rows = QueuedPod.objects.filter(queue__in=_PENDING).values_list("scheduler_id", "queue").annotate(n=Count("pk"))
    pods = {(scheduler_id, queue): n for scheduler_id, queue, n in rows.order_by()}
    for scheduler_id, source in sources.items():
        for queue, word in _PENDING.items():
            yield _sample(PENDING_PODS, source, f'queue="{word}"', pods.get((scheduler_id, queue), 0))


def _counters(counts: dict[str, Counts]) -> Iterator[str]:
    for name in (metrics.ATTEMPTS, metrics.INCOMING_PODS, metrics.PREEMPTION_ATTEMPTS):
        yield from _head(name, "counter")
        for source, each in counts.items():
            for labels, value in sorted(each.counters.get(name, {}).items()):
                yield _sample(name, source, labels, value)


def _histograms(counts: dict[str, Counts]) -> Iterator[str]:
    for name in BUCKETS:
        yield from _head(name, "histogram")
        for source, each in counts.items():
            for labels, histogram in sorted(each.histograms.get(name, {}).items()):
                yield from _histogram(name, source, labels, histogram)


def _histogram(name: str, source: str, labels: str, histogram: Histogram) -> Iterator[str]:
    total = 0
    for bound, observed in zip((*BUCKETS[name], None), histogram.buckets, strict=True):
        total += observed
        le = "+Inf" if bound is None else f"{bound:g}"
        yield _sample(f"{name}_bucket", source, ",".join(filter(None, (labels, f'le="{le}"'))), total)
    yield _sample(f"{name}_sum", source, labels, histogram.sum)
    yield _sample(f"{name}_count", source, labels, total)


def _head(name: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {HELP[name]}"
    yield f"# TYPE {name} {kind}"


def _sample(name: str, source: str, labels: str, value: float) -> str:
    number = repr(value) if isinstance(value, float) and not value.is_integer() else str(int(value))
    return f"{name}{{{','.join(filter(None, (source, labels)))}}} {number}"
