"""Pod, as the engine reads it."""

from __future__ import annotations

import msgspec

from scheduler_core.objects.affinity import Affinity, TopologySpreadConstraint
from scheduler_core.objects.model import KubernetesObject, Model, ObjectMeta
from scheduler_core.objects.quantity import Quantity
from scheduler_core.objects.storage import ClaimSpec
from scheduler_core.objects.taints import Toleration

DEFAULT_SCHEDULER_NAME = "default-scheduler"
FINISHED_PHASES = frozenset({"Succeeded", "Failed"})


class ResourceClaimName(Model, frozen=True, kw_only=True):
    """A container's use of one of the pod's resource claims."""

    name: str
    request: str = ""


class ResourceRequirements(Model, frozen=True, kw_only=True):
    requests: dict[str, Quantity] = {}
    limits: dict[str, Quantity] = {}
    claims: tuple[ResourceClaimName, ...] = ()


class ContainerPort(Model, frozen=True, kw_only=True):
    name: str = ""
    container_port: int = 0
    # 0: none.
    host_port: int = 0
    host_ip: str = msgspec.field(default="", name="hostIP")
    protocol: str = "TCP"


class Container(Model, frozen=True, kw_only=True):
    name: str = ""
    image: str = ""
    resources: ResourceRequirements = ResourceRequirements()
    ports: tuple[ContainerPort, ...] = ()
    # Init containers only: "Always" makes a sidecar that keeps running.
    restart_policy: str | None = None


class PersistentVolumeClaimSource(Model, frozen=True, kw_only=True):
    claim_name: str
    read_only: bool = False


class PersistentVolumeClaimTemplate(Model, frozen=True, kw_only=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ClaimSpec = ClaimSpec()


class EphemeralVolumeSource(Model, frozen=True, kw_only=True):
    volume_claim_template: PersistentVolumeClaimTemplate | None = None


class GcePersistentDisk(Model, frozen=True, kw_only=True):
    pd_name: str
    read_only: bool = False


class AwsElasticBlockStore(Model, frozen=True, kw_only=True):
    volume_id: str = msgspec.field(name="volumeID")
    read_only: bool = False


class IscsiVolume(Model, frozen=True, kw_only=True):
    iqn: str
    target_portal: str = ""
    lun: int = 0
    read_only: bool = False


class RbdVolume(Model, frozen=True, kw_only=True):
    monitors: tuple[str, ...] = ()
    image: str = ""
    pool: str = "rbd"
    read_only: bool = False


class AzureDisk(Model, frozen=True, kw_only=True):
    disk_name: str
    read_only: bool = False


class InlineCsiVolume(Model, frozen=True, kw_only=True):
    driver: str
    read_only: bool = False


class Volume(Model, frozen=True, kw_only=True):
    """A volume of a pod; only the sources that scheduling looks at."""

    name: str
    persistent_volume_claim: PersistentVolumeClaimSource | None = None
    ephemeral: EphemeralVolumeSource | None = None
    gce_persistent_disk: GcePersistentDisk | None = None
    aws_elastic_block_store: AwsElasticBlockStore | None = None
    iscsi: IscsiVolume | None = None
    rbd: RbdVolume | None = None
    azure_disk: AzureDisk | None = None
    csi: InlineCsiVolume | None = None


def claim_name(pod_name: str, volume: Volume) -> str | None:
    """The PersistentVolumeClaim of a volume; an ephemeral volume's is named for the pod and the volume."""
    if volume.persistent_volume_claim is not None:
        return volume.persistent_volume_claim.claim_name
    return f"{pod_name}-{volume.name}" if volume.ephemeral is not None else None


def matters_for_scheduling(volume: Volume) -> bool:
    """Volumes with a claim, disks that only one pod may write to, and inline volumes of a driver."""
    sources = (
        volume.persistent_volume_claim,
        volume.ephemeral,
        volume.gce_persistent_disk,
        volume.aws_elastic_block_store,
        volume.iscsi,
        volume.rbd,
        volume.azure_disk,
        volume.csi,
    )
    return any(source is not None for source in sources)


class PodResourceClaim(Model, frozen=True, kw_only=True):
    """A claim the pod needs: an existing one, or one made from a template."""

    name: str
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class SchedulingGate(Model, frozen=True, kw_only=True):
    name: str


class PodSpec(Model, frozen=True, kw_only=True):
    scheduler_name: str = DEFAULT_SCHEDULER_NAME
    node_name: str = ""
    node_selector: dict[str, str] = {}
    affinity: Affinity | None = None
    tolerations: tuple[Toleration, ...] = ()
    topology_spread_constraints: tuple[TopologySpreadConstraint, ...] = ()
    containers: tuple[Container, ...] = ()
    init_containers: tuple[Container, ...] = ()
    overhead: dict[str, Quantity] = {}
    # Pod-level resources.
    resources: ResourceRequirements | None = None
    volumes: tuple[Volume, ...] = ()
    resource_claims: tuple[PodResourceClaim, ...] = ()
    scheduling_gates: tuple[SchedulingGate, ...] = ()
    priority: int | None = None
    priority_class_name: str = ""
    # "PreemptLowerPriority" (also when absent) or "Never".
    preemption_policy: str | None = None
    host_network: bool = False
    termination_grace_period_seconds: int | None = None
    restart_policy: str = "Always"
    active_deadline_seconds: int | None = None


class PodCondition(Model, frozen=True, kw_only=True):
    type: str
    status: str = ""
    reason: str = ""
    message: str = ""


class ContainerStatus(Model, frozen=True, kw_only=True):
    name: str
    # What the kubelet has given so far, while a resize is on its way.
    resources: ResourceRequirements | None = None
    allocated_resources: dict[str, Quantity] = {}


class PodResourceClaimStatus(Model, frozen=True, kw_only=True):
    """The claim made for one of `spec.resourceClaims`."""

    name: str
    # None: the template did not need one.
    resource_claim_name: str | None = None


class PodStatus(Model, frozen=True, kw_only=True):
    phase: str = "Pending"
    start_time: str | None = None
    nominated_node_name: str = ""
    conditions: tuple[PodCondition, ...] = ()
    container_statuses: tuple[ContainerStatus, ...] = ()
    init_container_statuses: tuple[ContainerStatus, ...] = ()
    resource_claim_statuses: tuple[PodResourceClaimStatus, ...] = ()


class Pod(KubernetesObject, frozen=True, kw_only=True):
    spec: PodSpec = PodSpec()
    status: PodStatus = PodStatus()

    @property
    def is_finished(self) -> bool:
        """A finished pod takes no room."""
        return self.status.phase in FINISHED_PHASES

    @property
    def is_terminating(self) -> bool:
        return self.metadata.deletion_timestamp is not None


class PodTemplate(Model, frozen=True, kw_only=True):
    """The pod a controller makes."""

    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()
