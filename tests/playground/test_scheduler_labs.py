"""L7 and the labs of schedulers: two that race for one room, two profiles that do not, two processes and one leader."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from playground.clusters.models import Cluster, Pod
from playground.clusters.selectors import object_get, object_list
from playground.clusters.services.from_preset import cluster_create_from
from playground.clusters.services.objects import DeleteOptions, object_delete
from playground.clusters.services.transaction import cluster_transaction
from playground.controllers.services.run import controllers_run
from playground.controllers.session import sessions
from playground.scheduling.models import Binding, Decision, QueuedPod
from playground.scheduling.models.binding import IN_FLIGHT
from playground.scheduling.selectors.scheduler_cards import scheduler_cards
from playground.scheduling.services.schedulers import scheduler_deploy, scheduler_process
from playground.scheduling.translation.reports import decode_summary
from tests.playground.builders import a_cluster, a_node, a_pod, created
from tests.playground.freshness import LiveWatch
from tests.playground.scheduling.driving import Worker, advance, nodes_of_pods

pytestmark = pytest.mark.django_db

FIRST, SECOND = "kube-scheduler", "second-scheduler"
RACES = 200
NOW = DeleteOptions(grace_period_seconds=0)
OUT_OF_CPU = "Pod was rejected: Node didn't have enough resource: cpu, requested: 3000, used: 3500, capacity: 4000"


class Race:
    """A cluster with its schedulers and its kubelets in the test's hands."""

    def __init__(self, cluster: Cluster, *names: str) -> None:
        self.cluster = cluster
        Cluster.objects.update(clock_speed=0.0001)
        # A rolled-back test's cluster id is given out again, which a database in use never does.
        sessions.drop(cluster.pk)
        self.schedulers = {name: Worker(cluster, f"elsewhere/1/{name}", scheduler=name) for name in names}

    def controllers(self) -> None:
        while controllers_run(cluster_id=self.cluster.pk).unfinished:
            pass

    def decide(self, order: tuple[str, ...]) -> None:
        """A slice of each, and nothing bound in between."""
        for name in order:
            self.schedulers[name].slice()

    def bind(self) -> None:
        in_flight = Binding.objects.filter(phase__in=IN_FLIGHT).order_by("sequence")
        next(iter(self.schedulers.values())).run_bindings(list(in_flight.values_list("sequence", flat=True)))

    def settle(self) -> None:
        for _ in range(2):
            self.controllers()
            # Long enough for a kubelet to start a pod.
            advance(self.cluster, 5.0)
            for worker in self.schedulers.values():
                worker.work()
        self.controllers()

    def pods(self, app: str) -> list[dict[str, Any]]:
        pods = [pod for pod in object_list(self.cluster.pk, "Pod") if pod["metadata"]["labels"].get("app") == app]
        return sorted(pods, key=lambda pod: pod["metadata"]["resourceVersion"])

    def phases(self) -> Counter[str]:
        return Counter(Pod.objects.exclude(name="resident").values_list("phase", flat=True))


@pytest.fixture
def race() -> Race:
    race = Race(cluster_create_from(name="lab", preset="two-schedulers-race", seed=1), FIRST, SECOND)
    race.controllers()
    return race


def test_l7_two_schedulers_place_into_the_same_room_and_the_kubelet_refuses_the_second(race: Race) -> None:
    watch = LiveWatch(race.cluster)
    race.decide((FIRST, SECOND))
    race.bind()
    assert [row.phase for row in Binding.objects.all()] == ["binding", "binding"]
    watch.assert_fresh()
    advance(race.cluster, 3.1)
    race.bind()
    # The API server takes both: whether there is room is the scheduler's affair, and the kubelet's.
    assert [row.phase for row in Binding.objects.all()] == ["bound", "bound"]
    race.settle()
    assert race.phases() == {"Running": 1, "Failed": 1, "Pending": 1}
    (loser,) = (pod for pod in object_list(race.cluster.pk, "Pod") if pod["status"]["phase"] == "Failed")
    assert (loser["status"]["reason"], loser["status"]["message"]) == ("OutOfcpu", OUT_OF_CPU)
    watch.assert_fresh()


def test_the_losers_story_is_told(race: Race) -> None:
    race.decide((FIRST, SECOND))
    race.bind()
    advance(race.cluster, 3.1)
    race.bind()
    race.settle()
    failed, waiting = race.pods("second")
    assert (failed["status"]["phase"], waiting["status"]["phase"]) == ("Failed", "Pending")
    events = object_list(race.cluster.pk, "Event")
    told = [event["reason"] for event in events if event["involvedObject"]["name"] == failed["metadata"]["name"]]
    assert sorted(told) == ["OutOfcpu", "Scheduled"]
    condition = next(each for each in waiting["status"]["conditions"] if each["type"] == "PodScheduled")
    assert condition["message"].startswith("0/1 nodes are available: 1 Insufficient cpu.")
    assert QueuedPod.objects.get().scheduler.name == SECOND
    # Whoever decided says so, on the decision, too.
    schedulers = {summary.pod.name: summary.scheduler for summary in map(_summary, Decision.objects.all())}
    assert schedulers[failed["metadata"]["name"]] == SECOND


def test_two_profiles_of_one_scheduler_never_give_a_room_twice() -> None:
    race = Race(cluster_create_from(name="lab", preset="two-profiles", seed=1), FIRST)
    race.controllers()
    race.decide((FIRST,))
    race.bind()
    advance(race.cluster, 3.1)
    race.bind()
    race.settle()
    assert race.phases() == {"Running": 1, "Pending": 1}
    assert {row.scheduler_name for row in Binding.objects.all()} <= {"default-scheduler", SECOND}
    assert [row.outcome for row in Decision.objects.order_by("sequence")][:2] == ["scheduled", "unschedulable"]


def test_two_hundred_races_for_the_last_slot_never_end_with_two_running_pods() -> None:
    cluster = a_cluster(settings={"pull_seconds": 0.0, "start_seconds": 0.0})
    with cluster_transaction(cluster.pk) as tx:
        document = {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "leaderElection": {"leaderElect": False},
            "profiles": [{"schedulerName": SECOND}],
        }
        scheduler_deploy(tx, name=SECOND, document=document)
    created(cluster, a_node("n1", cpu="4"))
    race = Race(cluster, FIRST, SECOND)
    race.settle()
    outcomes: Counter[tuple[str, ...]] = Counter()
    for number in range(RACES):
        outcomes[_one_race(race, number)] += 1
    race.settle()
    assert not QueuedPod.objects.exists()
    # Where the second one looks after the first one's pod is bound, it sees it; otherwise the kubelet decides.
    assert outcomes == {("Failed", "Running"): 150, ("Pending", "Running"): 50}
    numbers = list(Decision.objects.values_list("sequence", flat=True))
    assert len(set(numbers)) == len(numbers)


def _one_race(race: Race, number: int) -> tuple[str, ...]:
    """Both want the room, in every order of looking and binding; then it is free again."""
    names = [f"a-{number}", f"b-{number}"]
    created(race.cluster, a_pod(names[0], cpu="3"), a_pod(names[1], cpu="3", schedulerName=SECOND))
    order = (FIRST, SECOND) if number % 2 else (SECOND, FIRST)
    if number % 4 == 0:
        race.decide(order[:1])
        race.bind()
        race.decide(order[1:])
    else:
        race.decide(order)
    race.bind()
    race.controllers()
    phases = tuple(sorted(Pod.objects.values_list("phase", flat=True)))
    with cluster_transaction(race.cluster.pk) as tx:
        for name in names:
            object_delete(tx, kind="Pod", namespace="default", name=name, options=NOW)
    return phases


def test_a_pod_of_two_schedulers_is_bound_once_and_the_second_binding_is_a_conflict() -> None:
    """Both have the profile default-scheduler: both work on every pod."""
    cluster = a_cluster()
    with cluster_transaction(cluster.pk) as tx:
        election = {"leaderElection": {"leaderElect": False}}
        head = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
        scheduler_deploy(tx, name=SECOND, document={**head, **election})
    created(cluster, a_node("n1"), a_pod("web"))
    race = Race(cluster, FIRST, SECOND)
    watch = LiveWatch(cluster)
    race.decide((FIRST, SECOND))
    assert QueuedPod.objects.filter(name="web").count() == 2
    watch.assert_fresh()
    race.bind()
    first, second = Binding.objects.order_by("sequence")
    assert (first.phase, second.phase) == ("bound", "failed")
    assert second.message == (
        'running Bind plugin "DefaultBinder": Operation cannot be fulfilled on pods/binding "web": '
        'pod web is already assigned to node "n1"'
    )
    race.settle()
    assert nodes_of_pods(cluster) == {"web": "n1"}
    assert not QueuedPod.objects.exists()
    watch.assert_fresh()


def test_k12_the_lab_of_leader_election_tells_its_story() -> None:
    cluster = cluster_create_from(name="lab", preset="leader-election-lab", seed=1)
    race = Race(cluster, FIRST, "another-scheduler")
    race.settle()
    first, another = scheduler_cards(cluster_id=cluster.pk)
    assert (first.leader, [replica.running for replica in first.replicas]) == ("kube-scheduler-0", [True, True])
    assert another.standing_by.startswith("lease kube-system/kube-scheduler is held by kube-scheduler-0_")
    with cluster_transaction(cluster.pk) as tx:
        scheduler_process(tx, name=FIRST, number=0, action="kill")
    created(cluster, a_pod("web"))
    race.schedulers[FIRST].slice()
    assert nodes_of_pods(cluster) == {"web": ""}
    advance(cluster, 15.1)
    race.schedulers[FIRST].work()
    first, _ = scheduler_cards(cluster_id=cluster.pk)
    assert (first.leader, bool(nodes_of_pods(cluster)["web"])) == ("kube-scheduler-1", True)
    lease = object_get(cluster.pk, "Lease", "kube-system", "kube-scheduler")
    assert lease is not None
    assert lease["spec"]["leaseTransitions"] == 1


def _summary(row: Decision) -> Any:
    return decode_summary(bytes(row.summary))
