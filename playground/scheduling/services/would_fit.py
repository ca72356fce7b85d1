"""Where would this pod fit? The engine's own answer for every node, without changing anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from playground.clusters.admission import admit_create
from playground.clusters.kinds import KINDS
from playground.clusters.models import Cluster
from playground.clusters.selectors import object_get
from playground.clusters.services.asking_webhooks import read_asking_webhooks
from playground.common.errors import Cause, Invalid, NotFound, Subject
from playground.scheduling.engine.observer import Observer, Observers, observers
from playground.scheduling.engine.registry import registry_of
from playground.scheduling.selectors.schedulers import scheduler_for_pods
from playground.scheduling.services.profiles import configuration_check
from scheduler_core.framework.extenders import ExtenderSpec, is_interested
from scheduler_core.framework.runtime import Framework
from scheduler_core.objects.decode import decode
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import CycleReport, RejectionReport, StatusReport

# What an unnamed pod is called while it is asked about.
UNNAMED = "would-it-fit"


class NodeVerdict(msgspec.Struct, kw_only=True):
    """One node's answer."""

    node: str
    fits: bool
    # The first plugin that rejects it, with its status code and reasons; "" where it fits.
    plugin: str = ""
    code: str = "Success"
    reasons: list[str] = []
    # Total of the Score plugins; None where it does not fit or nothing was scored.
    score: int | None = None
    # With `explain`: everything that rejects the node, not only the first.
    rejections: list[RejectionReport] = []


class WouldFitAnswer(msgspec.Struct, kw_only=True):
    # Of the feed that the answer is about.
    version: int
    nodes: list[NodeVerdict]
    # The nodes with the highest total, one of which would be drawn; the only one that fits, where one does.
    best: list[str] = []
    # The FailedScheduling text where no node fits.
    message: str = ""
    # urlPrefix of HTTP extenders that would have a say: a mere question is not passed on to them.
    extenders_not_asked: list[str] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """How a pod is asked about."""

    # Name every plugin that rejects a node.
    explain: bool = False
    # A KubeSchedulerConfiguration to ask instead of the running one; None: the running one.
    configuration: Any = None


def manifest_would_fit(
    *,
    cluster: Cluster,
    manifest: Mapping[str, Any],
    question: Question = Question(),
    observers: Observers = observers,
) -> WouldFitAnswer:
    """For a pod that does not exist; it is read and completed as if it were created. Raises BadRequest, Invalid."""
    return _answer(cluster, manifest_completed(cluster, manifest), question, observers)


def manifest_completed(cluster: Cluster, manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """A pod's manifest as it would be stored. Raises BadRequest, Invalid."""
    named = {**manifest, "metadata": _named(manifest.get("metadata"))}
    named.setdefault("apiVersion", "v1")
    named.setdefault("kind", "Pod")
    admit = partial(admit_create, kind=KINDS["Pod"], manifest=named, namespace=None, strict=True)
    return read_asking_webhooks(cluster.pk, admit)


def pod_would_fit(
    *,
    cluster: Cluster,
    namespace: str,
    name: str,
    question: Question = Question(),
    observers: Observers = observers,
) -> WouldFitAnswer:
    """For a pod that is there; one that has a node already is asked about as if it had none."""
    return _answer(cluster, manifest_stored(cluster, namespace, name), question, observers)


def manifest_stored(cluster: Cluster, namespace: str, name: str) -> Mapping[str, Any]:
    """Raises NotFound."""
    manifest = object_get(cluster.pk, "Pod", namespace, name)
    if manifest is None:
        raise NotFound(f'pods "{name}" not found', subject=Subject(name=name, kind="pods"))
    return manifest


def _named(metadata: object) -> Any:
    """Metadata with a name, which a template need not have; what is no object is left for admission to refuse."""
    if metadata is None:
        return {"name": UNNAMED}
    if not isinstance(metadata, Mapping):
        return metadata
    return {**metadata} if metadata.get("name") else {**metadata, "name": UNNAMED}


def _answer(cluster: Cluster, manifest: Mapping[str, Any], question: Question, observers: Observers) -> WouldFitAnswer:
    pod = pod_pending(manifest)
    registry = registry_of(cluster.pk)
    given = None
    if question.configuration is not None:
        given = configuration_check(document=question.configuration, registry=registry)
    asked = scheduler_for_pods(cluster_id=cluster.pk, scheduler_name=pod.scheduler_name)
    with observers.looking(cluster, asked.pk) as observer:
        frameworks = observer.frameworks(given.profiles if given else None, registry)
        framework = frameworks.get(pod.scheduler_name)
        if framework is not None:
            with observer.scheduler.as_if_unplaced(pod):
                report = observer.scheduler.schedule_pod(pod, dry=True, framework=framework)
                nodes = _verdicts(report, list(observer.scheduler.cache.snapshot.names))
                if question.explain:
                    _explain(observer, pod, framework, nodes)
            return WouldFitAnswer(
                version=observer.version,
                nodes=nodes,
                best=_best(report, nodes),
                message=report.message,
                extenders_not_asked=_not_asked(given.extenders if given else observer.extenders, pod),
            )
    message = f"no profile has the scheduler name {pod.scheduler_name!r}; there is {', '.join(frameworks)}"
    raise Invalid(f"spec.schedulerName: {message}", [Cause(path="spec.schedulerName", message=message)])


def _not_asked(extenders: Sequence[ExtenderSpec], pod: PodInfo) -> list[str]:
    concerned = (each for each in extenders if each.filter_verb or each.prioritize_verb)
    return [each.url_prefix for each in concerned if is_interested(each, pod)]


def pod_pending(manifest: Mapping[str, Any]) -> PodInfo:
    """As if it had no node yet."""
    free = deepcopy(dict(manifest))
    free["spec"].pop("nodeName", None)
    decoded = decode(free)
    assert isinstance(decoded, Pod)
    return PodInfo(decoded)


def _verdicts(report: CycleReport, names: list[str]) -> list[NodeVerdict]:
    """Every node in the order of the cluster."""
    found = report.filter
    absent = found.absent if found is not None and found.absent is not None else _everywhere(report)
    known: dict[str, NodeVerdict] = {}
    if found is not None:
        totals = _totals(report)
        for node, status in zip(found.nodes, _list(found.status), strict=True):
            rejection = None if status < 0 else found.statuses[status]
            known[node] = _verdict(node, rejection, totals.get(node))
    return [known.get(name) or _verdict(name, absent, None) for name in names]


def _verdict(node: str, rejection: StatusReport | None, score: int | None) -> NodeVerdict:
    if rejection is None:
        return NodeVerdict(node=node, fits=True, score=score)
    return NodeVerdict(
        node=node, fits=False, plugin=rejection.plugin, code=rejection.code, reasons=list(rejection.reasons)
    )


def _everywhere(report: CycleReport) -> StatusReport:
    """What rejected all nodes before any was looked at: a PreFilter plugin, or an error."""
    for point in report.points:
        for run in point.plugins:
            if run.status.code not in ("Success", "Skip"):
                return StatusReport(code=run.status.code, plugin=run.name, reasons=list(run.status.reasons))
    return StatusReport(code="Unschedulable", reasons=[report.message])


def _totals(report: CycleReport) -> dict[str, int]:
    return dict(zip(report.score.nodes, _list(report.score.totals), strict=True)) if report.score else {}


def _list(column: Any) -> list[int]:
    return column.tolist() if hasattr(column, "tolist") else list(column)


def _best(report: CycleReport, nodes: list[NodeVerdict]) -> list[str]:
    return list(report.score.best) if report.score else [verdict.node for verdict in nodes if verdict.fits]


def _explain(observer: Observer, pod: PodInfo, framework: Framework, nodes: list[NodeVerdict]) -> None:
    rejected = [verdict for verdict in nodes if not verdict.fits]
    found = observer.scheduler.explain_nodes(pod, [verdict.node for verdict in rejected], framework)
    for verdict, rejections in zip(rejected, found, strict=True):
        verdict.rejections = rejections
