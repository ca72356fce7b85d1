"""Whether a request is a hook's affair: its rules, its namespace selector, its object selector.

Policies and webhooks share this. Every kind here has one version only, so a
matchPolicy of Exact and of Equivalent come to the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from playground.clusters.admission.mutation.request import AdmissionRequest, Manifest
from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.label_selector import LabelSelector, Selector, compile_selector

Labels = Mapping[str, str]

GROUP = "admissionregistration.k8s.io"
# Never intercepted, so that a bad hook can always be taken away.
EXEMPT_KINDS = frozenset(
    {
        "MutatingWebhookConfiguration",
        "ValidatingWebhookConfiguration",
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
    }
)


def is_exempt(request: AdmissionRequest) -> bool:
    return request.kind.group == GROUP and request.kind.kind in EXEMPT_KINDS


def any_rule_matches(rules: Sequence[Manifest], request: AdmissionRequest) -> bool:
    return any(_rule_matches(rule, request) for rule in rules)


def _rule_matches(rule: Manifest, request: AdmissionRequest) -> bool:
    kind = request.kind
    names = rule.get("resourceNames") or ()
    return (
        _has(rule.get("apiGroups"), kind.group)
        and _has(rule.get("apiVersions"), kind.version)
        and _has(rule.get("operations"), request.operation)
        and any(_resource_matches(each, request) for each in rule.get("resources") or ())
        and _scope_matches(rule.get("scope", "*"), request)
        and (not names or request.name in names)
    )


def _has(values: Sequence[str] | None, value: str) -> bool:
    return values is not None and ("*" in values or value in values)


def _resource_matches(pattern: str, request: AdmissionRequest) -> bool:
    """`pods` is pods, `pods/*` its subresources too, `*` every resource but no subresource, `*/*` all."""
    resource, _, subresource = pattern.partition("/")
    return resource in ("*", request.kind.plural) and subresource in ("*", request.subresource)


def _scope_matches(scope: str, request: AdmissionRequest) -> bool:
    return scope in ("*", "Namespaced" if request.kind.namespaced else "Cluster")


def selectors_match(hook: Manifest, request: AdmissionRequest, manifest: Manifest, namespace: Manifest | None) -> bool:
    """`namespace`: the Namespace object the request is sent to; None for kinds without one."""
    return _namespace_matches(hook.get("namespaceSelector"), request, manifest, namespace) and _object_matches(
        hook.get("objectSelector"), request, manifest
    )


def _namespace_matches(
    selector: Manifest | None, request: AdmissionRequest, manifest: Manifest, namespace: Manifest | None
) -> bool:
    if request.kind.kind == "Namespace":
        return _matches(selector, _labels(manifest))
    return namespace is None or _matches(selector, _labels(namespace))


def _object_matches(selector: Manifest | None, request: AdmissionRequest, manifest: Manifest) -> bool:
    """The object after or before the request: a change cannot be slipped past a hook by taking the label off."""
    return _matches(selector, _labels(manifest)) or (
        request.old is not None and _matches(selector, _labels(request.old))
    )


def _labels(manifest: Manifest) -> Labels:
    return manifest["metadata"].get("labels") or {}


def _matches(selector: Manifest | None, labels: Labels) -> bool:
    """None and the empty selector take everything."""
    return not selector or _compiled(json.dumps(selector, sort_keys=True)).matches(labels)


@lru_cache(maxsize=1024)
def _compiled(spelling: str) -> Selector:
    return compile_selector(decode_as(LabelSelector, json.loads(spelling)))


def constraints_match(
    constraints: Mapping[str, Any], request: AdmissionRequest, manifest: Manifest, namespace: Manifest | None
) -> bool:
    """A policy's (or binding's) MatchResources. Without rules it says nothing of resources."""
    rules, excluded = constraints.get("resourceRules"), constraints.get("excludeResourceRules") or ()
    if rules and not any_rule_matches(rules, request):
        return False
    if any_rule_matches(excluded, request):
        return False
    return selectors_match(dict(constraints), request, manifest, namespace)
