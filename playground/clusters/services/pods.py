"""What only pods have: a binding, set once, and eviction.

    pod_bind_many(tx, bindings=[PodBinding(namespace=, name=, uid=, node_name=), ...]) -> list[Manifest | ApiError]

Each pod is bound or refused by itself. A pod that is bound to that very node
already is a success, so that a binding task can be run again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playground.clusters.kinds import KINDS
from playground.clusters.models import ClusterObject
from playground.clusters.selectors import Manifest
from playground.clusters.services import store
from playground.clusters.services.objects import merge_conditions, not_found, subject
from playground.clusters.services.transaction import ClusterTransaction
from playground.common.errors import ApiError, Cause, Conflict, Invalid


@dataclass(frozen=True, slots=True, kw_only=True)
class PodBinding:
    namespace: str
    name: str
    # "": whichever pod has the name.
    uid: str = ""
    node_name: str
    # Added to the pod's.
    annotations: Mapping[str, str] = field(default_factory=dict)
    # True: a pod that is bound to the same node already is a success.
    repeatable: bool = True


def pod_bind_many(tx: ClusterTransaction, *, bindings: Sequence[PodBinding]) -> list[Manifest | ApiError]:
    """Set `spec.nodeName` of many pods."""
    kind = KINDS["Pod"]
    found = store.rows_by_name(tx, kind, [(binding.namespace, binding.name) for binding in bindings])
    results: list[Manifest | ApiError] = []
    changed: dict[int, tuple[ClusterObject, Manifest]] = {}
    for binding in bindings:
        row = found.get((binding.namespace, binding.name))
        try:
            results.append(_bind(tx, row, binding, changed))
        except ApiError as error:
            results.append(error)
    store.update(tx, kind, list(changed.values()))
    return results


def _bind(
    tx: ClusterTransaction,
    row: ClusterObject | None,
    binding: PodBinding,
    changed: dict[int, tuple[ClusterObject, Manifest]],
) -> Manifest:
    kind = KINDS["Pod"]
    if row is None:
        raise not_found(kind, binding.name)
    current = changed[row.pk][1] if row.pk in changed else row.manifest
    if binding.uid and binding.uid != row.uid:
        raise _refused(
            binding, f"Precondition failed: UID in precondition: {binding.uid}, UID in object meta: {row.uid}"
        )
    bound_to = current["spec"].get("nodeName", "")
    if bound_to == binding.node_name and binding.repeatable:
        return current
    _check_bindable(current, binding, bound_to)
    after = _bound(current, binding, tx.timestamp)
    changed[row.pk] = (row, after)
    return after


def _check_bindable(manifest: Manifest, binding: PodBinding, bound_to: str) -> None:
    if not binding.node_name:
        raise Invalid(
            f'Binding "{binding.name}" is invalid: target.name: Required value: the node to bind to',
            [Cause(path="target.name", message="Required value: the node to bind to", reason="FieldValueRequired")],
        )
    if manifest["metadata"].get("deletionTimestamp"):
        raise _refused(binding, f"pod {binding.name} is being deleted, cannot be assigned to a host")
    if bound_to:
        raise _refused(binding, f"pod {binding.name} is already assigned to node {bound_to!r}".replace("'", '"'))
    if manifest["spec"].get("schedulingGates"):
        raise _refused(binding, f"pod {binding.name} has non-empty .spec.schedulingGates")


def _refused(binding: PodBinding, why: str) -> Conflict:
    return Conflict(
        f'Operation cannot be fulfilled on pods/binding "{binding.name}": {why}',
        subject=subject(KINDS["Pod"], binding.name),
    )


def _bound(manifest: Manifest, binding: PodBinding, timestamp: str) -> Manifest:
    status: dict[str, Any] = dict(manifest.get("status") or {})
    scheduled = {"type": "PodScheduled", "status": "True", "lastProbeTime": None}
    status["conditions"] = merge_conditions(status.get("conditions") or [], [scheduled], timestamp)
    metadata = dict(manifest["metadata"])
    if binding.annotations:
        metadata["annotations"] = {**(metadata.get("annotations") or {}), **binding.annotations}
    return {
        **manifest,
        "metadata": metadata,
        "spec": {**manifest["spec"], "nodeName": binding.node_name},
        "status": status,
    }
