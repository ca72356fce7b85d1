"""What the API server does to pod (anti-)affinity terms on creation.

`matchLabelKeys` and `mismatchLabelKeys` name labels of the pod itself; their
values are written into the term's selector once, when the pod is created, so
the scheduler never looks at them again. A key the pod lacks is left out, and
so is a term without a selector.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_KINDS = ("podAffinity", "podAntiAffinity")
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def merge_label_keys(pod: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest of a pod with its label keys merged; the one given is left alone."""
    spec = pod.get("spec") or {}
    affinity = spec.get("affinity")
    if not affinity:
        return dict(pod)
    labels = (pod.get("metadata") or {}).get("labels") or {}
    merged = {kind: _merge(affinity[kind], labels) for kind in _KINDS if affinity.get(kind)}
    return {**pod, "spec": {**spec, "affinity": {**affinity, **merged}}}


def _merge(affinity: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, Any]:
    merged = dict(affinity)
    if affinity.get(_REQUIRED):
        merged[_REQUIRED] = [_merge_term(term, labels) for term in affinity[_REQUIRED]]
    if affinity.get(_PREFERRED):
        merged[_PREFERRED] = [
            {**each, "podAffinityTerm": _merge_term(each["podAffinityTerm"], labels)} for each in affinity[_PREFERRED]
        ]
    return merged


def _merge_term(term: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, Any]:
    selector = term.get("labelSelector")
    if selector is None:
        return dict(term)
    added = [
        {"key": key, "operator": operator, "values": [labels[key]]}
        for field, operator in (("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn"))
        for key in term.get(field) or ()
        if key in labels
    ]
    if not added:
        return dict(term)
    expressions = [*(selector.get("matchExpressions") or ()), *added]
    return {**term, "labelSelector": {**selector, "matchExpressions": expressions}}
