from typing import Any

import pytest

from scheduler_core.controllers.job_pods import format_indexes, parse_indexes
from scheduler_core.objects.timestamps import format_timestamp
from tests.scheduler_core.controllers.cluster import TinyCluster, template, workload


def job(cluster: TinyCluster, **spec: Any) -> None:
    made = workload("Job", template=template(restartPolicy="Never"), **spec)
    del made["spec"]["selector"]
    cluster.store.create(made)
    cluster.settle()


def end(cluster: TinyCluster, phase: str = "Succeeded") -> None:
    for pod in cluster.active_pods():
        cluster.finish(pod, phase)
    cluster.settle()


def condition_types(cluster: TinyCluster) -> set[str]:
    conditions = cluster.get("Job", "web")["status"].get("conditions", [])
    return {each["type"] for each in conditions if each["status"] == "True"}


def test_one_pod_that_succeeds_completes_it(cluster: TinyCluster) -> None:
    job(cluster)
    (pod,) = cluster.pods()
    assert pod["metadata"]["labels"]["batch.kubernetes.io/job-name"] == "web"
    assert cluster.get("Job", "web")["status"]["active"] == 1
    end(cluster)
    status = cluster.get("Job", "web")["status"]
    assert (status["succeeded"], status["active"]) == (1, 0)
    assert condition_types(cluster) == {"SuccessCriteriaMet", "Complete"}
    assert len(cluster.pods()) == 1
    assert cluster.event_messages("Completed") == ["Job completed"]


def test_runs_as_many_as_allowed_until_enough_have_succeeded(cluster: TinyCluster) -> None:
    job(cluster, parallelism=2, completions=5)
    sizes = []
    while "Complete" not in condition_types(cluster):
        sizes.append(len(cluster.active_pods()))
        end(cluster)
    assert sizes == [2, 2, 1]


def test_a_counted_pod_may_be_deleted(cluster: TinyCluster) -> None:
    job(cluster, parallelism=1, completions=2)
    end(cluster)
    cluster.store.delete_many([pod for pod in cluster.pods() if pod not in cluster.active_pods()])
    cluster.settle()
    assert cluster.get("Job", "web")["status"]["succeeded"] == 1
    end(cluster)
    assert "Complete" in condition_types(cluster)


def fail_now(cluster: TinyCluster) -> None:
    (pod,) = cluster.active_pods()
    cluster.store.update_status(pod, {"phase": "Failed", "startTime": format_timestamp(cluster.now)})
    cluster.settle()


def test_a_failed_pod_is_replaced_after_a_growing_wait(cluster: TinyCluster) -> None:
    job(cluster)
    for wait in (10, 20, 40):
        fail_now(cluster)
        cluster.pass_time(wait - 1)
        assert not cluster.active_pods()
        cluster.pass_time(1)
        assert len(cluster.active_pods()) == 1


def test_too_many_failures_fail_it(cluster: TinyCluster) -> None:
    job(cluster, backoffLimit=1)
    for _ in range(2):
        end(cluster, "Failed")
        cluster.pass_time(400)
    assert condition_types(cluster) == {"FailureTarget", "Failed"}
    assert cluster.get("Job", "web")["status"]["failed"] == 2
    assert cluster.event_messages("BackoffLimitExceeded") == ["Job has reached the specified backoff limit"]


def test_a_deadline_ends_it(cluster: TinyCluster) -> None:
    job(cluster, activeDeadlineSeconds=60)
    cluster.pass_time(61)
    assert condition_types(cluster) == {"FailureTarget", "Failed"}
    assert not cluster.active_pods()


def test_an_indexed_job_wants_one_success_for_each_index(cluster: TinyCluster) -> None:
    job(cluster, parallelism=2, completions=3, completionMode="Indexed")
    assert sorted(pod["metadata"]["name"][:6] for pod in cluster.pods()) == ["web-0-", "web-1-"]
    first = next(pod for pod in cluster.pods() if pod["metadata"]["name"].startswith("web-1-"))
    cluster.finish(first, "Succeeded")
    cluster.settle()
    assert cluster.get("Job", "web")["status"]["completedIndexes"] == "1"
    assert sorted(pod["metadata"]["name"][:6] for pod in cluster.active_pods()) == ["web-0-", "web-2-"]
    end(cluster)
    assert cluster.get("Job", "web")["status"]["completedIndexes"] == "0-2"


def test_a_work_queue_is_done_when_one_has_succeeded_and_all_have_ended(cluster: TinyCluster) -> None:
    job(cluster, parallelism=3)
    cluster.finish(cluster.active_pods()[0], "Succeeded")
    cluster.settle()
    assert len(cluster.active_pods()) == 2
    assert "Complete" not in condition_types(cluster)
    end(cluster)
    assert "Complete" in condition_types(cluster)


def test_a_suspended_job_has_no_pods(cluster: TinyCluster) -> None:
    job(cluster, parallelism=2, completions=2)
    cluster.change_spec("Job", "web", suspend=True)
    cluster.settle()
    assert not cluster.active_pods()
    assert "Suspended" in condition_types(cluster)
    cluster.change_spec("Job", "web", suspend=False)
    cluster.settle()
    assert len(cluster.active_pods()) == 2
    assert "Suspended" not in condition_types(cluster)


def test_a_finished_job_is_removed_when_its_time_is_over(cluster: TinyCluster) -> None:
    job(cluster, ttlSecondsAfterFinished=100)
    end(cluster)
    cluster.pass_time(99)
    assert cluster.store.list("Job")
    cluster.pass_time(2)
    assert not cluster.store.list("Job")
    assert not cluster.pods()


@pytest.mark.parametrize(("text", "indexes"), [("", set()), ("3", {3}), ("0-2,5", {0, 1, 2, 5}), ("1,3", {1, 3})])
def test_indexes_in_short(text: str, indexes: set[int]) -> None:
    assert parse_indexes(text) == indexes
    assert format_indexes(indexes) == text
