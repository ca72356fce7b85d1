"""Webhooks at the door of /k8s/: what they are asked, and what becomes of their answers."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from playground.clusters.admission.mutation.calling import call_webhook
from playground.clusters.admission.mutation.verdicts import webhook_call
from playground.clusters.models import Cluster
from playground.clusters.selectors import object_get, object_list
from playground.clusters.services.many import pod_move
from tests.answering_server import AnsweringServer
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.clusters.admission.mutation.webhook_server import (
    WebhookServer,
    a_webhook_configuration,
    adding,
    patching,
)

Json = dict[str, Any]

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster()


def post(manifest: Json, *, query: str = "") -> Any:
    address = "/k8s/demo/api/v1/namespaces/default/pods"
    return Client().post(f"{address}{query}", json.dumps(manifest), content_type="application/json")


def test_a_webhook_is_asked_with_the_review_that_kubernetes_documents(cluster: Cluster, webhook: WebhookServer) -> None:
    created(cluster, a_webhook_configuration(url=webhook.url))
    assert post(a_pod("web")).status_code == 201
    (review,) = webhook.reviews
    request = review["request"]
    assert (review["apiVersion"], review["kind"]) == ("admission.k8s.io/v1", "AdmissionReview")
    manifest = request.pop("object")
    assert request.pop("uid")
    assert request == {
        "kind": {"group": "", "version": "v1", "kind": "Pod"},
        "resource": {"group": "", "version": "v1", "resource": "pods"},
        "requestKind": {"group": "", "version": "v1", "kind": "Pod"},
        "requestResource": {"group": "", "version": "v1", "resource": "pods"},
        "name": "web",
        "namespace": "default",
        "operation": "CREATE",
        "userInfo": {"username": "kubernetes-admin", "groups": ["kubeadm:cluster-admins", "system:authenticated"]},
        "oldObject": None,
        "dryRun": False,
        "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1"},
    }
    assert manifest["spec"]["schedulerName"] == "default-scheduler"
    assert manifest["spec"]["priority"] == 0
    assert "uid" not in manifest["metadata"]
    assert webhook.paths == ["/mutate?timeout=10s"]


def test_it_rewrites_the_scheduler_name_and_the_name_is_fixed_from_then_on(
    cluster: Cluster, webhook: WebhookServer
) -> None:
    webhook.answer = patching({"op": "replace", "path": "/spec/schedulerName", "value": "gpu-scheduler"})
    created(cluster, a_webhook_configuration(url=webhook.url))
    assert post(a_pod("web")).json()["spec"]["schedulerName"] == "gpu-scheduler"
    patch = json.dumps({"spec": {"schedulerName": "default-scheduler"}})
    address = "/k8s/demo/api/v1/namespaces/default/pods/web"
    answer = Client().patch(address, patch, content_type="application/merge-patch+json")
    assert answer.status_code == 422


def test_what_a_webhook_adds_gets_defaults_and_is_then_validated(cluster: Cluster, webhook: WebhookServer) -> None:
    webhook.answer = adding("/spec/containers/-", {"name": "sidecar", "image": "proxy"})
    created(cluster, a_webhook_configuration(url=webhook.url))
    sidecar = post(a_pod("web")).json()["spec"]["containers"][1]
    assert sidecar["imagePullPolicy"] == "Always"

    webhook.answer = adding("/metadata/labels", {"not a label": "x"})
    answer = post(a_pod("other"))
    assert answer.status_code == 422
    assert "metadata.labels" in answer.json()["message"]


def test_a_denial_is_told_in_kubernetes_words(cluster: Cluster, webhook: WebhookServer) -> None:
    webhook.answer = lambda request: {"allowed": False, "status": {"code": 403, "message": "no pods on Mondays"}}
    created(cluster, a_webhook_configuration(url=webhook.url))
    answer = post(a_pod())
    assert answer.status_code == 403
    assert answer.json()["message"] == 'admission webhook "pods.example.com" denied the request: no pods on Mondays'
    webhook.answer = lambda request: {"allowed": False}
    answer = post(a_pod())
    assert answer.status_code == 400
    assert answer.json()["message"] == 'admission webhook "pods.example.com" denied the request without explanation'


def test_warnings_are_passed_on(cluster: Cluster, webhook: WebhookServer) -> None:
    webhook.answer = lambda request: {"allowed": True, "warnings": ['use "v2"', "line\nbreak"]}
    created(cluster, a_webhook_configuration(url=webhook.url))
    assert post(a_pod())["Warning"] == '299 - "use \\"v2\\"", 299 - "line break"'
    text = json.dumps(a_pod("applied"))
    results = Client().post("/api/clusters/demo/apply/", {"yaml": text}, content_type="application/json").json()
    assert results["results"][0]["warnings"] == ['use "v2"', "line break"]


@pytest.mark.parametrize("policy", ["Fail", "Ignore"])
@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ((500, b"broken"), "failed to call webhook: the server answered 500: broken"),
        ((302, b""), "failed to call webhook: the server answered 302; redirects are not followed"),
        ((200, b"{"), "failed to call webhook: the answer is not JSON"),
        ((200, b"[]"), "received invalid webhook response: webhook response was absent"),
        ((200, b" " * (4 * 1024 * 1024)), "the answer is larger than 3072 KiB"),
    ],
    ids=["error", "redirect", "no JSON", "no review", "huge"],
)
def test_rubbish_is_a_failure_that_the_failure_policy_decides(
    cluster: Cluster, webhook: WebhookServer, raw: tuple[int, bytes], words: str, policy: str
) -> None:
    webhook.raw = raw
    created(cluster, a_webhook_configuration(url=webhook.url, failurePolicy=policy))
    answer = post(a_pod())
    if policy == "Ignore":
        assert answer.status_code == 201
        return
    assert answer.status_code == 500
    message = answer.json()["message"]
    assert message.startswith('Internal error occurred: failed calling webhook "pods.example.com": ')
    assert words in message


def test_a_webhook_that_is_not_there(cluster: Cluster) -> None:
    created(cluster, a_webhook_configuration(url="http://127.0.0.1:9/mutate"))
    answer = post(a_pod())
    assert answer.status_code == 500
    expected = 'Internal error occurred: failed calling webhook "pods.example.com": failed to call webhook: Post '
    assert answer.json()["message"].startswith(expected)
    assert object_list(cluster.pk, "Pod") == []


def test_a_slow_webhook_runs_out_of_time(cluster: Cluster, webhook: WebhookServer) -> None:
    webhook.go_on.clear()
    created(cluster, a_webhook_configuration(url=webhook.url, timeoutSeconds=1))
    answer = post(a_pod())
    assert answer.status_code == 500
    assert "context deadline exceeded" in answer.json()["message"]


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "replace", "path": "/metadata/name", "value": "other"},
        {"op": "replace", "path": "/metadata/namespace", "value": "kube-system"},
        {"op": "add", "path": "/metadata/uid", "value": "1"},
        {"op": "replace", "path": "/kind", "value": "Node"},
        {"op": "replace", "path": "/spec", "value": "nothing"},
        {"op": "remove", "path": "/spec/nothing"},
        {"op": "replace", "path": "", "value": []},
    ],
    ids=["name", "namespace", "uid", "kind", "spec", "missing", "root"],
)
def test_a_patch_that_makes_another_object_of_it_is_refused(
    cluster: Cluster, webhook: WebhookServer, operation: Json
) -> None:
    webhook.answer = patching(operation)
    created(cluster, a_webhook_configuration(url=webhook.url))
    answer = post(a_pod())
    assert answer.status_code == 500
    assert 'the patch of admission webhook "pods.example.com" cannot be used' in answer.json()["message"]


def test_a_generated_name_is_drawn_after_the_webhook(cluster: Cluster, webhook: WebhookServer) -> None:
    webhook.answer = adding("/metadata/labels/seen", "yes")
    created(cluster, a_webhook_configuration(url=webhook.url))
    pod = a_pod()
    pod["metadata"] = {"generateName": "web-", "labels": {"app": "web"}}
    stored = post(pod).json()
    assert stored["metadata"]["name"].startswith("web-")
    assert stored["metadata"]["labels"]["seen"] == "yes"
    (request,) = webhook.requests
    assert "name" not in request
    assert "name" not in request["object"]["metadata"]


def test_a_dry_run_asks_only_webhooks_without_side_effects(cluster: Cluster, webhook: WebhookServer) -> None:
    webhook.answer = adding("/metadata/labels/seen", "yes")
    created(cluster, a_webhook_configuration(url=webhook.url, sideEffects="NoneOnDryRun"))
    answer = post(a_pod(), query="?dryRun=All")
    assert answer.json()["metadata"]["labels"]["seen"] == "yes"
    assert webhook.requests[0]["dryRun"] is True
    assert object_list(cluster.pk, "Pod") == []


def test_would_fit_asks_as_a_dry_run_does(cluster: Cluster, webhook: WebhookServer) -> None:
    webhook.answer = adding("/spec/schedulerName", "nobody")
    created(cluster, a_webhook_configuration(url=webhook.url))
    body = json.dumps({"pod": a_pod()})
    answer = Client().post("/api/clusters/demo/would-fit/", body, content_type="application/json")
    assert "no profile has the scheduler name 'nobody'" in answer.json()["error"]["message"]
    assert webhook.requests[0]["dryRun"] is True


def test_each_of_a_stream_of_equal_pods_is_asked_about_by_itself(cluster: Cluster, webhook: WebhookServer) -> None:
    answers = iter("abc")
    webhook.answer = lambda request: adding("/metadata/labels/turn", next(answers))(request)
    created(cluster, a_webhook_configuration(url=webhook.url))
    pod = a_pod()
    pod["metadata"] = {"generateName": "web-", "labels": {"app": "web"}}
    text = "\n---\n".join([json.dumps(pod)] * 3)
    Client().post("/api/clusters/demo/apply/", text, content_type="application/yaml")
    turns = [stored["metadata"]["labels"]["turn"] for stored in object_list(cluster.pk, "Pod")]
    assert sorted(turns) == ["a", "b", "c"]
    assert len(webhook.requests) == 3


def test_apply_of_a_webhook_and_a_pod_asks_about_the_pod(cluster: Cluster, webhook: WebhookServer) -> None:
    webhook.answer = adding("/metadata/labels/seen", "yes")
    text = json.dumps(a_webhook_configuration(url=webhook.url)) + "\n---\n" + json.dumps(a_pod())
    Client().post("/api/clusters/demo/apply/", text, content_type="application/yaml")
    (pod,) = object_list(cluster.pk, "Pod")
    assert pod["metadata"]["labels"]["seen"] == "yes"


def test_an_update_is_a_webhooks_affair_where_its_rules_say_so(cluster: Cluster, webhook: WebhookServer) -> None:
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["UPDATE"]}
    created(cluster, a_pod("web"), a_webhook_configuration(url=webhook.url, rules=[rule]))
    webhook.answer = adding("/metadata/labels/seen", "yes")
    patch = json.dumps({"metadata": {"labels": {"tier": "front"}}})
    address = "/k8s/demo/api/v1/namespaces/default/pods/web"
    answer = Client().patch(address, patch, content_type="application/merge-patch+json")
    assert answer.json()["metadata"]["labels"] == {"app": "web", "tier": "front", "seen": "yes"}
    (request,) = webhook.requests
    assert request["operation"] == "UPDATE"
    assert request["options"]["kind"] == "UpdateOptions"
    assert request["oldObject"]["metadata"]["labels"] == {"app": "web"}


def test_nobody_is_asked_about_the_hooks_themselves(cluster: Cluster) -> None:
    rule = {"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*/*"], "operations": ["*"]}
    everything = a_webhook_configuration(url="http://127.0.0.1:9/", rules=[rule])
    created(cluster, everything)
    assert post(a_pod()).status_code == 500
    address = "/k8s/demo/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/pods"
    patch = json.dumps({"metadata": {"labels": {"a": "b"}}})
    assert Client().patch(address, patch, content_type="application/merge-patch+json").status_code == 200
    assert Client().delete(address).status_code == 200
    assert post(a_pod()).status_code == 201


def test_a_configuration_may_name_addresses_of_this_machine_only(cluster: Cluster) -> None:
    address = "/k8s/demo/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"
    configuration = a_webhook_configuration(url="https://192.0.2.7/mutate")
    answer = Client().post(address, json.dumps(configuration), content_type="application/json")
    assert answer.status_code == 422
    (cause,) = answer.json()["details"]["causes"]
    assert cause["field"] == "webhooks[0].clientConfig.url"
    assert "PLAYGROUND_OUTGOING" in cause["message"]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"clientConfig": {"service": {"name": "x", "namespace": "y"}}}, "webhooks[0].clientConfig.service"),
        ({"clientConfig": {}}, "webhooks[0].clientConfig.url"),
        ({"clientConfig": {"url": "http://127.0.0.1/?a=b"}}, "webhooks[0].clientConfig.url"),
        ({"clientConfig": {"url": "http://127.0.0.1/", "caBundle": "eA=="}}, "webhooks[0].clientConfig.caBundle"),
        ({"name": "short"}, "webhooks[0].name"),
        ({"timeoutSeconds": 31}, "webhooks[0].timeoutSeconds"),
        ({"sideEffects": "Some"}, "webhooks[0].sideEffects"),
        ({"failurePolicy": "Maybe"}, "webhooks[0].failurePolicy"),
        ({"admissionReviewVersions": ["v1beta1"]}, "webhooks[0].admissionReviewVersions"),
        ({"matchConditions": [{"name": "x", "expression": "1 +"}]}, "webhooks[0].matchConditions[0].expression"),
        (
            {"rules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"]}]},
            "webhooks[0].rules[0].operations",
        ),
    ],
)
def test_what_is_wrong_with_a_configuration_is_told_with_its_field(cluster: Cluster, change: Json, path: str) -> None:
    address = "/k8s/demo/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"
    configuration = a_webhook_configuration(url="http://127.0.0.1/")
    configuration["webhooks"][0] |= change
    answer = Client().post(address, json.dumps(configuration), content_type="application/json")
    assert path in [cause["field"] for cause in answer.json()["details"]["causes"]]


def test_what_components_write_themselves_passes_no_hook(cluster: Cluster) -> None:
    rule = {"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*/*"], "operations": ["*"]}
    lease = {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": "kube-scheduler", "namespace": "kube-system"},
    }
    everything = a_webhook_configuration(url="http://127.0.0.1:9/", rules=[rule])
    assert len(created(cluster, everything, lease)) == 2


def test_a_pod_moved_by_hand_passes_the_hooks(cluster: Cluster, webhook: WebhookServer) -> None:
    created(cluster, a_pod("web", nodeName="n1"), a_node("n1"), a_node("n2"), a_webhook_configuration(url=webhook.url))
    webhook.answer = adding("/metadata/labels/seen", "yes")
    moved = pod_move(cluster_id=cluster.pk, namespace="default", name="web", node="n2")
    copy = object_get(cluster.pk, "Pod", "default", moved.name)
    assert copy is not None
    assert copy["metadata"]["labels"]["seen"] == "yes"


def test_the_bundle_of_a_configuration_is_the_authority_of_its_webhook(certificate: tuple[Path, Path]) -> None:
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}
    with AnsweringServer({"/?timeout=10s": lambda body: review}, certificate=certificate) as server:
        url = server.url("/").replace("http:", "https:")
        bundle = base64.b64encode(certificate[0].read_bytes()).decode()
        failures = [
            call_webhook(webhook_call({"name": "a.b.c", "clientConfig": config}, {}), deadline=time.monotonic() + 10)
            for config in ({"url": url, "caBundle": bundle}, {"url": url})
        ]
    heard, unheard = (verdict.failure for verdict in failures)
    assert heard == "received invalid webhook response: webhook response was absent"
    assert "CERTIFICATE_VERIFY_FAILED" in unheard or "certificate" in unheard
