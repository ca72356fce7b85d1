"""The table of kinds the API server knows. A kind that is not here is a 404.

Every surface reads it: URLs and discovery of the Kubernetes API, apply,
storage, validation. To add a kind, add a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from playground.clusters.models import ClusterObject, KubernetesObject, Node, Pod

VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind, as discovery describes it and the database keeps it."""

    kind: str
    # `v1`, `apps/v1`, ...
    api_version: str
    plural: str
    namespaced: bool = True
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    # "status", "scale", "binding", "eviction"
    subresources: tuple[str, ...] = ()
    model: type[ClusterObject] = KubernetesObject
    # `metadata.generation` counts changes of its spec.
    generation: bool = False
    # Its name must be a DNS label (at most 63 characters, no dots), not a DNS subdomain.
    label_name: bool = False

    @property
    def group(self) -> str:
        return self.api_version.rpartition("/")[0]

    @property
    def version(self) -> str:
        return self.api_version.rpartition("/")[2]

    @property
    def singular(self) -> str:
        return self.kind.lower()

    @property
    def resource(self) -> str:
        """`pods`, `deployments.apps`: how messages name it."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def definition(self) -> str:
        """Its name in Kubernetes' OpenAPI document; that of a custom resource begins with its reversed group."""
        if self.group.endswith(".x-k8s.io"):
            return f"{'.'.join(reversed(self.group.split('.')))}.{self.version}.{self.kind}"
        group = self.group.split(".")[0] or "core"
        return f"io.k8s.api.{group}.{self.version}.{self.kind}"


_WORKLOAD = ("status", "scale")

_TABLE = (
    Kind(kind="Pod", api_version="v1", plural="pods", short_names=("po",), categories=("all",), model=Pod,
         subresources=("status", "binding", "eviction")),
    Kind(kind="Node", api_version="v1", plural="nodes", namespaced=False, short_names=("no",), model=Node,
         subresources=("status",)),
    Kind(kind="Namespace", api_version="v1", plural="namespaces", namespaced=False, short_names=("ns",),
         subresources=("status",), label_name=True),
    Kind(kind="Service", api_version="v1", plural="services", short_names=("svc",), categories=("all",),
         subresources=("status",), label_name=True),
    Kind(kind="ServiceAccount", api_version="v1", plural="serviceaccounts", short_names=("sa",)),
    Kind(kind="ConfigMap", api_version="v1", plural="configmaps", short_names=("cm",)),
    Kind(kind="Secret", api_version="v1", plural="secrets"),
    Kind(kind="Endpoints", api_version="v1", plural="endpoints", short_names=("ep",)),
    Kind(kind="Event", api_version="v1", plural="events", short_names=("ev",)),
    Kind(kind="LimitRange", api_version="v1", plural="limitranges", short_names=("limits",)),
    Kind(kind="ResourceQuota", api_version="v1", plural="resourcequotas", short_names=("quota",),
         subresources=("status",)),
    Kind(kind="PodTemplate", api_version="v1", plural="podtemplates"),
    Kind(kind="PersistentVolume", api_version="v1", plural="persistentvolumes", namespaced=False,
         short_names=("pv",), subresources=("status",)),
    Kind(kind="PersistentVolumeClaim", api_version="v1", plural="persistentvolumeclaims", short_names=("pvc",),
         subresources=("status",)),
    Kind(kind="ReplicationController", api_version="v1", plural="replicationcontrollers", short_names=("rc",),
         categories=("all",), subresources=_WORKLOAD, generation=True),
    Kind(kind="Deployment", api_version="apps/v1", plural="deployments", short_names=("deploy",),
         categories=("all",), subresources=_WORKLOAD, generation=True),
    Kind(kind="ReplicaSet", api_version="apps/v1", plural="replicasets", short_names=("rs",), categories=("all",),
         subresources=_WORKLOAD, generation=True),
    Kind(kind="StatefulSet", api_version="apps/v1", plural="statefulsets", short_names=("sts",),
         categories=("all",), subresources=_WORKLOAD, generation=True),
    Kind(kind="DaemonSet", api_version="apps/v1", plural="daemonsets", short_names=("ds",), categories=("all",),
         subresources=("status",), generation=True),
    Kind(kind="ControllerRevision", api_version="apps/v1", plural="controllerrevisions"),
    Kind(kind="Job", api_version="batch/v1", plural="jobs", categories=("all",), subresources=("status",),
         generation=True),
    Kind(kind="CronJob", api_version="batch/v1", plural="cronjobs", short_names=("cj",), categories=("all",),
         subresources=("status",), generation=True),
    Kind(kind="HorizontalPodAutoscaler", api_version="autoscaling/v2", plural="horizontalpodautoscalers",
         short_names=("hpa",), categories=("all",), subresources=("status",)),
    Kind(kind="PodDisruptionBudget", api_version="policy/v1", plural="poddisruptionbudgets", short_names=("pdb",),
         subresources=("status",), generation=True),
    Kind(kind="PriorityClass", api_version="scheduling.k8s.io/v1", plural="priorityclasses", namespaced=False,
         short_names=("pc",)),
    Kind(kind="PodGroup", api_version="scheduling.x-k8s.io/v1alpha1", plural="podgroups", short_names=("pg", "pgs"),
         subresources=("status",), generation=True),
    Kind(kind="StorageClass", api_version="storage.k8s.io/v1", plural="storageclasses", namespaced=False,
         short_names=("sc",)),
    Kind(kind="CSINode", api_version="storage.k8s.io/v1", plural="csinodes", namespaced=False),
    Kind(kind="CSIDriver", api_version="storage.k8s.io/v1", plural="csidrivers", namespaced=False),
    Kind(kind="CSIStorageCapacity", api_version="storage.k8s.io/v1", plural="csistoragecapacities"),
    Kind(kind="VolumeAttachment", api_version="storage.k8s.io/v1", plural="volumeattachments", namespaced=False,
         subresources=("status",)),
    Kind(kind="ResourceClaim", api_version="resource.k8s.io/v1", plural="resourceclaims", subresources=("status",)),
    Kind(kind="ResourceClaimTemplate", api_version="resource.k8s.io/v1", plural="resourceclaimtemplates"),
    Kind(kind="ResourceSlice", api_version="resource.k8s.io/v1", plural="resourceslices", namespaced=False),
    Kind(kind="DeviceClass", api_version="resource.k8s.io/v1", plural="deviceclasses", namespaced=False),
    Kind(kind="Lease", api_version="coordination.k8s.io/v1", plural="leases"),
    Kind(kind="RuntimeClass", api_version="node.k8s.io/v1", plural="runtimeclasses", namespaced=False),
    Kind(kind="Ingress", api_version="networking.k8s.io/v1", plural="ingresses", short_names=("ing",),
         subresources=("status",), generation=True),
    Kind(kind="NetworkPolicy", api_version="networking.k8s.io/v1", plural="networkpolicies", short_names=("netpol",),
         generation=True),
    Kind(kind="EndpointSlice", api_version="discovery.k8s.io/v1", plural="endpointslices"),
    Kind(kind="Role", api_version="rbac.authorization.k8s.io/v1", plural="roles"),
    Kind(kind="RoleBinding", api_version="rbac.authorization.k8s.io/v1", plural="rolebindings"),
    Kind(kind="ClusterRole", api_version="rbac.authorization.k8s.io/v1", plural="clusterroles", namespaced=False),
    Kind(kind="ClusterRoleBinding", api_version="rbac.authorization.k8s.io/v1", plural="clusterrolebindings",
         namespaced=False),
    Kind(kind="MutatingWebhookConfiguration", api_version="admissionregistration.k8s.io/v1",
         plural="mutatingwebhookconfigurations", namespaced=False, categories=("api-extensions",)),
    Kind(kind="MutatingAdmissionPolicy", api_version="admissionregistration.k8s.io/v1beta1",
         plural="mutatingadmissionpolicies", namespaced=False, categories=("api-extensions",), generation=True),
    Kind(kind="MutatingAdmissionPolicyBinding", api_version="admissionregistration.k8s.io/v1beta1",
         plural="mutatingadmissionpolicybindings", namespaced=False, categories=("api-extensions",)),
)  # fmt: skip

# By kind; no two groups here share one.
KINDS: Mapping[str, Kind] = {kind.kind: kind for kind in _TABLE}

_BY_RESOURCE = {(kind.api_version, kind.plural): kind for kind in _TABLE}
# Group-versions in the table's order.
API_VERSIONS: tuple[str, ...] = tuple(dict.fromkeys(kind.api_version for kind in _TABLE))


def kind_of_resource(api_version: str, plural: str) -> Kind | None:
    return _BY_RESOURCE.get((api_version, plural))


def kind_of_manifest(api_version: object, kind: object) -> Kind | None:
    """The kind a manifest names, None where apiVersion and kind do not go together."""
    found = KINDS.get(kind) if isinstance(kind, str) else None
    return found if found is not None and found.api_version == api_version else None
