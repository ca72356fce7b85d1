"""MutatingAdmissionPolicy: CEL that changes objects on their way in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from playground.clusters.models import Cluster
from tests.playground.builders import a_cluster, a_pod, created
from tests.playground.clusters.admission.mutation.webhook_server import (
    WebhookServer,
    a_webhook_configuration,
    adding,
)

Json = dict[str, Any]

pytestmark = pytest.mark.django_db

POLICIES = "/k8s/demo/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies"
PODS = {"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"]}


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def a_policy(name: str, *expressions: str, patch_type: str = "ApplyConfiguration", **spec: Any) -> Json:
    field = "jsonPatch" if patch_type == "JSONPatch" else "applyConfiguration"
    return {
        "apiVersion": "admissionregistration.k8s.io/v1beta1",
        "kind": "MutatingAdmissionPolicy",
        "metadata": {"name": name},
        "spec": {
            "matchConstraints": {"resourceRules": [PODS]},
            "reinvocationPolicy": "Never",
            "mutations": [{"patchType": patch_type, field: {"expression": each}} for each in expressions],
            **spec,
        },
    }


def a_binding(policy: str, name: str = "", **spec: Any) -> Json:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1beta1",
        "kind": "MutatingAdmissionPolicyBinding",
        "metadata": {"name": name or policy},
        "spec": {"policyName": policy, **spec},
    }


def post(manifest: Json) -> Any:
    address = "/k8s/demo/api/v1/namespaces/default/pods"
    return Client().post(address, json.dumps(manifest), content_type="application/json")


def test_a_policy_rewrites_scheduler_name_and_labels(cluster: Cluster) -> None:
    expression = """
        Object{
          metadata: Object.metadata{labels: {"team": object.metadata.labels.app + "-team"}},
          spec: Object.spec{schedulerName: "gpu-scheduler"}
        }"""
    created(cluster, a_policy("gpu", expression), a_binding("gpu"))
    stored = post(a_pod("web")).json()
    assert stored["spec"]["schedulerName"] == "gpu-scheduler"
    assert stored["metadata"]["labels"] == {"app": "web", "team": "web-team"}
    assert stored["spec"]["containers"][0]["image"] == "nginx:1.27"


def test_lists_are_merged_by_their_keys(cluster: Cluster) -> None:
    expression = """Object{spec: Object.spec{containers: [Object.spec.containers{name: "main", image: "nginx:2"},
        Object.spec.containers{name: "proxy", image: "proxy:1"}]}}"""
    created(cluster, a_policy("sidecar", expression), a_binding("sidecar"))
    containers = {each["name"]: each for each in post(a_pod()).json()["spec"]["containers"]}
    assert {name: each["image"] for name, each in containers.items()} == {"main": "nginx:2", "proxy": "proxy:1"}
    assert containers["main"]["resources"]["requests"] == {"cpu": "100m"}


def test_json_patches_are_lists_of_operations(cluster: Cluster) -> None:
    expression = """[
        JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/tier"), value: "gold"},
        JSONPatch{op: "remove", path: "/metadata/labels/app"}]"""
    created(cluster, a_policy("tier", expression, patch_type="JSONPatch"), a_binding("tier"))
    assert post(a_pod()).json()["metadata"]["labels"] == {"example.com/tier": "gold"}


def test_conditions_and_variables_are_evaluated_where_they_are_needed(cluster: Cluster) -> None:
    variables = [
        {"name": "broken", "expression": "object.nothing.at.all"},
        {"name": "wanted", "expression": "object.spec.containers[0].resources.?requests['cpu'].orValue('0')"},
        {"name": "label", "expression": "variables.wanted + '-wanted'"},
    ]
    conditions = [{"name": "web", "expression": "object.metadata.name == 'web'"}]
    expression = 'Object{metadata: Object.metadata{labels: {"wants": variables.label}}}'
    policy = a_policy("cpu", expression, matchConditions=conditions, variables=variables)
    created(cluster, policy, a_binding("cpu"))
    assert post(a_pod("web")).json()["metadata"]["labels"]["wants"] == "100m-wanted"
    assert "wants" not in post(a_pod("other")).json()["metadata"]["labels"]


def test_a_policy_nobody_binds_does_nothing_and_a_binding_can_narrow_it(cluster: Cluster) -> None:
    expression = 'Object{metadata: Object.metadata{labels: {"seen": "yes"}}}'
    created(cluster, a_policy("seen", expression))
    assert "seen" not in post(a_pod("a")).json()["metadata"]["labels"]
    narrow = {"objectSelector": {"matchLabels": {"app": "c"}}}
    created(cluster, a_binding("seen", matchResources=narrow))
    assert "seen" not in post(a_pod("b")).json()["metadata"]["labels"]
    assert post(a_pod("c")).json()["metadata"]["labels"]["seen"] == "yes"


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("Object{spec: Object.spec{schedulerName: object.spec.nothing}}", 'Key not found in map : "nothing"'),
        ('Object{spec: Object.spec{scheduler: "x"}}', 'unknown field "spec.scheduler"'),
        ('Object{metadata: Object.metadata{name: "other"}}', "the patch would change metadata.name"),
        ("Object{spec: Object.spec{priority: [1,2].map(x, x).size() > 1 ? 'x' : 'y'}}", "spec.priority"),
    ],
    ids=["missing key", "unknown field", "name", "type"],
)
def test_an_error_at_run_time_is_the_failure_policys_affair(cluster: Cluster, expression: str, words: str) -> None:
    created(cluster, a_policy("bad", expression), a_binding("bad"))
    answer = post(a_pod())
    assert answer.status_code == 403
    assert answer.json()["message"].startswith("policy 'bad' with binding 'bad' denied request: ")
    assert words in answer.json()["message"]
    patch = json.dumps({"spec": {"failurePolicy": "Ignore"}})
    assert Client().patch(f"{POLICIES}/bad", patch, content_type="application/merge-patch+json").status_code == 200
    assert post(a_pod()).status_code == 201


def test_an_endless_comprehension_spends_its_budget(cluster: Cluster) -> None:
    ten = "[0,1,2,3,4,5,6,7,8,9]"
    loops = "".join(f"{ten}.all(x{i}, " for i in range(6)) + "true" + ")" * 6
    created(cluster, a_policy("loop", f"{loops} ? Object{{}} : Object{{}}"), a_binding("loop"))
    answer = post(a_pod())
    assert answer.status_code == 403
    assert "too many iterations" in answer.json()["message"]


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("Object{spec: }", "compilation failed: 1:14:"),
        ('Object{metadata: Object.metadata{labels: {"a": 1 + "x"}}}', "compilation failed: 1:50:"),
        ("nothing.at.all", "undeclared reference to 'nothing.at.all'"),
        ("1 + 1", "must evaluate to an Object"),
        ("", "Required value"),
        ("['a']" + ".map(x, x + x)" * 20 + " == [] ? Object{} : Object{}", "times larger than what goes in"),
        ("Object{}" + " " * 11_000, "at most 10240 are allowed"),
    ],
    ids=["syntax", "type", "name", "result", "empty", "growth", "length"],
)
def test_a_wrong_expression_is_refused_where_the_policy_is_created(
    cluster: Cluster, expression: str, words: str
) -> None:
    answer = Client().post(POLICIES, json.dumps(a_policy("bad", expression)), content_type="application/json")
    assert answer.status_code == 422
    (cause,) = answer.json()["details"]["causes"]
    assert cause["field"] == "spec.mutations[0].applyConfiguration.expression"
    assert words in cause["message"]


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ({"paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}}, "spec.paramKind"),
        ({"reinvocationPolicy": "Sometimes"}, "spec.reinvocationPolicy"),
        ({"matchConstraints": {"resourceRules": []}}, "spec.matchConstraints.resourceRules"),
        ({"mutations": []}, "spec.mutations"),
        ({"variables": [{"name": "a-b", "expression": "1"}]}, "spec.variables[0].name"),
        ({"matchConditions": [{"name": "x", "expression": "'a'"}]}, "spec.matchConditions[0].expression"),
    ],
)
def test_what_is_wrong_with_a_policy_is_told_with_its_field(cluster: Cluster, spec: Json, path: str) -> None:
    policy = a_policy("bad", "Object{}", **spec)
    answer = Client().post(POLICIES, json.dumps(policy), content_type="application/json")
    assert path in [cause["field"] for cause in answer.json()["details"]["causes"]]


def test_policies_come_before_webhooks(cluster: Cluster, webhook: WebhookServer) -> None:
    expression = 'Object{metadata: Object.metadata{labels: {"by-policy": "yes"}}}'
    webhook.answer = adding("/metadata/labels/by-webhook", "yes")
    created(cluster, a_webhook_configuration(url=webhook.url), a_policy("first", expression), a_binding("first"))
    assert set(post(a_pod()).json()["metadata"]["labels"]) == {"app", "by-policy", "by-webhook"}
    assert webhook.requests[0]["object"]["metadata"]["labels"]["by-policy"] == "yes"


def test_a_policy_that_wants_to_know_sees_what_a_webhook_did(cluster: Cluster, webhook: WebhookServer) -> None:
    expression = 'Object{metadata: Object.metadata{labels: {"sees": has(object.metadata.labels.late) ? "it" : "not"}}}'
    webhook.answer = adding("/metadata/labels/late", "yes")
    policy = a_policy("curious", expression, reinvocationPolicy="IfNeeded")
    created(cluster, a_webhook_configuration(url=webhook.url), policy, a_binding("curious"))
    assert post(a_pod()).json()["metadata"]["labels"]["sees"] == "it"
    assert len(webhook.requests) == 1


def test_a_webhook_that_wants_to_know_is_asked_again_after_a_later_one(
    cluster: Cluster, webhook: WebhookServer
) -> None:
    def answer(request: Json) -> Json:
        labels = request["object"]["metadata"]["labels"]
        return adding("/metadata/labels/late", "yes")(request) if "early" in labels else early(request)

    early = adding("/metadata/labels/early", "yes")
    webhook.answer = answer
    first = a_webhook_configuration("a", url=webhook.url, reinvocationPolicy="IfNeeded")
    created(cluster, first, a_webhook_configuration("b", url=webhook.url))
    post(a_pod())
    seen = [sorted(request["object"]["metadata"]["labels"]) for request in webhook.requests]
    assert seen == [["app"], ["app", "early"], ["app", "early", "late"]]


def test_a_hook_that_sets_a_priority_class_has_the_priority_computed_anew(cluster: Cluster) -> None:
    high = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        "value": 1000,
    }
    sets = 'Object{spec: Object.spec{priorityClassName: "high"}}'
    created(cluster, high, a_policy("high", sets), a_binding("high"))
    answer = post(a_pod())
    assert answer.status_code == 403
    assert "the integer value of priority (0) must not be provided in pod spec" in answer.json()["message"]
