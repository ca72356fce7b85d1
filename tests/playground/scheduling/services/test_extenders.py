"""Extenders on a live cluster: asked outside of transactions, recorded, bound by, and refused where they may not be."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from playground.clusters.models import Cluster, Pod
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import cluster_transaction
from playground.common.calling_threads import CallsOut
from playground.common.errors import Invalid
from playground.scheduling import tasks
from playground.scheduling.models import Binding, Decision, SchedulerConfiguration, SchedulerLease
from playground.scheduling.models.scheduler import FIRST
from playground.scheduling.selectors.schedulers import scheduler_get
from playground.scheduling.services.bindings import bindings_run
from playground.scheduling.services.lease import lease_acquire
from playground.scheduling.services.lease_keeping import lease_kept
from playground.scheduling.services.profiles import configuration_replace
from playground.scheduling.services.slice import slice_run
from playground.scheduling.services.would_fit import manifest_would_fit
from playground.scheduling.translation.reports import decompress_report
from scheduler_core.report import CycleReport
from tests.answering_server import AnsweringServer, Handler
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.scheduling.driving import Worker, nodes_of_pods

# The extender writes on its own: what it is asked within must be committed.
pytestmark = pytest.mark.django_db(transaction=True)

Json = dict[str, Any]


@pytest.fixture
def cluster() -> Cluster:
    cluster = a_cluster()
    created(cluster, a_node("n1", labels={"gpu": "yes"}), a_node("n2"))
    return cluster


@pytest.fixture
def answers() -> dict[str, Handler]:
    """Path -> what the server of this test answers there."""
    return {}


@pytest.fixture
def server(answers: dict[str, Handler]) -> Iterator[AnsweringServer]:
    with AnsweringServer(answers) as running:
        yield running


def document(*extenders: Json) -> Json:
    head = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return {**head, "extenders": list(extenders)}


def use(cluster: Cluster, server: AnsweringServer, **fields: Any) -> None:
    configuration_replace(cluster=cluster, document=document({"urlPrefix": server.url(), **fields}))


def only(*names: str) -> Handler:
    """Filter that lets these pass, whole nodes in and out."""
    return lambda body: {"Nodes": {"items": [n for n in body["Nodes"]["items"] if n["metadata"]["name"] in names]}}


def the_report(cluster: Cluster) -> CycleReport:
    return decompress_report(bytes(Decision.objects.get(cluster=cluster).report))


def test_an_extender_is_sent_whole_objects_and_its_call_is_stored(
    cluster: Cluster, server: AnsweringServer, answers: dict[str, Handler]
) -> None:
    answers["/filter"] = only("n2")
    use(cluster, server, filterVerb="filter")
    created(cluster, a_pod("web", terminationGracePeriodSeconds=7))
    Worker(cluster).work()
    assert nodes_of_pods(cluster) == {"web": "n2"}
    body = server.calls[0].body
    # Neither of them is anything the engine reads.
    assert body["Pod"]["spec"]["terminationGracePeriodSeconds"] == 7
    assert body["Pod"]["spec"]["containers"][0]["imagePullPolicy"]
    assert [node["metadata"]["labels"].get("gpu") for node in body["Nodes"]["items"]] == ["yes", None]
    (call,) = the_report(cluster).extender_calls
    assert (call.verb, call.status, call.nodes, call.nodes_passed) == ("filter", 200, 2, 1)
    assert call.duration_us > 0


def test_what_changes_later_is_sent_as_it_is_then(
    cluster: Cluster, server: AnsweringServer, answers: dict[str, Handler]
) -> None:
    answers["/filter"] = only("n1", "n2")
    use(cluster, server, filterVerb="filter")
    worker = Worker(cluster)
    created(cluster, a_pod("first"))
    worker.work()
    created(cluster, a_node("n3", labels={"later": "yes"}), a_pod("second"))
    worker.work()
    sent = {node["metadata"]["name"]: node for node in server.calls[-1].body["Nodes"]["items"]}
    assert sent["n3"]["metadata"]["labels"]["later"] == "yes"


def test_no_transaction_is_open_while_an_extender_is_asked(
    cluster: Cluster, server: AnsweringServer, answers: dict[str, Handler]
) -> None:
    written = []

    def writes(body: Any) -> Any:
        with cluster_transaction(cluster.pk) as tx:
            written.append(tx.cluster.slug)
        connections.close_all()
        return {"Nodes": body["Nodes"]}

    answers["/filter"] = writes
    use(cluster, server, filterVerb="filter")
    created(cluster, a_pod("web"))
    Worker(cluster).work()
    assert written == [cluster.slug]
    assert nodes_of_pods(cluster)["web"]


# Bind


def test_an_extender_binds_by_writing_to_our_api_server(
    cluster: Cluster, server: AnsweringServer, answers: dict[str, Handler]
) -> None:
    def bind(body: Any) -> Any:
        binding = PodBinding(
            namespace=body["PodNamespace"], name=body["PodName"], uid=body["PodUID"], node_name=body["Node"]
        )
        with cluster_transaction(cluster.pk) as tx:
            pod_bind_many(tx, bindings=[binding])
        connections.close_all()
        return {}

    answers["/bind"] = bind
    use(cluster, server, bindVerb="bind")
    created(cluster, a_pod("web"))
    Worker(cluster).work()
    row = Binding.objects.get(cluster=cluster)
    assert (row.phase, row.message) == ("bound", "")
    assert nodes_of_pods(cluster) == {"web": row.node}
    step = row.steps[-1]
    assert (step["plugin"], step["call"]["verb"], step["call"]["status"]) == (server.url(), "bind", 200)


def test_the_scheduler_takes_the_word_of_an_extender_that_wrote_no_binding(
    cluster: Cluster, server: AnsweringServer, answers: dict[str, Handler]
) -> None:
    answers["/bind"] = lambda _: {}
    use(cluster, server, bindVerb="bind")
    created(cluster, a_pod("web"))
    worker = Worker(cluster)
    worker.work()
    row = Binding.objects.get(cluster=cluster)
    assert row.phase == "bound"
    assert "the API server got no Binding" in row.message
    assert nodes_of_pods(cluster) == {"web": ""}
    # Its room is taken, and it is not tried again.
    created(cluster, a_pod("next", cpu="3950m"), a_pod("last", cpu="3950m"))
    worker.work()
    assert Decision.objects.get(name="last").outcome == "unschedulable"


def test_a_pod_whose_extender_cannot_bind_it_goes_back_to_the_queue(
    cluster: Cluster, server: AnsweringServer, answers: dict[str, Handler]
) -> None:
    answers["/bind"] = lambda _: {"Error": "the vault is closed"}
    use(cluster, server, bindVerb="bind")
    created(cluster, a_pod("web"))
    worker = Worker(cluster)
    worker.work()
    assert (Binding.objects.get(cluster=cluster).phase, Binding.objects.get(cluster=cluster).message) == (
        "failed",
        "the vault is closed",
    )
    condition = next(each for each in _pod(cluster, "web")["status"]["conditions"] if each["type"] == "PodScheduled")
    assert (condition["reason"], condition["message"]) == ("SchedulerError", "the vault is closed")


def test_where_an_ignorable_extender_cannot_bind_the_plugins_do(
    cluster: Cluster, server: AnsweringServer, answers: dict[str, Handler]
) -> None:
    answers["/bind"] = lambda _: {"Error": "the vault is closed"}
    use(cluster, server, bindVerb="bind", ignorable=True)
    created(cluster, a_pod("web"))
    Worker(cluster).work()
    row = Binding.objects.get(cluster=cluster)
    assert (row.phase, row.message) == ("bound", "")
    assert nodes_of_pods(cluster) == {"web": row.node}
    assert [(step["plugin"], step["status"]["code"]) for step in row.steps if step["point"] == "bind"] == [
        (server.url(), "Error"),
        ("DefaultBinder", "Success"),
    ]


def test_pods_that_do_not_ask_for_what_it_manages_are_bound_as_ever(
    cluster: Cluster, server: AnsweringServer, answers: dict[str, Handler]
) -> None:
    use(cluster, server, bindVerb="bind", managedResources=[{"name": "example.com/foo"}])
    created(cluster, a_pod("web"))
    Worker(cluster).work()
    assert nodes_of_pods(cluster)["web"]
    assert not server.calls


def test_a_task_that_comes_twice_asks_again_and_binds_once(
    cluster: Cluster, server: AnsweringServer, answers: dict[str, Handler]
) -> None:
    answers["/bind"] = lambda _: {}
    use(cluster, server, bindVerb="bind")
    created(cluster, a_pod("web"))
    worker = Worker(cluster, binds=False)
    outcome = worker.slice()
    assert outcome is not None
    worker.run_bindings(outcome.binding_sequences)
    worker.run_bindings(outcome.binding_sequences)
    assert len(server.calls) == 1
    assert Binding.objects.get(cluster=cluster).phase == "bound"


# Where it is done


def test_slices_and_bindings_of_such_a_scheduler_are_refused_where_nobody_may_wait(
    cluster: Cluster, server: AnsweringServer, answers: dict[str, Handler]
) -> None:
    answers["/bind"] = lambda _: {}
    use(cluster, server, bindVerb="bind")
    created(cluster, a_pod("web"))
    with pytest.raises(CallsOut):
        slice_run(scheduler_id=Worker(cluster).scheduler_id, holder="elsewhere/1/test", may_call=False)
    outcome = Worker(cluster, binds=False).slice()
    assert outcome is not None
    with pytest.raises(CallsOut):
        bindings_run(cluster_id=cluster.pk, sequences=outcome.binding_sequences, may_call=False)


def test_the_task_is_done_while_the_extender_still_thinks(
    cluster: Cluster, server: AnsweringServer, answers: dict[str, Handler], monkeypatch: pytest.MonkeyPatch
) -> None:
    go, asked = threading.Event(), threading.Event()

    def slow(body: Any) -> Any:
        asked.set()
        go.wait(10)
        return {"Nodes": body["Nodes"]}

    answers["/filter"] = slow
    use(cluster, server, filterVerb="filter")
    created(cluster, a_pod("web"))
    monkeypatch.setattr(tasks.bind, "delay", lambda *_: None)
    tasks.run_cycles(cluster.pk)
    assert asked.wait(10)
    assert not Decision.objects.exists()
    go.set()
    assert tasks.calling_threads.wait_until_idle(10)
    assert Decision.objects.get().outcome == "scheduled"


def test_the_lease_is_kept_while_an_extender_thinks(cluster: Cluster) -> None:
    lease = lease_acquire(scheduler=scheduler_get(cluster_id=cluster.pk, name=FIRST), holder="elsewhere/1/test")
    assert lease is not None
    SchedulerLease.objects.update(expires_at=timezone.now() + timedelta(seconds=0.05))
    renewed = threading.Event()
    with lease_kept(lease, every=0.01):
        for _ in range(500):
            if SchedulerLease.objects.get().expires_at > timezone.now() + timedelta(seconds=5):
                renewed.set()
                break
            renewed.wait(0.01)
    assert renewed.is_set()


# What is refused


@pytest.mark.parametrize(
    ("fields", "path", "message"),
    [
        ({"urlPrefix": "http://10.0.0.1:80/x"}, "urlPrefix", "the server may not call 10.0.0.1"),
        ({"urlPrefix": "file:///etc/passwd"}, "urlPrefix", "should look like http://"),
        ({"urlPrefix": ""}, "urlPrefix", "should look like http://"),
        ({"httpTimeout": "10m"}, "httpTimeout", "at most 60s"),
        ({"tlsConfig": {"keyFile": "/etc/key"}}, "tlsConfig", "give keyData what `base64 -w0 FILE` prints"),
        ({"tlsConfig": {"caData": "!"}}, "tlsConfig", "caData: expected a PEM text in base64"),
        ({"tlsConfig": {"caData": "cnViYmlzaA=="}}, "tlsConfig", "the certificates cannot be used"),
        ({"tlsConfig": {"certData": "cnViYmlzaA=="}}, "tlsConfig", "certData and keyData"),
        ({"tlsConfig": {"insecure": True, "caData": "cnViYmlzaA=="}}, "tlsConfig", "insecure flag"),
    ],
)
def test_an_extender_that_may_not_be_called_is_refused_at_its_field(
    cluster: Cluster, fields: Mapping[str, Any], path: str, message: str
) -> None:
    extender = {"urlPrefix": "http://127.0.0.1:1", "filterVerb": "filter", **fields}
    with pytest.raises(Invalid) as refused:
        configuration_replace(cluster=cluster, document=document(extender), dry_run=True)
    (cause,) = refused.value.causes
    assert cause.path == f"extenders[0].{path}"
    assert message in cause.message


def test_extenders_are_few(cluster: Cluster) -> None:
    many = [{"urlPrefix": "http://127.0.0.1:1", "filterVerb": "filter"}] * 11
    with pytest.raises(Invalid, match="extenders: Too many: 11: must have at most 10 items"):
        configuration_replace(cluster=cluster, document=document(*many))


def test_one_that_came_past_the_check_is_still_not_called(cluster: Cluster) -> None:
    configuration_replace(
        cluster=cluster, document=document({"urlPrefix": "http://127.0.0.1:1", "filterVerb": "filter"})
    )
    row = SchedulerConfiguration.objects.get(scheduler__cluster=cluster)
    row.document["extenders"][0]["urlPrefix"] = "http://10.0.0.1:80"
    row.save()
    created(cluster, a_pod("web"))
    Worker(cluster).work()
    decision = Decision.objects.get(cluster=cluster)
    assert decision.outcome == "error"
    assert "the server may not call 10.0.0.1" in the_report(cluster).message


def test_a_question_names_the_extenders_that_were_not_asked(cluster: Cluster, server: AnsweringServer) -> None:
    use(cluster, server, filterVerb="filter")
    answer = manifest_would_fit(cluster=cluster, manifest=a_pod("web"))
    assert answer.extenders_not_asked == [server.url()]
    assert all(node.fits for node in answer.nodes)
    assert not server.calls


def _pod(cluster: Cluster, name: str) -> Json:
    return Pod.objects.get(cluster=cluster, name=name).manifest
