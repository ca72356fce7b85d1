"""Rules and selectors: is this request a hook's affair."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters.admission.mutation.matching import any_rule_matches, is_exempt, selectors_match
from playground.clusters.admission.mutation.request import AdmissionRequest
from playground.clusters.kinds import KINDS

POD = {"metadata": {"name": "web", "labels": {"app": "web"}}}
NAMESPACE = {"metadata": {"name": "shop", "labels": {"team": "a"}}}


def a_request(kind: str = "Pod", **fields: Any) -> AdmissionRequest:
    described = fields.pop("kind_name", kind)
    return AdmissionRequest(**{"kind": KINDS[described], "operation": "CREATE", "name": "web", **fields})


def a_rule(**fields: Any) -> dict[str, Any]:
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"], "scope": "*"}
    return rule | fields


@pytest.mark.parametrize(
    ("fields", "request_fields", "matches"),
    [
        ({}, {}, True),
        ({"operations": ["UPDATE"]}, {}, False),
        ({"operations": ["*"]}, {"operation": "UPDATE"}, True),
        ({"apiGroups": ["apps"]}, {}, False),
        ({"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"]}, {"kind_name": "Deployment"}, True),
        ({"scope": "Cluster"}, {}, False),
        ({"scope": "Namespaced"}, {}, True),
        ({"resources": ["nodes"], "scope": "Cluster"}, {"kind_name": "Node"}, True),
        ({"resources": ["pods"]}, {"subresource": "status"}, False),
        ({"resources": ["*"]}, {"subresource": "status"}, False),
        ({"resources": ["pods/status"]}, {"subresource": "status"}, True),
        ({"resources": ["pods/*"]}, {"subresource": "status"}, True),
        ({"resources": ["*/*"]}, {"subresource": "status"}, True),
        ({"resourceNames": ["web"]}, {}, True),
        ({"resourceNames": ["other"]}, {}, False),
    ],
)
def test_a_rule_matches_as_in_kubernetes(fields: dict[str, Any], request_fields: dict[str, Any], matches: bool) -> None:
    assert any_rule_matches([a_rule(**fields)], a_request(**request_fields)) is matches


@pytest.mark.parametrize(
    ("hook", "matches"),
    [
        ({}, True),
        ({"namespaceSelector": {}, "objectSelector": {}}, True),
        ({"namespaceSelector": {"matchLabels": {"team": "a"}}}, True),
        ({"namespaceSelector": {"matchLabels": {"team": "b"}}}, False),
        ({"objectSelector": {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]}}, False),
    ],
)
def test_selectors_look_at_namespace_and_object(hook: dict[str, Any], matches: bool) -> None:
    assert selectors_match(hook, a_request(namespace="shop"), POD, NAMESPACE) is matches


def test_an_object_is_not_slipped_past_a_hook_by_taking_its_label_off() -> None:
    hook = {"objectSelector": {"matchLabels": {"app": "web"}}}
    changed: dict[str, Any] = {"metadata": {"name": "web"}}
    assert selectors_match(hook, a_request(operation="UPDATE", old=POD), changed, NAMESPACE)


def test_a_namespace_is_selected_by_its_own_labels_and_a_node_by_none() -> None:
    hook = {"namespaceSelector": {"matchLabels": {"team": "a"}}}
    assert selectors_match(hook, a_request("Namespace", namespace="shop"), NAMESPACE, None)
    assert not selectors_match(hook, a_request("Namespace", namespace="shop"), POD, None)
    assert selectors_match(hook, a_request("Node"), POD, None)


def test_hooks_are_no_hooks_affair() -> None:
    assert is_exempt(a_request("MutatingWebhookConfiguration"))
    assert not is_exempt(a_request("Pod"))
