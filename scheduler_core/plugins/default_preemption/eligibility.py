"""May this pod preempt others now?"""

from __future__ import annotations

from scheduler_core.framework.diagnosis import Diagnosis
from scheduler_core.framework.status import Code
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot

NEVER = "not eligible due to preemptionPolicy=Never."
VICTIM_TERMINATING = "not eligible due to a terminating pod on the nominated node."

# How a victim is marked; told apart from pods that terminate for other reasons.
DISRUPTION_TARGET = "DisruptionTarget"
PREEMPTION_BY_SCHEDULER = "PreemptionByScheduler"


def why_not_eligible(pod: PodInfo, snapshot: Snapshot, diagnosis: Diagnosis) -> str:
    """In words, "" where it may."""
    if pod.pod.spec.preemption_policy == "Never":
        return NEVER
    record = snapshot.record_of(pod.nominated_node_name) if pod.nominated_node_name else None
    if record is None or diagnosis.status_of(record.row).code is Code.UNSCHEDULABLE_AND_UNRESOLVABLE:
        return ""
    waits = any(other.priority < pod.priority and is_terminating_victim(other.pod) for other in record.pods.values())
    return VICTIM_TERMINATING if waits else ""


def is_terminating_victim(pod: Pod) -> bool:
    """Whether a preemption is what the pod is being deleted for."""
    condition = next((each for each in pod.status.conditions if each.type == DISRUPTION_TARGET), None)
    return (
        pod.is_terminating
        and condition is not None
        and condition.status == "True"
        and condition.reason == PREEMPTION_BY_SCHEDULER
    )
