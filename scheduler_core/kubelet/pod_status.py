"""The status a kubelet reports at each turn of a pod's life, as Kubernetes words it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

from scheduler_core.kubelet.images import digest_of, normalized
from scheduler_core.objects.conditions import condition, set_condition
from scheduler_core.objects.manifest import Manifest, condition_of, uid_of
from scheduler_core.objects.timestamps import format_timestamp, parse_timestamp

# Reported by a pod that was not admitted, before the reason.
REJECTED = "Pod was rejected: "

State = Callable[[Manifest], Manifest]


def rejected(pod: Manifest, reason: str, message: str, now: float) -> Manifest:
    status = {**(pod.get("status") or {}), "phase": "Failed", "reason": reason, "message": REJECTED + message}
    return {**status, "startTime": format_timestamp(now)}


def creating(pod: Manifest, host_ip: str, now: float) -> Manifest:
    """Admitted; no container runs yet."""
    init = pod["spec"].get("initContainers") or ()
    waiting = "PodInitializing" if init else "ContainerCreating"
    not_ready = f"containers with unready status: [{' '.join(_names(pod['spec']['containers']))}]"
    incomplete = f"containers with incomplete status: [{' '.join(_names(init))}]"
    status = {
        **(pod.get("status") or {}),
        "phase": "Pending",
        "hostIP": host_ip,
        "hostIPs": [{"ip": host_ip}],
        "startTime": format_timestamp(now),
        "containerStatuses": _statuses(pod["spec"]["containers"], lambda _: {"waiting": {"reason": waiting}}),
    }
    if init:
        status["initContainerStatuses"] = _statuses(init, lambda _: {"waiting": {"reason": "PodInitializing"}})
    status["conditions"] = _conditions(
        status,
        condition("PodReadyToStartContainers", False, now),
        condition("Initialized", False, now, reason="ContainersNotInitialized", message=incomplete)
        if init
        else condition("Initialized", True, now),
        condition("Ready", False, now, reason="ContainersNotReady", message=not_ready),
        condition("ContainersReady", False, now, reason="ContainersNotReady", message=not_ready),
    )
    return status


def running(pod: Manifest, pod_ip: str, now: float, restarts: int = 0) -> Manifest:
    """All containers run and are ready; init containers are done."""
    started = format_timestamp(now)

    def run(container: Manifest) -> Manifest:
        return {"running": {"startedAt": started}}

    status = {
        **(pod.get("status") or {}),
        "phase": "Running",
        "podIP": pod_ip,
        "podIPs": [{"ip": pod_ip}],
        "containerStatuses": [
            {**_started(pod, each), "restartCount": restarts} for each in _statuses(pod["spec"]["containers"], run)
        ],
    }
    init = pod["spec"].get("initContainers") or ()
    if init:
        done = _statuses(init, lambda each: run(each) if _is_sidecar(each) else _terminated(pod, each, 0, started, now))
        status["initContainerStatuses"] = [_started(pod, each) for each in done]
    true = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady")
    status["conditions"] = _conditions(status, *(condition(each, True, now) for each in true))
    return status


def running_since(pod: Manifest) -> float | None:
    """When the containers that run were started; None: none runs."""
    statuses = (pod.get("status") or {}).get("containerStatuses") or ()
    started = [parse_timestamp((each.get("state") or {}).get("running", {}).get("startedAt")) for each in statuses]
    return max((at for at in started if at is not None), default=None)


def marked_not_ready(pod: Manifest) -> bool:
    """The node was given up: the pod counts as not ready though its containers are."""
    ready, containers = condition_of(pod, "Ready"), condition_of(pod, "ContainersReady")
    if ready is None or containers is None or ready.get("reason"):
        return False
    return (ready["status"], containers["status"]) == ("False", "True")


def ready_again(pod: Manifest, now: float) -> Manifest:
    status: Manifest = pod["status"]
    return {**status, "conditions": _conditions(status, condition("Ready", True, now))}


def finished(pod: Manifest, exit_code: int, now: float) -> Manifest:
    """All containers have ended by themselves."""
    status = pod.get("status") or {}
    phase, reason = ("Failed", "PodFailed") if exit_code else ("Succeeded", "PodCompleted")

    def end(before: Manifest) -> Manifest:
        started = ((before.get("state") or {}).get("running") or {}).get("startedAt") or format_timestamp(now)
        state = _terminated(pod, before, exit_code, started, now)
        return {**before, "ready": False, "started": False, "state": state}

    ended = {
        **status,
        "phase": phase,
        "containerStatuses": [end(each) for each in status.get("containerStatuses") or ()],
    }
    conditions = [
        condition("PodReadyToStartContainers", False, now),
        condition("Ready", False, now, reason=reason),
        condition("ContainersReady", False, now, reason=reason),
    ]
    if phase == "Succeeded":
        conditions.append(condition("Initialized", True, now, reason=reason))
    return {**ended, "conditions": _conditions(status, *conditions)}


def _names(containers: Iterable[Manifest]) -> list[str]:
    return [container["name"] for container in containers]


def _is_sidecar(container: Manifest) -> bool:
    return container.get("restartPolicy") == "Always"


def _statuses(containers: Iterable[Manifest], state: State) -> list[Manifest]:
    return [
        {
            "name": container["name"],
            "image": container.get("image", ""),
            "imageID": "",
            "ready": False,
            "started": False,
            "restartCount": 0,
            "state": state(container),
        }
        for container in containers
    ]


def _started(pod: Manifest, status: Manifest) -> Manifest:
    runs = "running" in status["state"]
    return {
        **status,
        "image": normalized(status["image"]),
        "imageID": f"sha256:{digest_of(status['image'])}",
        "containerID": _container_id(pod, status["name"]),
        "ready": True,
        "started": runs,
    }


def _terminated(pod: Manifest, container: Manifest, exit_code: int, started: str, now: float) -> Manifest:
    return {
        "terminated": {
            "exitCode": exit_code,
            "reason": "Error" if exit_code else "Completed",
            "startedAt": started,
            "finishedAt": format_timestamp(now),
            "containerID": _container_id(pod, container["name"]),
        }
    }


def _container_id(pod: Manifest, container: str) -> str:
    return "containerd://" + hashlib.sha256(f"{uid_of(pod)}/{container}".encode()).hexdigest()


def _conditions(status: Manifest, *new: Manifest) -> list[Manifest]:
    conditions = list(status.get("conditions") or ())
    for each in new:
        conditions = set_condition(conditions, each)
    return conditions
