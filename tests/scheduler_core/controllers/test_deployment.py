from collections.abc import Callable

import pytest

from scheduler_core.controllers.deployment.revisions import REVISION
from scheduler_core.controllers.deployment.strategy import fences
from scheduler_core.objects.manifest import Manifest
from tests.scheduler_core.controllers.cluster import TinyCluster, template, workload


def sizes(cluster: TinyCluster) -> list[int]:
    """What the ReplicaSets ask for, eldest first."""
    return [each["spec"]["replicas"] for each in cluster.store.list("ReplicaSet")]


def progressing(cluster: TinyCluster) -> tuple[str, str]:
    conditions = cluster.get("Deployment", "web")["status"]["conditions"]
    (found,) = (each for each in conditions if each["type"] == "Progressing")
    return found["status"], found["reason"]


def run_until(cluster: TinyCluster, done: Callable[[], bool], rounds: int = 50) -> None:
    for _ in range(rounds):
        if done():
            return
        cluster.now += 1
        cluster.run_all()
        cluster.end_terminating()
    raise AssertionError(f"not done after {rounds} rounds: {sizes(cluster)}")


def deployed(cluster: TinyCluster, **spec: object) -> None:
    cluster.store.create(workload("Deployment", **spec))
    cluster.settle()
    cluster.run_all()


def test_makes_a_replica_set_named_after_the_template(cluster: TinyCluster) -> None:
    cluster.store.create(workload("Deployment", replicas=3))
    cluster.settle()

    replica_set = cluster.only("ReplicaSet")
    hashed = replica_set["metadata"]["labels"]["pod-template-hash"]
    assert replica_set["metadata"]["name"] == f"web-{hashed}"
    assert replica_set["spec"]["selector"]["matchLabels"] == {"app": "web", "pod-template-hash": hashed}
    assert replica_set["metadata"]["annotations"][REVISION] == "1"
    assert cluster.get("Deployment", "web")["metadata"]["annotations"][REVISION] == "1"
    assert {pod["metadata"]["labels"]["pod-template-hash"] for pod in cluster.pods()} == {hashed}
    assert len(cluster.pods()) == 3
    assert cluster.event_messages("ScalingReplicaSet") == [f"Scaled up replica set web-{hashed} from 0 to 3"]


def test_reports_progress_and_completion(cluster: TinyCluster) -> None:
    cluster.store.create(workload("Deployment", replicas=2))
    cluster.settle()
    assert progressing(cluster) == ("True", "ReplicaSetUpdated")
    status = cluster.get("Deployment", "web")["status"]
    assert (status["replicas"], status["updatedReplicas"], status["unavailableReplicas"]) == (2, 2, 2)

    cluster.run_all()
    assert progressing(cluster) == ("True", "NewReplicaSetAvailable")
    status = cluster.get("Deployment", "web")["status"]
    assert (status["readyReplicas"], status["availableReplicas"]) == (2, 2)
    assert {each["type"]: each["status"] for each in status["conditions"]}["Available"] == "True"


def test_a_rollout_that_does_not_move_is_called_stuck(cluster: TinyCluster) -> None:
    cluster.store.create(workload("Deployment", replicas=1, progressDeadlineSeconds=60))
    cluster.settle()
    cluster.pass_time(59)
    assert progressing(cluster)[0] == "True"
    cluster.pass_time(2)
    assert progressing(cluster) == ("False", "ProgressDeadlineExceeded")


def test_scales_up_and_down(cluster: TinyCluster) -> None:
    deployed(cluster, replicas=2)
    cluster.change_spec("Deployment", "web", replicas=5)
    cluster.settle()
    assert len(cluster.active_pods()) == 5
    cluster.change_spec("Deployment", "web", replicas=1)
    cluster.settle()
    assert len(cluster.active_pods()) == 1
    assert [text.split(" from ")[1] for text in cluster.event_messages("ScalingReplicaSet")] == [
        "0 to 2",
        "2 to 5",
        "5 to 1",
    ]


def test_rolls_to_a_new_template_within_its_fences(cluster: TinyCluster) -> None:
    deployed(cluster, replicas=4)
    cluster.change_spec("Deployment", "web", template=template("shop:2"))
    cluster.settle()
    # 25% of 4: one pod more, one pod fewer.
    assert sizes(cluster) == [3, 2]

    def done() -> bool:
        assert sum(sizes(cluster)) <= 5
        ready = sum(each["status"].get("readyReplicas", 0) for each in cluster.store.list("ReplicaSet"))
        assert ready >= 3
        return progressing(cluster)[1] == "NewReplicaSetAvailable"

    run_until(cluster, done)
    assert sizes(cluster) == [0, 4]
    assert {pod["spec"]["containers"][0]["image"] for pod in cluster.active_pods()} == {"shop:2"}
    assert cluster.get("Deployment", "web")["metadata"]["annotations"][REVISION] == "2"


def test_a_rollout_that_never_gets_ready_stops_at_its_fences(cluster: TinyCluster) -> None:
    deployed(cluster, replicas=4)
    cluster.change_spec("Deployment", "web", template=template("broken"))
    cluster.settle()
    cluster.pass_time(30)
    assert sizes(cluster) == [3, 2]


def test_rolling_back_takes_the_old_replica_set_again(cluster: TinyCluster) -> None:
    deployed(cluster, replicas=2)
    first = cluster.only("ReplicaSet")["metadata"]["name"]
    cluster.change_spec("Deployment", "web", template=template("shop:2"))
    cluster.settle()
    run_until(cluster, lambda: sizes(cluster) == [0, 2])
    cluster.change_spec("Deployment", "web", template=template("shop:1"))
    cluster.settle()
    run_until(cluster, lambda: sizes(cluster) == [2, 0])

    assert cluster.get("ReplicaSet", first)["metadata"]["annotations"][REVISION] == "3"
    assert len(cluster.store.list("ReplicaSet")) == 2


def test_recreate_ends_the_old_pods_before_it_makes_new_ones(cluster: TinyCluster) -> None:
    deployed(cluster, replicas=3, strategy={"type": "Recreate"})
    cluster.change_spec("Deployment", "web", template=template("shop:2"))
    cluster.settle()
    assert sizes(cluster) == [0]
    assert len(cluster.pods()) == 3, "the old pods are terminating"

    cluster.end_terminating()
    assert sizes(cluster) == [0, 3]


def test_a_resize_in_the_middle_of_a_rollout_is_shared_out(cluster: TinyCluster) -> None:
    deployed(cluster, replicas=10, strategy={"rollingUpdate": {"maxSurge": 2, "maxUnavailable": 2}})
    cluster.change_spec("Deployment", "web", template=template("broken"))
    cluster.settle()
    assert sizes(cluster) == [8, 4]

    cluster.change_spec("Deployment", "web", replicas=20)
    cluster.settle()
    # 22 pods at most instead of 12: each has its share, 8 * 22 / 12 and 4 * 22 / 12.
    assert sizes(cluster) == [15, 7]


def test_a_paused_deployment_scales_but_does_not_roll(cluster: TinyCluster) -> None:
    deployed(cluster, replicas=2)
    cluster.change_spec("Deployment", "web", paused=True, template=template("shop:2"), replicas=3)
    cluster.settle()
    assert sizes(cluster) == [3]
    cluster.change_spec("Deployment", "web", paused=False)
    cluster.settle()
    assert len(sizes(cluster)) == 2


def test_keeps_only_as_many_old_revisions_as_asked(cluster: TinyCluster) -> None:
    deployed(cluster, replicas=1, revisionHistoryLimit=1)
    for version in (2, 3, 4):
        cluster.change_spec("Deployment", "web", template=template(f"shop:{version}"))
        cluster.settle()
        run_until(cluster, lambda: progressing(cluster)[1] == "NewReplicaSetAvailable")
    assert sizes(cluster) == [0, 1]


def test_a_clash_of_names_gives_another_hash(cluster: TinyCluster) -> None:
    cluster.store.create(workload("Deployment", replicas=1))
    cluster.settle()
    name = cluster.only("ReplicaSet")["metadata"]["name"]

    other = TinyCluster()
    taken = workload("ReplicaSet", name=name, replicas=0)
    taken["spec"]["selector"] = {"matchLabels": {"app": "other"}}
    other.store.create(taken)
    other.store.create(workload("Deployment", replicas=1))
    other.settle()

    assert other.get("Deployment", "web")["status"]["collisionCount"] == 1
    assert len(other.store.list("ReplicaSet")) == 2


@pytest.mark.parametrize(
    ("name", "strategy", "expected"),
    [
        ("defaults", {}, (3, 2)),
        ("numbers", {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}, (1, 0)),
        ("both zero", {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 0}}, (0, 1)),
        ("both zero in percent", {"rollingUpdate": {"maxSurge": "0%", "maxUnavailable": "5%"}}, (0, 1)),
        ("recreate", {"type": "Recreate"}, (0, 0)),
    ],
)
def test_fences(name: str, strategy: Manifest, expected: tuple[int, int]) -> None:
    assert fences({"spec": {"replicas": 10, "strategy": strategy}}) == expected, name


def test_deleting_it_takes_everything_along(cluster: TinyCluster) -> None:
    deployed(cluster, replicas=2)
    cluster.store.delete_many([cluster.get("Deployment", "web")])
    cluster.settle()
    assert not cluster.store.list("ReplicaSet")
    assert not cluster.active_pods()
    cluster.end_terminating()
    assert not cluster.pods()
