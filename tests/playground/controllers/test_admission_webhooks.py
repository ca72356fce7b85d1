"""Pods that controllers make pass the admission webhooks too, and nothing waits for them meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from playground.clusters.idle import work_left
from playground.controllers.asking import asking_of
from playground.controllers.services.run import RunResult, controllers_run, webhooks_ask
from playground.controllers.session import sessions
from tests.playground.builders import a_cluster
from tests.playground.clusters.admission.mutation.webhook_server import (
    WebhookServer,
    a_webhook_configuration,
    adding,
    webhook_server,
)
from tests.playground.controllers.town import Town, deployment

Json = dict[str, Any]


@pytest.fixture
def webhook() -> Iterator[WebhookServer]:
    with webhook_server() as server:
        yield server


def run(town: Town) -> RunResult:
    """What the task and its calling thread do, one after the other."""
    for _ in range(20):
        result = town.run()
        if not result.asks:
            return result
        webhooks_ask(cluster_id=town.id)
    raise AssertionError("there is no end to the asking")


def labels(town: Town, key: str) -> list[str]:
    return sorted(pod["metadata"]["labels"].get(key, "") for pod in town.pods())


def test_a_deployments_pods_are_what_the_webhook_made_of_them(town: Town, webhook: WebhookServer) -> None:
    turns = iter("abc")
    webhook.answer = lambda request: adding("/metadata/labels/turn", next(turns))(request)
    town.create(a_webhook_configuration(url=webhook.url))
    town.create(deployment(replicas=3))
    run(town)
    assert labels(town, "turn") == ["a", "b", "c"]
    names = {pod["metadata"]["name"] for pod in town.pods()}
    assert len(names) == 3
    request = webhook.requests[0]
    assert request["userInfo"]["username"] == "system:serviceaccount:kube-system:replicaset-controller"
    assert "name" not in request["object"]["metadata"]
    assert len(webhook.requests) == 3


def test_no_call_is_made_inside_a_transaction(
    town: Town, webhook: WebhookServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    town.create(a_webhook_configuration(url=webhook.url))
    town.create(deployment(replicas=1))
    result = town.run()
    assert result.asks
    assert town.pods() == []
    assert webhook.requests == []
    assert not connection.in_atomic_block
    assert "more to write" in str(work_left(town.cluster))
    webhooks_ask(cluster_id=town.id)
    assert not town.run().asks
    assert len(town.pods()) == 1
    assert "controllers" not in work_left(town.cluster)


def test_an_answer_that_comes_while_a_worker_finds_nothing_to_do_keeps_the_cluster_from_being_idle(
    town: Town, webhook: WebhookServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    town.create(a_webhook_configuration(url=webhook.url))
    town.create(deployment(replicas=1))
    assert town.run().asks
    asking = asking_of(town.id)
    with monkeypatch.context() as patch:

        def a_moment_too_early() -> bool:
            webhooks_ask(cluster_id=town.id)
            return False

        patch.setattr(asking, "take_answered", a_moment_too_early)
        town.run()
    assert "controllers" in work_left(town.cluster)
    town.run()
    assert len(town.pods()) == 1
    assert "controllers" not in work_left(town.cluster)


def test_while_one_clusters_webhook_is_slow_others_go_on(town: Town, webhook: WebhookServer) -> None:
    webhook.go_on.clear()
    town.create(a_webhook_configuration(url=webhook.url))
    town.create(deployment(replicas=1))
    town.run()
    asking = threading.Thread(target=webhooks_ask, kwargs={"cluster_id": town.id})
    asking.start()
    try:
        town.create(deployment("other", replicas=0))
        assert not town.run().asks
        assert town.get("Deployment", "other")["status"]["observedGeneration"] == 1
        assert town.pods() == []
    finally:
        webhook.go_on.set()
        asking.join()
    town.run()
    assert len(town.pods()) == 1
    assert len(webhook.requests) == 1


def test_a_webhook_that_is_down_is_told_as_kubernetes_tells_it_and_tried_again(town: Town) -> None:
    town.create(a_webhook_configuration(url="http://127.0.0.1:9/"))
    town.create(deployment(replicas=3))
    result = run(town)
    (replica_set,) = town.all("ReplicaSet")
    (event,) = [each for each in town.all("Event") if each["reason"] == "FailedCreate"]
    expected = (
        'Error creating: Internal error occurred: failed calling webhook "pods.example.com": failed to call webhook: '
        'Post "http://127.0.0.1:9/?timeout=10s": '
    )
    assert event["message"].startswith(expected)
    assert event["involvedObject"]["name"] == replica_set["metadata"]["name"]
    assert town.pods() == []
    assert result.due_in is not None

    town.delete_hooks()
    town.pass_time(16)
    assert len(town.pods()) == 3


def test_a_webhook_that_may_be_missing_keeps_nobody_from_anything(town: Town) -> None:
    town.create(a_webhook_configuration(url="http://127.0.0.1:9/", failurePolicy="Ignore"))
    town.create(deployment(replicas=2))
    run(town)
    assert len(town.pods()) == 2


def test_a_denial_is_a_failed_creation(town: Town, webhook: WebhookServer) -> None:
    webhook.answer = lambda request: {"allowed": False, "status": {"message": "not today"}}
    town.create(a_webhook_configuration(url=webhook.url))
    town.create(deployment(replicas=1))
    run(town)
    (event,) = [each for each in town.all("Event") if each["reason"] == "FailedCreate"]
    assert event["message"] == 'Error creating: admission webhook "pods.example.com" denied the request: not today'


def test_a_worker_that_dies_while_it_asks_leaves_the_question_to_the_next(town: Town, webhook: WebhookServer) -> None:
    town.create(a_webhook_configuration(url=webhook.url))
    town.create(deployment(replicas=2))
    assert town.run().asks
    sessions.drop(town.id)
    run(town)
    assert len(town.pods()) == 2


def test_two_webhooks_are_asked_one_after_the_other(town: Town, webhook: WebhookServer) -> None:
    def answer(request: Json) -> Json:
        count = len(request["object"]["metadata"]["labels"])
        return adding(f"/metadata/labels/at-{count}", "yes")(request)

    webhook.answer = answer
    town.create(a_webhook_configuration("b", url=webhook.url))
    town.create(a_webhook_configuration("a", url=webhook.url))
    town.create(deployment(replicas=2))
    run(town)
    assert len(webhook.requests) == 4
    first, _ = town.pods()
    assert sum(key.startswith("at-") for key in first["metadata"]["labels"]) == 2


@pytest.mark.django_db(transaction=True)
def test_the_task_hands_its_questions_to_a_calling_thread(town: Town, webhook: WebhookServer) -> None:
    from playground.controllers import tasks

    town.create(a_webhook_configuration(url=webhook.url))
    town.create(deployment(replicas=2))
    handed: list[int] = []

    class Threads:
        def run(self, key: int, work: Any) -> None:
            handed.append(key)
            work()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tasks, "webhook_threads", Threads())
        tasks._run(town.id)
        while controllers_run(cluster_id=town.id).unfinished:
            pass
    assert town.id in handed
    assert len(town.pods()) == 2


def test_another_cluster_is_not_concerned(town: Town) -> None:
    town.create(a_webhook_configuration(url="http://127.0.0.1:9/"))
    other = a_cluster("other")
    assert not controllers_run(cluster_id=other.pk).asks
