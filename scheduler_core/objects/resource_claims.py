"""Dynamic resource allocation (resource.k8s.io/v1): claims, classes and the devices on offer."""

from __future__ import annotations

import msgspec

from scheduler_core.objects.affinity import NodeSelector
from scheduler_core.objects.model import KubernetesObject, Model, ObjectMeta
from scheduler_core.objects.quantity import Quantity


class CelSelector(Model, frozen=True, kw_only=True):
    expression: str


class DeviceSelector(Model, frozen=True, kw_only=True):
    cel: CelSelector | None = None


class DeviceToleration(Model, frozen=True, kw_only=True):
    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""


class DeviceSubRequest(Model, frozen=True, kw_only=True):
    """One alternative of a prioritised list, or the body of an exact request."""

    name: str = ""
    device_class_name: str = ""
    selectors: tuple[DeviceSelector, ...] = ()
    # "ExactCount" (also when absent) or "All".
    allocation_mode: str = ""
    count: int = 0
    admin_access: bool = False
    tolerations: tuple[DeviceToleration, ...] = ()


class DeviceRequest(Model, frozen=True, kw_only=True):
    name: str
    exactly: DeviceSubRequest | None = None
    # Alternatives, the best first.
    first_available: tuple[DeviceSubRequest, ...] = ()


class DeviceConstraint(Model, frozen=True, kw_only=True):
    """All devices of the named requests (none named: of all) share, or all differ in, an attribute."""

    requests: tuple[str, ...] = ()
    match_attribute: str | None = None
    distinct_attribute: str | None = None


class DeviceClaim(Model, frozen=True, kw_only=True):
    requests: tuple[DeviceRequest, ...] = ()
    constraints: tuple[DeviceConstraint, ...] = ()


class ResourceClaimSpec(Model, frozen=True, kw_only=True):
    devices: DeviceClaim = DeviceClaim()


class DeviceAllocationResult(Model, frozen=True, kw_only=True):
    request: str = ""
    driver: str = ""
    pool: str = ""
    device: str = ""
    admin_access: bool = False


class DeviceAllocation(Model, frozen=True, kw_only=True):
    results: tuple[DeviceAllocationResult, ...] = ()


class AllocationResult(Model, frozen=True, kw_only=True):
    devices: DeviceAllocation = DeviceAllocation()
    # Where the claim can be used; None: everywhere.
    node_selector: NodeSelector | None = None


class ConsumerReference(Model, frozen=True, kw_only=True):
    resource: str = ""
    name: str = ""
    uid: str = ""
    api_group: str = ""


class ResourceClaimStatus(Model, frozen=True, kw_only=True):
    allocation: AllocationResult | None = None
    reserved_for: tuple[ConsumerReference, ...] = ()


class ResourceClaim(KubernetesObject, frozen=True, kw_only=True):
    spec: ResourceClaimSpec = ResourceClaimSpec()
    status: ResourceClaimStatus = ResourceClaimStatus()


class ResourceClaimTemplateSpec(Model, frozen=True, kw_only=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()


class ResourceClaimTemplate(KubernetesObject, frozen=True, kw_only=True):
    spec: ResourceClaimTemplateSpec = ResourceClaimTemplateSpec()


class DeviceClassSpec(Model, frozen=True, kw_only=True):
    selectors: tuple[DeviceSelector, ...] = ()
    # The extended resource name this class also answers to.
    extended_resource_name: str | None = None


class DeviceClass(KubernetesObject, frozen=True, kw_only=True):
    spec: DeviceClassSpec = DeviceClassSpec()


class DeviceAttribute(Model, frozen=True, kw_only=True):
    """Exactly one of these is set."""

    string: str | None = None
    int_value: int | None = msgspec.field(default=None, name="int")
    bool_value: bool | None = msgspec.field(default=None, name="bool")
    version: str | None = None


class DeviceCapacity(Model, frozen=True, kw_only=True):
    value: Quantity


class DeviceTaint(Model, frozen=True, kw_only=True):
    key: str
    value: str = ""
    effect: str = ""


class Device(Model, frozen=True, kw_only=True):
    name: str
    attributes: dict[str, DeviceAttribute] = {}
    capacity: dict[str, DeviceCapacity] = {}
    taints: tuple[DeviceTaint, ...] = ()


class DevicePool(Model, frozen=True, kw_only=True):
    name: str = ""
    generation: int = 0
    # Slices of the newest generation a complete pool has.
    resource_slice_count: int = 1


class ResourceSliceSpec(Model, frozen=True, kw_only=True):
    driver: str = ""
    pool: DevicePool = DevicePool()
    # Where its devices are: one node, the selected nodes, or all.
    node_name: str = ""
    node_selector: NodeSelector | None = None
    all_nodes: bool = False
    devices: tuple[Device, ...] = ()


class ResourceSlice(KubernetesObject, frozen=True, kw_only=True):
    spec: ResourceSliceSpec = ResourceSliceSpec()
