"""K12: a scheduler schedules while one of its processes holds the Lease; who takes it over begins anew."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters import clock
from playground.clusters.models import Cluster
from playground.clusters.selectors import object_get, object_list
from playground.clusters.services.clusters import cluster_pause
from playground.clusters.services.objects import object_delete, object_patch
from playground.clusters.services.transaction import cluster_transaction
from playground.clusters.settings import cluster_settings
from playground.common.errors import FenceLost, Invalid
from playground.scheduling.models import Binding, ClusterScheduler, QueuedPod, SchedulerReplica
from playground.scheduling.selectors.progress import scheduler_work_left
from playground.scheduling.selectors.scheduler_cards import SchedulerCard, scheduler_card
from playground.scheduling.selectors.schedulers import scheduler_get
from playground.scheduling.services import slice as slices
from playground.scheduling.services.processes import PROCESS_ENDED
from playground.scheduling.services.profiles import configuration_replace
from playground.scheduling.services.schedulers import scheduler_deploy, scheduler_process, scheduler_scale
from playground.scheduling.services.steps import step_request
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch
from tests.playground.scheduling.driving import Worker, advance, nodes_of_pods

pytestmark = pytest.mark.django_db

FIRST = "kube-scheduler"


@pytest.fixture
def cluster() -> Cluster:
    """Time stands nearly still unless the test lets it pass."""
    cluster = a_cluster()
    Cluster.objects.update(clock_speed=0.0001)
    created(cluster, a_node("n1"))
    return cluster


def deploy(cluster: Cluster, name: str, **election: Any) -> None:
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "leaderElection": election,
    }
    with cluster_transaction(cluster.pk) as tx:
        scheduler_deploy(tx, name=name, document=document)


def scale(cluster: Cluster, replicas: int) -> None:
    with cluster_transaction(cluster.pk) as tx:
        scheduler_scale(tx, name=FIRST, replicas=replicas)


def process(cluster: Cluster, action: str, number: int = 0, name: str = FIRST) -> None:
    with cluster_transaction(cluster.pk) as tx:
        scheduler_process(tx, name=name, number=number, action=action)


def card(cluster: Cluster, name: str = FIRST) -> SchedulerCard:
    return scheduler_card(scheduler_get(cluster_id=cluster.pk, name=name))


def lease(cluster: Cluster, name: str = FIRST) -> dict[str, Any]:
    manifest = object_get(cluster.pk, "Lease", "kube-system", name)
    assert manifest is not None
    return dict(manifest["spec"])


def test_the_scheduler_of_a_cluster_holds_the_lease_that_kubernetes_gives_it(cluster: Cluster) -> None:
    Worker(cluster).work()
    spec = lease(cluster)
    assert spec["holderIdentity"].startswith("kube-scheduler-0_")
    assert (spec["leaseDurationSeconds"], spec["leaseTransitions"]) == (15, 0)
    assert card(cluster).leader == "kube-scheduler-0"
    (event,) = [each for each in object_list(cluster.pk, "Event") if each["reason"] == "LeaderElection"]
    assert event["message"] == f"{spec['holderIdentity']} became leader"


def test_a_lease_is_not_written_while_nothing_happens_to_it(cluster: Cluster) -> None:
    worker = Worker(cluster)
    worker.work()
    version = Cluster.objects.get().resource_version
    advance(cluster, 100.0)
    worker.work()
    created(cluster, a_pod("web"))
    worker.work()
    manifest = object_get(cluster.pk, "Lease", "kube-system", FIRST)
    assert manifest is not None
    assert int(manifest["metadata"]["resourceVersion"]) <= version


def test_a_second_scheduler_with_the_default_lock_waits_forever(cluster: Cluster) -> None:
    Worker(cluster).work()
    deploy(cluster, "second")
    second = Worker(cluster, scheduler="second")
    for _ in range(3):
        outcome = second.slice()
        assert outcome is not None
        assert outcome.next_in is None
        advance(cluster, 60.0)
    holder = lease(cluster)["holderIdentity"]
    assert card(cluster, "second").standing_by == f"lease kube-system/kube-scheduler is held by {holder}"
    assert card(cluster, "second").leader == ""
    Worker(cluster).work()
    assert scheduler_work_left(Cluster.objects.get()) == []


@pytest.mark.parametrize("election", [{"resourceName": "second"}, {"leaderElect": False}])
def test_with_a_lock_of_its_own_or_none_it_schedules_at_once(cluster: Cluster, election: Any) -> None:
    Worker(cluster).work()
    deploy(cluster, "second", **election)
    Worker(cluster, scheduler="second").work()
    assert card(cluster, "second").leader == "second-0"
    assert card(cluster).leader == "kube-scheduler-0"


def test_when_the_leader_is_killed_the_other_takes_over_after_the_lease_has_run_out(cluster: Cluster) -> None:
    worker = Worker(cluster)
    scale(cluster, 2)
    worker.work()
    died_at = clock.now(Cluster.objects.get())
    process(cluster, "kill")
    created(cluster, a_pod("web"))
    worker.work()
    waiting = card(cluster)
    assert (waiting.leader, nodes_of_pods(cluster)) == ("", {"web": ""})
    assert waiting.takes_over_at == pytest.approx(died_at + 15, abs=0.1)
    assert "a lease that will be taken over" in scheduler_work_left(Cluster.objects.get())
    advance(cluster, 14.0)
    worker.work()
    assert card(cluster).leader == ""
    advance(cluster, 1.1)
    worker.work()
    assert (card(cluster).leader, nodes_of_pods(cluster)) == ("kube-scheduler-1", {"web": "n1"})
    assert lease(cluster)["leaseTransitions"] == 1


def test_a_killed_leader_leaves_the_time_of_its_last_renewal(cluster: Cluster) -> None:
    Worker(cluster).work()
    acquired = clock.parse_timestamp(lease(cluster)["acquireTime"])
    advance(cluster, 7.0)
    process(cluster, "kill")
    assert clock.parse_timestamp(lease(cluster)["renewTime"]) == pytest.approx(acquired + 6.0)


def test_a_leader_that_is_stopped_releases_its_lease_and_nobody_waits(cluster: Cluster) -> None:
    worker = Worker(cluster)
    scale(cluster, 2)
    worker.work()
    process(cluster, "stop")
    assert (lease(cluster)["holderIdentity"], lease(cluster)["leaseDurationSeconds"]) == ("", 1)
    created(cluster, a_pod("web"))
    worker.work()
    assert (card(cluster).leader, nodes_of_pods(cluster)) == ("kube-scheduler-1", {"web": "n1"})


def test_a_new_leader_knows_nothing_of_attempts_and_backoff(cluster: Cluster) -> None:
    created(cluster, a_pod("big", cpu="8"))
    worker = Worker(cluster)
    scale(cluster, 2)
    worker.work()
    process(cluster, "kill")
    watch = LiveWatch(cluster)
    created(cluster, a_node("n2"))
    assert not QueuedPod.objects.exists()
    advance(cluster, 15.1)
    worker.work()
    advance(cluster, 15.1)
    worker.work()
    watch.assert_fresh()
    assert card(cluster).leader == "kube-scheduler-1"
    assert QueuedPod.objects.get(name="big").attempts == 1


def test_a_binding_the_process_had_not_sent_dies_with_it_and_one_that_was_sent_is_carried_out(
    cluster: Cluster,
) -> None:
    Cluster.objects.update(settings={**Cluster.objects.get().settings, "binding_latency_seconds": 5.0})
    assert cluster_settings(Cluster.objects.get()).binding_latency_seconds == 5.0
    created(cluster, a_pod("sent"))
    worker = Worker(cluster, binds=False)
    worker.run_bindings(worker.slice().binding_sequences)  # type: ignore[union-attr]
    created(cluster, a_pod("unsent"))
    worker.slice()
    process(cluster, "kill")
    assert Binding.objects.get(name="unsent").message == PROCESS_ENDED
    advance(cluster, 5.1)
    worker.run_bindings([Binding.objects.get(name="sent").sequence])
    assert nodes_of_pods(cluster) == {"sent": "n1", "unsent": ""}
    # A process starts where the other one died: it waits for its own scheduler's Lease, and finds the pod.
    process(cluster, "start")
    worker.work()
    advance(cluster, 15.1)
    worker.binds = True
    outcome = worker.slice()
    assert outcome is not None
    worker.run_bindings(outcome.binding_sequences)
    advance(cluster, 5.1)
    worker.run_bindings(outcome.binding_sequences)
    assert nodes_of_pods(cluster) == {"sent": "n1", "unsent": "n1"}


def test_what_a_worker_was_doing_for_a_killed_process_is_not_stored(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = Worker(cluster)
    worker.work()
    created(cluster, a_pod("web"))
    record = slices.slice_record

    def killed_before(**arguments: Any) -> Any:
        process(cluster, "kill")
        return record(**arguments)

    monkeypatch.setattr(slices, "slice_record", killed_before)
    with pytest.raises(FenceLost):
        worker.slice()
    assert not Binding.objects.exists()


def test_who_takes_the_lease_by_hand_ends_the_process_that_led(cluster: Cluster) -> None:
    created(cluster, a_pod("big", cpu="8"))
    worker = Worker(cluster)
    worker.work()
    before = lease(cluster)["holderIdentity"]

    def stolen(current: Any) -> Any:
        return {**current, "spec": {**current["spec"], "holderIdentity": "me"}}

    with cluster_transaction(cluster.pk) as tx:
        object_patch(tx, kind="Lease", namespace="kube-system", name=FIRST, change=stolen)
    worker.slice()
    worker.slice()
    assert card(cluster).leader == ""
    assert not QueuedPod.objects.exists()
    advance(cluster, 15.1)
    worker.work()
    assert card(cluster).leader == "kube-scheduler-0"
    # It is another process than before.
    assert lease(cluster)["holderIdentity"] not in ("me", before)


def test_a_lease_that_is_deleted_is_made_anew_by_its_holder(cluster: Cluster) -> None:
    worker = Worker(cluster)
    worker.work()
    before = lease(cluster)["holderIdentity"]
    with cluster_transaction(cluster.pk) as tx:
        object_delete(tx, kind="Lease", namespace="kube-system", name=FIRST)
    worker.work()
    assert lease(cluster)["holderIdentity"] == before


def test_while_the_clock_is_paused_nobody_takes_over_and_a_step_leads_to_the_moment(cluster: Cluster) -> None:
    worker = Worker(cluster)
    scale(cluster, 2)
    worker.work()
    process(cluster, "kill")
    worker.work()
    with cluster_transaction(cluster.pk) as tx:
        cluster_pause(tx)
    worker.slice()
    assert card(cluster).leader == ""
    step_request(cluster=Cluster.objects.get())
    worker.slice()
    worker.slice()
    assert card(cluster).leader == "kube-scheduler-1"


def test_a_namespace_that_is_not_there_is_said_and_looked_for_again(cluster: Cluster) -> None:
    deploy(cluster, "second", resourceName="second", resourceNamespace="nowhere")
    second = Worker(cluster, scheduler="second")
    second.slice()
    assert 'namespaces "nowhere" not found' in card(cluster, "second").standing_by
    created(cluster, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "nowhere"}})
    second.work()
    assert card(cluster, "second").leader == "second-0"


def test_another_lease_in_the_configuration_starts_the_process_anew(cluster: Cluster) -> None:
    worker = Worker(cluster)
    worker.work()
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "leaderElection": {"resourceName": "elsewhere"},
    }
    configuration_replace(cluster=cluster, document=document)
    worker.work()
    assert lease(cluster)["holderIdentity"] == ""
    assert lease(cluster, "elsewhere")["holderIdentity"] == SchedulerReplica.objects.get().identity
    assert SchedulerReplica.objects.get().starts == 2


def test_several_processes_without_election_are_refused(cluster: Cluster) -> None:
    deploy(cluster, "second", leaderElect=False)
    with (
        pytest.raises(Invalid, match="leaderElection.leaderElect: must be true"),
        cluster_transaction(cluster.pk) as tx,
    ):
        scheduler_scale(tx, name="second", replicas=2)
    assert ClusterScheduler.objects.get(name="second").replicas.count() == 1
