"""What an update must not change."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from playground.clusters.admission.pods import add_default_tolerations, merge_label_keys
from playground.clusters.admission.schema import shown
from playground.clusters.kinds import Kind
from playground.common.errors import Cause

Manifest = dict[str, Any]

_POD_RULE = (
    "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
    "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing "
    "tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
)
# kind -> fields that stay as they were created
_FIXED: Mapping[str, tuple[str, ...]] = {
    "Deployment": ("spec.selector",),
    "ReplicaSet": ("spec.selector",),
    "DaemonSet": ("spec.selector",),
    "StatefulSet": ("spec.selector", "spec.serviceName", "spec.podManagementPolicy", "spec.volumeClaimTemplates"),
    "Job": ("spec.selector", "spec.completionMode"),
    "PriorityClass": ("value", "preemptionPolicy"),
    "StorageClass": ("provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"),
    "ResourceClaim": ("spec",),
    "ResourceClaimTemplate": ("spec",),
    "RuntimeClass": ("handler",),
    "Secret": ("type",),
}


def validate_update(kind: Kind, current: Manifest, wanted: Manifest) -> list[Cause]:
    if kind.kind == "Pod":
        return _pod(current, wanted)
    causes = [
        Cause(
            path=path,
            message=f"Invalid value: {shown(_at(wanted, path))}: field is immutable",
        )
        for path in _FIXED.get(kind.kind, ())
        if _at(current, path) != _at(wanted, path)
    ]
    return causes


def _at(manifest: Mapping[str, Any], path: str) -> Any:
    value: Any = manifest
    for key in path.split("."):
        value = (value or {}).get(key)
    return value


def keep_assigned(current: Manifest, wanted: Manifest) -> None:
    """What admission filled in stays where a client's manifest does not mention it."""
    before, after = current["spec"], wanted.get("spec")
    if not isinstance(after, dict):
        return
    for key in ("priority", "preemptionPolicy", "priorityClassName"):
        if key in before and key not in after:
            after[key] = before[key]
    add_default_tolerations(after)
    merge_label_keys(current["metadata"].get("labels") or {}, after)


def _pod(current: Manifest, wanted: Manifest) -> list[Cause]:
    before, after = current["spec"], wanted.get("spec") or {}
    causes = _removed_tolerations(before, after) + _added_gates(before, after)
    gated = bool(before.get("schedulingGates"))
    expected = _with_permitted_changes(before, after, gated)
    if expected != after:
        changed = sorted(key for key in {*expected, *after} if expected.get(key) != after.get(key))
        causes += [Cause(path=f"spec.{key}", message=_POD_RULE, reason="FieldValueForbidden") for key in changed]
    return causes


def _with_permitted_changes(before: Manifest, after: Manifest, gated: bool) -> Manifest:
    """The old spec with those changes of the new one that are allowed."""
    expected = deepcopy(before)
    for containers in ("containers", "initContainers"):
        images = {c.get("name"): c.get("image") for c in after.get(containers) or ()}
        for container in expected.get(containers) or ():
            container["image"] = images.get(container["name"], container.get("image"))
    permitted = ["tolerations", "activeDeadlineSeconds", "schedulingGates"]
    if gated:
        # A gated pod may be narrowed down; the engine sees it first when the last gate is gone.
        permitted += ["nodeSelector", "affinity"]
    for key in permitted:
        if key in after:
            expected[key] = after[key]
        else:
            expected.pop(key, None)
    return expected


def _removed_tolerations(before: Manifest, after: Manifest) -> list[Cause]:
    kept = after.get("tolerations") or ()
    if all(toleration in kept for toleration in before.get("tolerations") or ()):
        return []
    return [
        Cause(
            path="spec.tolerations",
            message="Forbidden: existing toleration can not be modified except its tolerationSeconds",
            reason="FieldValueForbidden",
        )
    ]


def _added_gates(before: Manifest, after: Manifest) -> list[Cause]:
    known = {gate["name"] for gate in before.get("schedulingGates") or ()}
    new = [gate["name"] for gate in after.get("schedulingGates") or () if gate.get("name") not in known]
    return [
        Cause(
            path="spec.schedulingGates",
            message=f"Forbidden: only deletion is allowed, but found new scheduling gate {shown(name)}",
            reason="FieldValueForbidden",
        )
        for name in new
    ]
