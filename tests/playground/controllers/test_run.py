from __future__ import annotations

from playground.controllers.session import sessions
from tests.playground.controllers.town import Town, deployment, job, node, pod
from tests.playground.freshness import LiveWatch


def test_a_deployment_becomes_running_pods(town: Town) -> None:
    watch = LiveWatch(town.cluster)
    town.create(deployment(replicas=3))
    town.run()
    assert town.phases() == {"Pending": 3}
    watch.assert_fresh()

    town.bind_all()
    town.run()
    town.pass_time(2.1)
    town.pass_time(0.6)
    assert town.phases() == {"Running": 3}
    status = town.get("Deployment", "web")["status"]
    assert (status["readyReplicas"], status["availableReplicas"]) == (3, 3)
    watch.assert_fresh()


def test_its_story_is_told_in_events(town: Town) -> None:
    town.create(deployment(replicas=1))
    town.run()
    town.bind_all()
    town.pass_time(0.1)
    town.pass_time(2.1)
    town.pass_time(0.6)

    (one,) = town.pods()
    assert town.reasons("web") == ["ScalingReplicaSet"]
    assert town.reasons(one["metadata"]["ownerReferences"][0]["name"]) == ["SuccessfulCreate"]
    assert town.reasons(one["metadata"]["name"]) == ["Pulling", "Pulled", "Created", "Started"]
    assert one["status"]["podIP"].startswith("10.")
    assert town.get("Node", "n1")["status"]["images"][0]["names"] == ["shop:1"]


def test_a_second_pod_finds_the_image_on_the_node(town: Town) -> None:
    for name in ("a", "b"):
        town.create(pod(name))
        town.bind(name)
        town.run()
        town.pass_time(2.1)
    assert town.reasons("b") == ["Pulled", "Created", "Started"]


def test_nothing_is_written_twice(town: Town) -> None:
    town.create(deployment(replicas=2))
    town.run()
    town.cluster.refresh_from_db()
    version = town.cluster.resource_version
    town.run()
    town.cluster.refresh_from_db()
    assert town.cluster.resource_version == version


def test_another_worker_goes_on_where_one_was_killed(town: Town) -> None:
    town.create(deployment(replicas=2))
    town.run()
    town.bind_all()
    sessions.drop(town.id)
    town.run()
    sessions.drop(town.id)
    town.pass_time(2.1)
    sessions.drop(town.id)
    town.pass_time(0.6)
    assert town.phases() == {"Running": 2}


def test_a_pod_bound_by_hand_where_it_does_not_fit_fails_and_is_replaced(town: Town) -> None:
    town.create(node("small", cpu="50m"))
    town.create(deployment(replicas=1))
    town.run()
    (first,) = town.pods()
    town.bind(first["metadata"]["name"], node_name="small")
    town.run()

    failed = town.get("Pod", first["metadata"]["name"])
    assert (failed["status"]["phase"], failed["status"]["reason"]) == ("Failed", "OutOfcpu")
    assert failed["status"]["message"] == (
        "Pod was rejected: Node didn't have enough resource: cpu, requested: 100, used: 0, capacity: 50"
    )
    assert town.phases() == {"Failed": 1, "Pending": 1}


def test_pods_bound_in_one_breath_count_against_each_other(town: Town) -> None:
    town.create(deployment(replicas=5, cpu="1"))
    town.run()
    town.bind_all()
    town.run()
    assert town.phases()["Failed"] == 1
    reasons = [one["status"].get("reason") for one in town.pods() if one["status"]["phase"] == "Failed"]
    assert reasons == ["OutOfcpu"]


def test_a_deleted_pod_has_its_grace_period(town: Town) -> None:
    town.create(pod("a", terminationGracePeriodSeconds=10))
    town.bind("a")
    town.run()
    town.pass_time(2.1)
    town.pass_time(0.6)
    town.delete("Pod", "a")
    town.run()
    assert town.reasons("a")[-1] == "Killing"
    town.pass_time(9)
    assert town.get("Pod", "a")["metadata"]["deletionTimestamp"]
    town.pass_time(2)
    assert town.pods() == []


def test_while_the_clock_is_paused_only_controllers_work(town: Town) -> None:
    town.pause()
    town.create(deployment(replicas=2))
    town.run()
    assert len(town.pods()) == 2
    town.bind_all()
    result = town.run()
    assert result.due_in is None
    assert all("startTime" not in one["status"] for one in town.pods())

    town.resume()
    town.run()
    assert all(one["status"]["startTime"] for one in town.pods())


def test_a_node_that_comes_later_takes_its_pods(town: Town) -> None:
    town.create(pod("a", nodeName="late"))
    town.run()
    assert "startTime" not in town.get("Pod", "a")["status"]
    town.create(node("late"))
    town.run()
    assert town.get("Pod", "a")["status"]["startTime"]


def test_deleting_a_deployment_leaves_nothing(town: Town) -> None:
    town.create(deployment(replicas=3))
    town.run()
    town.delete("Deployment", "web")
    town.run()
    assert town.pods() == []
    assert town.all("ReplicaSet") == []


def test_scaling_to_hundreds_is_one_event_more(town: Town) -> None:
    watch = LiveWatch(town.cluster)
    town.create(deployment(replicas=250, cpu="1m"))
    town.run()
    assert len(town.pods()) == 250
    events = [event for event in town.all("Event") if event["reason"] == "SuccessfulCreate"]
    assert sum(event["count"] for event in events) == 250
    assert len(events) <= 33
    watch.assert_fresh()

    town.change_spec("Deployment", "web", replicas=1)
    town.run()
    assert len(town.pods()) == 1
    watch.assert_fresh()


def test_a_job_runs_its_pods_to_the_end(town: Town) -> None:
    watch = LiveWatch(town.cluster)
    town.create(job(completions=2, parallelism=1))
    for _ in range(2):
        town.run()
        town.bind_all()
        for seconds in (0.1, 2.1, 0.6, 10.1):
            town.pass_time(seconds)
    assert town.phases() == {"Succeeded": 2}
    status = town.get("Job", "sum")["status"]
    assert (status["succeeded"], status["active"]) == (2, 0)
    assert [each["type"] for each in status["conditions"]] == ["SuccessCriteriaMet", "Complete"]
    watch.assert_fresh()


def test_a_rollout_brings_the_new_template_to_every_pod(town: Town) -> None:
    watch = LiveWatch(town.cluster)
    town.create(deployment(replicas=3))
    town.run()
    town.bind_all()
    town.pass_time(35)
    town.pass_time(35)
    template = town.get("Deployment", "web")["spec"]["template"]
    (container,) = template["spec"]["containers"]
    newer = {**template, "spec": {**template["spec"], "containers": [{**container, "image": "shop:2"}]}}
    town.change_spec("Deployment", "web", template=newer)
    for _ in range(10):
        town.run()
        town.bind_all()
        town.pass_time(35)
    assert {each["spec"]["containers"][0]["image"] for each in town.pods()} == {"shop:2"}
    assert town.phases() == {"Running": 3}
    assert sorted(each["spec"]["replicas"] for each in town.all("ReplicaSet")) == [0, 3]
    watch.assert_fresh()


def test_pods_of_a_deleted_node_are_made_again(town: Town) -> None:
    town.create(deployment(replicas=2))
    town.run()
    town.bind_all()
    town.run()
    town.delete("Node", "n1")
    town.run()
    town.pass_time(41)
    assert town.phases() == {"Pending": 2}
    assert all(not each["spec"].get("nodeName") for each in town.pods())


def test_a_cordoned_node_gets_its_taint(town: Town) -> None:
    town.change_spec("Node", "n1", unschedulable=True)
    town.run()
    taints = town.get("Node", "n1")["spec"]["taints"]
    assert taints == [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}]
