from typing import Any

from tests.scheduler_core.controllers.cluster import TinyCluster, template, workload


def names(cluster: TinyCluster) -> list[str]:
    return sorted(pod["metadata"]["name"] for pod in cluster.active_pods())


def grown(cluster: TinyCluster, **spec: Any) -> None:
    cluster.store.create(workload("StatefulSet", serviceName="db", **spec))
    cluster.settle()
    for _ in range(int(spec["replicas"])):
        cluster.run_all()


def test_pods_come_one_after_the_other(cluster: TinyCluster) -> None:
    cluster.store.create(workload("StatefulSet", replicas=3))
    cluster.settle()
    assert names(cluster) == ["web-0"]
    cluster.run_all()
    assert names(cluster) == ["web-0", "web-1"]
    cluster.run_all()
    assert names(cluster) == ["web-0", "web-1", "web-2"]


def test_in_parallel_they_come_at_once(cluster: TinyCluster) -> None:
    cluster.store.create(workload("StatefulSet", replicas=3, podManagementPolicy="Parallel"))
    cluster.settle()
    assert names(cluster) == ["web-0", "web-1", "web-2"]


def test_ordinals_may_start_elsewhere(cluster: TinyCluster) -> None:
    cluster.store.create(workload("StatefulSet", replicas=1, ordinals={"start": 5}))
    cluster.settle()
    assert names(cluster) == ["web-5"]
    assert cluster.pods()[0]["metadata"]["labels"]["apps.kubernetes.io/pod-index"] == "5"


def test_each_pod_keeps_its_claim(cluster: TinyCluster) -> None:
    claims = [{"metadata": {"name": "data"}, "spec": {"resources": {"requests": {"storage": "1Gi"}}}}]
    grown(cluster, replicas=2, volumeClaimTemplates=claims)
    assert [each["metadata"]["name"] for each in cluster.store.list("PersistentVolumeClaim")] == [
        "data-web-0",
        "data-web-1",
    ]
    volume = {"name": "data", "persistentVolumeClaim": {"claimName": "data-web-0"}}
    assert cluster.get("Pod", "web-0")["spec"]["volumes"] == [volume]
    assert cluster.get("Pod", "web-0")["spec"]["subdomain"] == "db"

    cluster.change_spec("StatefulSet", "web", replicas=0)
    cluster.settle()
    assert len(cluster.store.list("PersistentVolumeClaim")) == 2


def test_the_highest_goes_first_and_alone(cluster: TinyCluster) -> None:
    grown(cluster, replicas=3)
    cluster.change_spec("StatefulSet", "web", replicas=1)
    cluster.settle()
    assert names(cluster) == ["web-0", "web-1"]
    cluster.end_terminating()
    assert names(cluster) == ["web-0"]


def test_a_lost_pod_comes_back_under_its_name(cluster: TinyCluster) -> None:
    grown(cluster, replicas=2)
    uid = cluster.get("Pod", "web-0")["metadata"]["uid"]
    cluster.finish(cluster.get("Pod", "web-0"), "Failed")
    cluster.settle()
    assert cluster.get("Pod", "web-0")["metadata"]["uid"] != uid


def images(cluster: TinyCluster) -> dict[str, str]:
    return {pod["metadata"]["name"]: pod["spec"]["containers"][0]["image"] for pod in cluster.active_pods()}


def rolled(cluster: TinyCluster) -> None:
    for _ in range(10):
        cluster.run_all()
        cluster.end_terminating()


def test_an_update_goes_from_the_highest_down(cluster: TinyCluster) -> None:
    grown(cluster, replicas=3)
    cluster.change_spec("StatefulSet", "web", template=template("shop:2"))
    cluster.settle()
    assert names(cluster) == ["web-0", "web-1"]
    cluster.end_terminating()
    assert images(cluster) == {"web-0": "shop:1", "web-1": "shop:1", "web-2": "shop:2"}
    rolled(cluster)
    assert set(images(cluster).values()) == {"shop:2"}
    status = cluster.get("StatefulSet", "web")["status"]
    assert status["currentRevision"] == status["updateRevision"]
    assert (status["readyReplicas"], status["updatedReplicas"]) == (3, 3)


def test_below_the_partition_pods_stay_as_they_were_even_when_replaced(cluster: TinyCluster) -> None:
    grown(cluster, replicas=3)
    strategy = {"type": "RollingUpdate", "rollingUpdate": {"partition": 2}}
    cluster.change_spec("StatefulSet", "web", template=template("shop:2"), updateStrategy=strategy)
    rolled(cluster)
    cluster.finish(cluster.get("Pod", "web-0"), "Failed")
    cluster.settle()
    rolled(cluster)
    assert images(cluster) == {"web-0": "shop:1", "web-1": "shop:1", "web-2": "shop:2"}
