"""Services, the controllers' objects, and what else groups pods."""

from __future__ import annotations

from scheduler_core.objects.label_selector import LabelSelector
from scheduler_core.objects.model import KubernetesObject, Model
from scheduler_core.objects.pod import PodTemplate


class ServiceSpec(Model, frozen=True, kw_only=True):
    # Empty: the service selects no pods.
    selector: dict[str, str] = {}


class Service(KubernetesObject, frozen=True, kw_only=True):
    spec: ServiceSpec = ServiceSpec()


class ReplicationControllerSpec(Model, frozen=True, kw_only=True):
    replicas: int = 1
    selector: dict[str, str] = {}
    template: PodTemplate | None = None


class ReplicationController(KubernetesObject, frozen=True, kw_only=True):
    spec: ReplicationControllerSpec = ReplicationControllerSpec()


class WorkloadSpec(Model, frozen=True, kw_only=True):
    """What the workload kinds have in common."""

    replicas: int = 1
    selector: LabelSelector | None = None
    template: PodTemplate | None = None


class Workload(KubernetesObject, frozen=True, kw_only=True):
    spec: WorkloadSpec = WorkloadSpec()


class ReplicaSet(Workload, frozen=True, kw_only=True):
    pass


class StatefulSet(Workload, frozen=True, kw_only=True):
    pass


class Deployment(Workload, frozen=True, kw_only=True):
    pass


class DaemonSet(Workload, frozen=True, kw_only=True):
    pass


class JobSpec(Model, frozen=True, kw_only=True):
    parallelism: int | None = None
    completions: int | None = None
    backoff_limit: int | None = None
    selector: LabelSelector | None = None
    template: PodTemplate | None = None


class Job(KubernetesObject, frozen=True, kw_only=True):
    spec: JobSpec = JobSpec()


class PodDisruptionBudgetSpec(Model, frozen=True, kw_only=True):
    min_available: int | str | None = None
    max_unavailable: int | str | None = None
    selector: LabelSelector | None = None


class PodDisruptionBudgetStatus(Model, frozen=True, kw_only=True):
    disruptions_allowed: int = 0
    current_healthy: int = 0
    desired_healthy: int = 0
    expected_pods: int = 0
    # Evictions in flight: pod name -> when.
    disrupted_pods: dict[str, str] = {}


class PodDisruptionBudget(KubernetesObject, frozen=True, kw_only=True):
    spec: PodDisruptionBudgetSpec = PodDisruptionBudgetSpec()
    status: PodDisruptionBudgetStatus = PodDisruptionBudgetStatus()


class PriorityClass(KubernetesObject, frozen=True, kw_only=True):
    value: int = 0
    global_default: bool = False
    preemption_policy: str | None = None
