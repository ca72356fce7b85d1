from typing import Any

import pytest

from scheduler_core.kubelet import images
from scheduler_core.kubelet.pod_life import EXIT_CODE, RUN_SECONDS, Outcome, PodStep, Step, begin, is_new, stop, take
from scheduler_core.kubelet.settings import KubeletSettings
from scheduler_core.objects.manifest import Manifest, condition_of, is_ready
from tests.scheduler_core.kubelet.cast import NOW, node, pod

SETTINGS = KubeletSettings(pull_seconds=2, start_seconds=1, stop_seconds=0.5)


def begun(one: Manifest, on: Manifest, *, pulling: dict[str, float] | None = None) -> Outcome:
    return begin(one, on, [], pulling=pulling or {}, settings=SETTINGS, now=NOW)


def after(one: Manifest, outcome: Outcome) -> Manifest:
    return one if outcome.status is None else {**one, "status": outcome.status}


def taken(one: Manifest, outcome: Outcome, settings: KubeletSettings = SETTINGS) -> tuple[Manifest, Outcome]:
    """The pod and what comes of it when the next step is due."""
    step = outcome.next_step
    assert step is not None, "nothing is due"
    before = after(one, outcome)
    result = take(before, step, serial=7, settings=settings, now=step.due_at)
    return after(before, result), result


def started(one: Manifest, settings: KubeletSettings = SETTINGS) -> tuple[Manifest, Outcome]:
    return taken(one, begun(one, node(images=["shop:1"])), settings)


def told(outcome: Outcome) -> list[tuple[str, str]]:
    return [(event.reason, event.message) for event in outcome.events]


def test_a_pod_with_an_image_to_pull_runs_after_pull_and_start() -> None:
    one = pod()
    assert is_new(one)

    first = begun(one, node())
    assert told(first) == [("Pulling", 'Pulling image "shop:1"')]
    waiting = after(one, first)
    assert not is_new(waiting)
    assert waiting["status"]["phase"] == "Pending"
    assert waiting["status"]["containerStatuses"][0]["state"] == {"waiting": {"reason": "ContainerCreating"}}

    one, second = taken(one, first)
    size = images.size_of("shop:1")
    assert told(second) == [
        (
            "Pulled",
            f'Successfully pulled image "shop:1" in 2s (2s including waiting). Image size: {size} bytes.',
        ),
        ("Created", "Created container: web"),
    ]
    assert second.pulled == ("shop:1",)

    one, third = taken(one, second)
    assert told(third) == [("Started", "Started container web")]
    assert third.events[0].field_path == "spec.containers{web}"
    assert third.events[0].host == "n1"
    assert third.next_step is None
    assert one["status"]["phase"] == "Running"
    assert is_ready(one)
    assert one["status"]["podIP"] == "10.0.1.7"
    assert one["status"]["qosClass"] == "BestEffort"


def test_an_image_on_the_node_is_not_pulled_again() -> None:
    outcome = begun(pod(), node(images=["shop:1"]))
    assert told(outcome) == [
        ("Pulled", 'Container image "shop:1" already present on machine'),
        ("Created", "Created container: web"),
    ]
    assert outcome.next_step == PodStep(step=Step.STARTING, due_at=NOW + 1, since=NOW)


def test_a_pull_on_its_way_for_another_pod_is_waited_for() -> None:
    outcome = begun(pod(), node(), pulling={"shop:1": NOW + 0.5})
    assert outcome.next_step is not None
    assert outcome.next_step.due_at == NOW + 0.5


def test_an_image_without_tag_is_the_latest() -> None:
    assert begun(pod(image="shop"), node(images=["shop:latest"])).next_step.step is Step.STARTING  # type: ignore[union-attr]


def test_a_refused_pod_fails_for_good() -> None:
    one = pod(requests={"cpu": "8"})
    outcome = begun(one, node())
    refused = after(one, outcome)["status"]
    text = "Node didn't have enough resource: cpu, requested: 8000, used: 0, capacity: 4000"
    assert (refused["phase"], refused["reason"], refused["message"]) == (
        "Failed",
        "OutOfcpu",
        f"Pod was rejected: {text}",
    )
    assert told(outcome) == [("OutOfcpu", text)]
    assert outcome.events[0].event_type == "Warning"
    assert outcome.next_step is None


def test_init_containers_come_first() -> None:
    one = pod(initContainers=[{"name": "migrate", "image": "shop:1"}])
    first = begun(one, node(images=["shop:1"]))
    assert condition_of(after(one, first), "Initialized")["reason"] == "ContainersNotInitialized"  # type: ignore[index]
    assert first.next_step is not None
    assert first.next_step.due_at == NOW + 2
    one, _ = taken(one, first)
    assert condition_of(one, "Initialized")["status"] == "True"  # type: ignore[index]
    assert one["status"]["initContainerStatuses"][0]["state"]["terminated"]["reason"] == "Completed"


def with_annotations(**spec: Any) -> Manifest:
    annotations = spec.pop("annotations")
    one = pod(**spec)
    return {**one, "metadata": {**one["metadata"], "annotations": annotations}}


def test_a_pod_that_says_how_long_it_runs_succeeds_then() -> None:
    one = with_annotations(restartPolicy="Never", annotations={RUN_SECONDS: "30"})
    one, running = started(one)
    assert running.next_step == PodStep(step=Step.RUNNING, due_at=NOW + 1 + 30, since=NOW + 1)
    one, _ = taken(one, running)
    assert one["status"]["phase"] == "Succeeded"
    assert not is_ready(one)
    assert one["status"]["containerStatuses"][0]["state"]["terminated"]["exitCode"] == 0


def test_a_pod_that_exits_with_an_error_fails() -> None:
    one = with_annotations(restartPolicy="Never", annotations={RUN_SECONDS: "1", EXIT_CODE: "3"})
    one, running = started(one)
    one, ended = taken(one, running)
    assert one["status"]["phase"] == "Failed"
    assert ended.next_step is None


def test_on_failure_it_is_started_again() -> None:
    one = with_annotations(restartPolicy="OnFailure", annotations={RUN_SECONDS: "1", EXIT_CODE: "3"})
    one, running = started(one)
    one, again = taken(one, running)
    assert one["status"]["phase"] == "Running"
    assert one["status"]["containerStatuses"][0]["restartCount"] == 1
    assert again.next_step is not None


@pytest.mark.parametrize("text", ["", "soon", "-1", "1e9", "9" * 20])
def test_a_run_time_that_is_no_number_is_no_run_time(text: str) -> None:
    one = with_annotations(restartPolicy="Never", annotations={RUN_SECONDS: text})
    assert started(one)[1].next_step is None


def test_a_restarting_pod_runs_until_it_is_stopped() -> None:
    one = with_annotations(annotations={RUN_SECONDS: "30"})
    assert started(one)[1].next_step is None


def test_a_jobs_pod_ends_by_itself() -> None:
    one = pod(restartPolicy="Never")
    one["metadata"]["ownerReferences"] = [{"kind": "Job", "name": "j", "uid": "j", "controller": True}]
    running = started(one)[1]
    assert running.next_step is not None
    assert running.next_step.due_at == NOW + 1 + SETTINGS.job_seconds


def deleted(one: Manifest, grace: float) -> Manifest:
    from scheduler_core.objects.timestamps import format_timestamp

    return {**one, "metadata": {**one["metadata"], "deletionTimestamp": format_timestamp(NOW + grace)}}


def test_a_deleted_pod_has_its_whole_grace_period() -> None:
    one, _ = started(pod())
    outcome = stop(deleted(one, 30), settings=SETTINGS, now=NOW)
    assert told(outcome) == [("Killing", "Stopping container web")]
    assert outcome.next_step == PodStep(step=Step.STOPPING, due_at=NOW + 30.5, since=NOW)
    assert take(one, outcome.next_step, serial=7, settings=SETTINGS, now=NOW + 30.5).gone


def test_a_pod_that_does_not_run_yet_is_gone_at_once() -> None:
    outcome = stop(deleted(pod(), 30), settings=SETTINGS, now=NOW)
    assert outcome.next_step is not None
    assert outcome.next_step.due_at == NOW
    assert not outcome.events
