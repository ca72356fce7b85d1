"""What admission does to a new pod beside defaults: priority, tolerations, gates, affinity's label keys.

These are the admission plugins Priority and DefaultTolerationSeconds, and the
preparation of a pod by the API server: its QoS class, the condition that says
it is gated, and `matchLabelKeys`, which become requirements of the selector.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from playground.clusters.kinds import KINDS
from playground.clusters.selectors import rows
from playground.common.errors import Cause, Forbidden
from scheduler_core.objects.quantity import quantity

if TYPE_CHECKING:
    from playground.clusters.services.transaction import ClusterTransaction

Manifest = dict[str, Any]

# Evicted after this long on a node that is not ready or cannot be reached.
TOLERATION_SECONDS = 300
_NODE_TROUBLE = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_QOS_RESOURCES = ("cpu", "memory")
SYSTEM_PREFIX = "system-"


def admit_pod(tx: ClusterTransaction, manifest: Manifest) -> None:
    """The server's own mutating plugins; they run again where a hook has changed the pod."""
    spec = manifest.get("spec")
    if not isinstance(spec, dict):
        return
    _resolve_priority(tx, manifest, spec)
    add_default_tolerations(spec)


def prepare_pod(tx: ClusterTransaction, manifest: Manifest) -> None:
    """What the server adds when nobody else changes the pod any more."""
    spec = manifest.get("spec")
    if not isinstance(spec, dict):
        return
    merge_label_keys(manifest["metadata"].get("labels") or {}, spec)
    manifest["status"] = _new_status(spec, tx.timestamp)


def _resolve_priority(tx: ClusterTransaction, manifest: Manifest, spec: Manifest) -> None:
    classes = _priority_classes(tx)
    name = spec.get("priorityClassName") or _global_default(classes)
    if not name:
        _settle_priority(manifest, spec, 0, "PreemptLowerPriority")
        return
    found = classes.get(name)
    if found is None:
        raise _forbidden(manifest, f"no PriorityClass with name {name} was found", "spec.priorityClassName")
    spec["priorityClassName"] = name
    _settle_priority(manifest, spec, found["value"], found.get("preemptionPolicy", "PreemptLowerPriority"))


def _settle_priority(manifest: Manifest, spec: Manifest, priority: int, policy: str) -> None:
    if spec.get("priority", priority) != priority:
        raise _forbidden(
            manifest,
            f"the integer value of priority ({spec['priority']}) must not be provided in pod spec; "
            f"priority admission controller computed {priority} from the given PriorityClass name",
            "spec.priority",
        )
    if spec.get("preemptionPolicy", policy) != policy:
        raise _forbidden(
            manifest,
            f"the string value of PreemptionPolicy ({spec['preemptionPolicy']}) must not be provided in pod spec; "
            f"priority admission controller computed {policy} from the given PriorityClass name",
            "spec.preemptionPolicy",
        )
    spec["priority"], spec["preemptionPolicy"] = priority, policy


def _forbidden(manifest: Manifest, why: str, path: str) -> Forbidden:
    name = manifest["metadata"].get("name") or manifest["metadata"].get("generateName", "")
    return Forbidden(f'pods "{name}" is forbidden: {why}', [Cause(path=path, message=why)])


def _priority_classes(tx: ClusterTransaction) -> dict[str, Manifest]:
    written = sum(1 for change in tx.changes if change.kind == "PriorityClass")
    known = tx.memo.get("priority_classes")
    if known is None or known[0] != written:
        query = rows(tx.cluster.pk, KINDS["PriorityClass"]).values_list("name", "manifest")
        known = tx.memo["priority_classes"] = (written, dict(query))
    classes: dict[str, Manifest] = known[1]
    return classes


def _global_default(classes: Mapping[str, Manifest]) -> str:
    """Of several, the one with the smallest value, as in Kubernetes."""
    defaults = [(found["value"], name) for name, found in classes.items() if found.get("globalDefault")]
    return min(defaults)[1] if defaults else ""


def add_default_tolerations(spec: Manifest) -> None:
    tolerations = spec.get("tolerations") or []
    missing = [key for key in _NODE_TROUBLE if not any(_covers(toleration, key) for toleration in tolerations)]
    added = [
        {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": TOLERATION_SECONDS}
        for key in missing
    ]
    if added:
        spec["tolerations"] = [*tolerations, *added]


def _covers(toleration: Mapping[str, Any], key: str) -> bool:
    return toleration.get("key", "") in ("", key) and toleration.get("effect", "") in ("", "NoExecute")


def merge_label_keys(labels: Mapping[str, str], spec: Manifest) -> None:
    """`matchLabelKeys` (`mismatchLabelKeys`): the pod's own values, as requirements In (NotIn)."""
    for term in _pod_affinity_terms(spec):
        if term.get("labelSelector") is not None:
            _add_requirements(term["labelSelector"], labels, term.get("matchLabelKeys"), "In")
            _add_requirements(term["labelSelector"], labels, term.get("mismatchLabelKeys"), "NotIn")
    for constraint in spec.get("topologySpreadConstraints") or ():
        if constraint.get("labelSelector") is not None:
            _add_requirements(constraint["labelSelector"], labels, constraint.get("matchLabelKeys"), "In")


def _pod_affinity_terms(spec: Mapping[str, Any]) -> Iterator[Manifest]:
    affinity = spec.get("affinity") or {}
    for side in ("podAffinity", "podAntiAffinity"):
        terms = affinity.get(side) or {}
        yield from terms.get("requiredDuringSchedulingIgnoredDuringExecution") or ()
        for weighted in terms.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
            if isinstance(weighted.get("podAffinityTerm"), dict):
                yield weighted["podAffinityTerm"]


def _add_requirements(selector: Manifest, labels: Mapping[str, str], keys: list[str] | None, operator: str) -> None:
    for key in keys or ():
        if key in labels:
            requirement = {"key": key, "operator": operator, "values": [labels[key]]}
            expressions = selector.get("matchExpressions") or []
            if requirement not in expressions:
                selector["matchExpressions"] = [*expressions, requirement]


def _new_status(spec: Mapping[str, Any], timestamp: str) -> Manifest:
    status: Manifest = {"phase": "Pending", "qosClass": qos_class(spec)}
    if spec.get("schedulingGates"):
        status["conditions"] = [
            {
                "type": "PodScheduled",
                "status": "False",
                "reason": "SchedulingGated",
                "message": "Scheduling is blocked due to non-empty scheduling gates",
                "lastProbeTime": None,
                "lastTransitionTime": timestamp,
            }
        ]
    return status


def qos_class(spec: Mapping[str, Any]) -> str:
    """Guaranteed: every container limits cpu and memory to what it requests. BestEffort: none asks for any."""
    asks = False
    guaranteed = True
    for container in [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]:
        resources = container.get("resources") or {}
        requests, limits = _nonzero(resources.get("requests")), _nonzero(resources.get("limits"))
        asks = asks or bool(requests or limits)
        guaranteed = guaranteed and len(limits) == len(_QOS_RESOURCES) and requests == limits
    if not asks:
        return "BestEffort"
    return "Guaranteed" if guaranteed else "Burstable"


def _nonzero(resources: Mapping[str, str] | None) -> dict[str, int]:
    amounts: dict[str, int] = {}
    for name in _QOS_RESOURCES:
        text = (resources or {}).get(name)
        try:
            nano = quantity(text).nano if text is not None else 0
        except ValueError:
            # Reported by the schema; here it is as good as absent.
            nano = 0
        if nano:
            amounts[name] = nano
    return amounts
