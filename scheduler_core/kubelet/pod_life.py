"""A pod's life on its node, step by step.

    bound ─ admit ─┬─ rejected
                   └─ mounting ─ pulling ─ starting ─ running ─ finished
    being deleted ─ stopping ─ gone

Each function takes the pod as it is and answers an `Outcome`: the new status,
the events, and the next step with the cluster time it is due. Nothing is
remembered between steps but that `PodStep`, which the caller stores; so any
worker can take the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scheduler_core.kubelet import pod_status
from scheduler_core.kubelet.addresses import host_ip, pod_ip
from scheduler_core.kubelet.admission import admit
from scheduler_core.kubelet.images import missing, normalized, size_of
from scheduler_core.kubelet.settings import KubeletSettings
from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import (
    Manifest,
    annotations_of,
    controller_of,
    is_deleting,
    is_finished,
    node_name_of,
)
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.timestamps import parse_timestamp

SOURCE = "kubelet"
# How long the pod's containers run before they end by themselves, and with which exit code.
RUN_SECONDS = "scheduling-playground/run-seconds"
EXIT_CODE = "scheduling-playground/exit-code"


# How often the kubelet looks whether the volumes of a pod are there.
MOUNT_RETRY_SECONDS = 2.0


class Step(StrEnum):
    # Volumes are not there yet.
    MOUNTING = "mounting"
    # Images are on their way.
    PULLING = "pulling"
    # Containers are being created and started.
    STARTING = "starting"
    # Containers run and will end by themselves.
    RUNNING = "running"
    # Containers were asked to stop.
    STOPPING = "stopping"


@dataclass(frozen=True, slots=True, kw_only=True)
class PodStep:
    """What happens to a pod next."""

    step: Step
    # Cluster time at which the step is over.
    due_at: float
    # Cluster time at which it began.
    since: float
    # Images being pulled.
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    # None: as it was.
    status: Manifest | None = None
    events: Sequence[EventRecord] = ()
    # None: nothing more by itself.
    next_step: PodStep | None = None
    # Images that are on the node now.
    pulled: Sequence[str] = ()
    # The pod is to be removed.
    gone: bool = False


def is_new(pod: Manifest) -> bool:
    """Bound, and its kubelet has not looked at it yet."""
    status = pod.get("status") or {}
    return bool(node_name_of(pod)) and not status.get("startTime") and not is_finished(pod) and not is_deleting(pod)


def is_on_node(pod: Manifest) -> bool:
    """Takes up room on its node: admitted, and not finished. A terminating pod does until it is gone."""
    return bool((pod.get("status") or {}).get("startTime")) and not is_finished(pod)


def begin(
    pod: Manifest,
    node: Manifest,
    others: Sequence[PodInfo],
    *,
    pulling: Mapping[str, float],
    settings: KubeletSettings,
    now: float,
    unbound: Sequence[str] = (),
) -> Outcome:
    """Admission, and the first step.

    `pulling`: images on their way to the node for other pods, and until when; `unbound`: claims of the pod
    that have no volume.
    """
    rejection = admit(PodInfo(decode_as(Pod, pod)), decode_as(Node, node), others)
    if rejection is not None:
        status = pod_status.rejected(pod, rejection.reason, rejection.message, now)
        return Outcome(status=status, events=[_event(pod, rejection.reason, rejection.message, warning=True)])
    status = pod_status.creating(pod, host_ip(node), now)
    if unbound:
        return replace(unmounted(pod, unbound, now), status=status)
    return replace(mounted(pod, node, pulling=pulling, settings=settings, now=now), status=status)


def unmounted(pod: Manifest, unbound: Sequence[str], now: float) -> Outcome:
    """A claim has no volume: the containers wait, and the kubelet looks again."""
    claim = f"{pod['metadata']['namespace']}/{unbound[0]}"
    message = f"MountVolume.SetUp failed: error processing PVC {claim}: PVC is not bound"
    step = PodStep(step=Step.MOUNTING, due_at=now + MOUNT_RETRY_SECONDS, since=now)
    return Outcome(events=[_event(pod, "FailedMount", message, warning=True)], next_step=step)


def mounted(
    pod: Manifest, node: Manifest, *, pulling: Mapping[str, float], settings: KubeletSettings, now: float
) -> Outcome:
    """The volumes are there: images are next."""
    wanted = missing(pod, node)
    if not wanted:
        present = [event for each in _containers(pod) for event in _present_and_created(pod, each)]
        return Outcome(events=present, next_step=_starting(pod, settings, now))
    events = [_pulling(pod, each) for each in _containers(pod) if each["image"] in wanted]
    due = max(pulling.get(normalized(image), now + settings.pull_seconds) for image in wanted)
    step = PodStep(step=Step.PULLING, due_at=max(due, now), since=now, images=tuple(wanted))
    return Outcome(events=events, next_step=step)


def take(pod: Manifest, step: PodStep, *, serial: int, settings: KubeletSettings, now: float) -> Outcome:
    """The step is over: what comes of it. `serial` makes the pod's address its own.

    Not for MOUNTING, whose end is `mounted` or `unmounted` again.
    """
    match step.step:
        case Step.MOUNTING:
            raise ValueError("volumes are there or not: ask mounted or unmounted")
        case Step.PULLING:
            return _pulled(pod, step, settings, now)
        case Step.STARTING:
            return _started(pod, pod_ip(serial), settings, now)
        case Step.RUNNING:
            return _ended(pod, settings, now)
        case Step.STOPPING:
            return Outcome(gone=True)


def stop(pod: Manifest, *, settings: KubeletSettings, now: float) -> Outcome:
    """The pod is being deleted: its containers are asked to stop."""
    deadline = parse_timestamp(pod["metadata"]["deletionTimestamp"]) or now
    running = pod_is_running(pod)
    killing = [_event(pod, "Killing", f"Stopping container {each['name']}", each) for each in pod["spec"]["containers"]]
    step = PodStep(step=Step.STOPPING, due_at=deadline + settings.stop_seconds if running else now, since=now)
    return Outcome(events=killing if running else (), next_step=step)


def may_resume(pod: Manifest) -> bool:
    """Whether a kubelet that starts anew may have something to do for a pod it had on its node."""
    if not is_on_node(pod) or is_deleting(pod):
        return False
    ends = pod["spec"].get("restartPolicy", "Always") != "Always"
    return ends or not pod_is_running(pod) or pod_status.marked_not_ready(pod)


def resumed(pod: Manifest, *, settings: KubeletSettings, now: float) -> Outcome:
    """A kubelet that starts anew finds the pod: what it reports, and the step the pod is in.

    A pod on its way is brought up again from its volumes on; one that ends by itself ends in its time.
    """
    if not pod_is_running(pod):
        return Outcome(next_step=PodStep(step=Step.MOUNTING, due_at=now, since=now))
    status = pod_status.ready_again(pod, now) if pod_status.marked_not_ready(pod) else None
    seconds = run_seconds(pod, settings)
    if seconds is None:
        return Outcome(status=status)
    since = pod_status.running_since(pod) or now
    step = PodStep(step=Step.RUNNING, due_at=since + seconds, since=since)
    return Outcome(status=status, next_step=step)


def pod_is_running(pod: Manifest) -> bool:
    return bool((pod.get("status") or {}).get("phase") == "Running")


def run_seconds(pod: Manifest, settings: KubeletSettings) -> float | None:
    """How long the containers run; None: until they are stopped."""
    if pod["spec"].get("restartPolicy", "Always") == "Always":
        return None
    text = annotations_of(pod).get(RUN_SECONDS)
    if text is not None and _is_number(text):
        return float(text)
    owner = controller_of(pod)
    return settings.job_seconds if owner is not None and owner.get("kind") == "Job" else None


def exit_code(pod: Manifest) -> int:
    text = annotations_of(pod).get(EXIT_CODE, "0")
    return int(text) % 256 if text.isascii() and text.isdigit() else 0


def _pulled(pod: Manifest, step: PodStep, settings: KubeletSettings, now: float) -> Outcome:
    took = _duration(now - step.since)
    events = [
        event
        for container in _containers(pod)
        for event in (
            _pulled_and_created(pod, container, took)
            if container["image"] in step.images
            else _present_and_created(pod, container)
        )
    ]
    return Outcome(events=events, next_step=_starting(pod, settings, now), pulled=step.images)


def _starting(pod: Manifest, settings: KubeletSettings, now: float) -> PodStep:
    turns = 1 + len(pod["spec"].get("initContainers") or ())
    return PodStep(step=Step.STARTING, due_at=now + settings.start_seconds * turns, since=now)


def _started(pod: Manifest, ip: str, settings: KubeletSettings, now: float) -> Outcome:
    events = [_event(pod, "Started", f"Started container {each['name']}", each) for each in _containers(pod)]
    status = pod_status.running(pod, ip, now)
    return Outcome(status=status, events=events, next_step=_run(pod, settings, now))


def _run(pod: Manifest, settings: KubeletSettings, now: float) -> PodStep | None:
    seconds = run_seconds(pod, settings)
    return None if seconds is None else PodStep(step=Step.RUNNING, due_at=now + seconds, since=now)


def _ended(pod: Manifest, settings: KubeletSettings, now: float) -> Outcome:
    code = exit_code(pod)
    if code == 0 or pod["spec"].get("restartPolicy") == "Never":
        return Outcome(status=pod_status.finished(pod, code, now))
    # OnFailure: the same pod runs its containers again.
    restarts = max((each.get("restartCount", 0) for each in pod["status"].get("containerStatuses") or ()), default=0)
    status = pod_status.running(pod, pod["status"].get("podIP", ""), now, restarts=restarts + 1)
    return Outcome(status=status, next_step=_run(pod, settings, now))


def _containers(pod: Manifest) -> list[Manifest]:
    """Init containers first, each with an image."""
    spec = pod["spec"]
    return [{"image": "", **each} for each in (*(spec.get("initContainers") or ()), *spec["containers"])]


def _field_path(pod: Manifest, container: Manifest) -> str:
    init = any(each["name"] == container["name"] for each in pod["spec"].get("initContainers") or ())
    return f"spec.{'initContainers' if init else 'containers'}{{{container['name']}}}"


def _event(
    pod: Manifest, reason: str, message: str, container: Manifest | None = None, *, warning: bool = False
) -> EventRecord:
    return EventRecord(
        regarding=pod,
        event_type="Warning" if warning else "Normal",
        reason=reason,
        message=message,
        source=SOURCE,
        host=node_name_of(pod),
        field_path=_field_path(pod, container) if container is not None else "",
    )


def _pulling(pod: Manifest, container: Manifest) -> EventRecord:
    return _event(pod, "Pulling", f'Pulling image "{container["image"]}"', container)


def _created(pod: Manifest, container: Manifest) -> EventRecord:
    return _event(pod, "Created", f"Created container: {container['name']}", container)


def _present_and_created(pod: Manifest, container: Manifest) -> Iterator[EventRecord]:
    present = f'Container image "{container["image"]}" already present on machine'
    yield _event(pod, "Pulled", present, container)
    yield _created(pod, container)


def _pulled_and_created(pod: Manifest, container: Manifest, took: str) -> Iterator[EventRecord]:
    image = container["image"]
    text = (
        f'Successfully pulled image "{image}" in {took} ({took} including waiting). Image size: {size_of(image)} bytes.'
    )
    yield _event(pod, "Pulled", text, container)
    yield _created(pod, container)


def _duration(seconds: float) -> str:
    """As Go prints it, to the millisecond: 1.5s, 340ms."""
    milliseconds = round(seconds * 1000)
    return f"{milliseconds}ms" if milliseconds < 1000 else f"{milliseconds / 1000:g}s"


def _is_number(text: str) -> bool:
    return text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 12
