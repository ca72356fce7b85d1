"""Values of fields that hold one of a few words, and keys that people mostly use.

Kubernetes' published schema has these fields as plain strings and names the
values in prose only; an editor wants to offer them. Validation does not read
this table.
"""

from __future__ import annotations

from collections.abc import Mapping

_CORE = "io.k8s.api.core.v1"
_ADMISSION = "io.k8s.api.admissionregistration"
_SELECTOR = ("In", "NotIn", "Exists", "DoesNotExist")
_POLICIES = ("Honor", "Ignore")
_FAILURE = ("Fail", "Ignore")
_MATCH = ("Equivalent", "Exact")
_REINVOCATION = ("Never", "IfNeeded")
_PULL = ("Always", "IfNotPresent", "Never")
_ACCESS = ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")
_RECLAIM = ("Delete", "Retain")
_PREEMPTION = ("PreemptLowerPriority", "Never")
_OPERATIONS = ("CREATE", "UPDATE", "DELETE", "CONNECT", "*")
_SCOPES = ("Namespaced", "Cluster", "*")

_RESOURCES = ("cpu", "memory", "ephemeral-storage", "nvidia.com/gpu")
_WELL_KNOWN_LABELS = (
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
    "kubernetes.io/hostname",
    "node.kubernetes.io/instance-type",
)

# Definition -> field -> values (of a map: keys), the default first.
CHOICES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    f"{_CORE}.Taint": {"effect": ("NoSchedule", "PreferNoSchedule", "NoExecute")},
    f"{_CORE}.Toleration": {
        "operator": ("Equal", "Exists"),
        "effect": ("NoSchedule", "PreferNoSchedule", "NoExecute"),
    },
    f"{_CORE}.TopologySpreadConstraint": {
        "whenUnsatisfiable": ("DoNotSchedule", "ScheduleAnyway"),
        "nodeAffinityPolicy": _POLICIES,
        "nodeTaintsPolicy": ("Ignore", "Honor"),
        "topologyKey": ("topology.kubernetes.io/zone", "kubernetes.io/hostname", "topology.kubernetes.io/region"),
    },
    f"{_CORE}.PodAffinityTerm": {
        "topologyKey": ("kubernetes.io/hostname", "topology.kubernetes.io/zone", "topology.kubernetes.io/region"),
    },
    f"{_CORE}.PodSpec": {
        "nodeSelector": _WELL_KNOWN_LABELS,
        "restartPolicy": ("Always", "OnFailure", "Never"),
        "preemptionPolicy": _PREEMPTION,
        "dnsPolicy": ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
    },
    f"{_CORE}.ResourceRequirements": {"requests": _RESOURCES, "limits": _RESOURCES},
    f"{_CORE}.NodeStatus": {"allocatable": (*_RESOURCES, "pods"), "capacity": (*_RESOURCES, "pods")},
    f"{_CORE}.Container": {"imagePullPolicy": _PULL},
    f"{_CORE}.ContainerPort": {"protocol": ("TCP", "UDP", "SCTP")},
    f"{_CORE}.ServicePort": {"protocol": ("TCP", "UDP", "SCTP")},
    f"{_CORE}.ServiceSpec": {"type": ("ClusterIP", "NodePort", "LoadBalancer", "ExternalName")},
    f"{_CORE}.NodeSelectorRequirement": {"key": _WELL_KNOWN_LABELS, "operator": (*_SELECTOR, "Gt", "Lt")},
    f"{_CORE}.NodeCondition": {"status": ("True", "False", "Unknown")},
    f"{_CORE}.PodStatus": {"phase": ("Pending", "Running", "Succeeded", "Failed", "Unknown")},
    f"{_CORE}.PersistentVolumeClaimSpec": {"accessModes": _ACCESS, "volumeMode": ("Filesystem", "Block")},
    f"{_CORE}.PersistentVolumeSpec": {
        "accessModes": _ACCESS,
        "volumeMode": ("Filesystem", "Block"),
        "persistentVolumeReclaimPolicy": ("Retain", "Delete"),
    },
    "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement": {"operator": _SELECTOR},
    "io.k8s.api.scheduling.v1.PriorityClass": {"preemptionPolicy": _PREEMPTION},
    "io.k8s.api.storage.v1.StorageClass": {
        "volumeBindingMode": ("Immediate", "WaitForFirstConsumer"),
        "reclaimPolicy": _RECLAIM,
    },
    "io.k8s.api.policy.v1.PodDisruptionBudgetSpec": {
        "unhealthyPodEvictionPolicy": ("IfHealthyBudget", "AlwaysAllow"),
    },
    "io.k8s.api.apps.v1.DeploymentStrategy": {"type": ("RollingUpdate", "Recreate")},
    "io.k8s.api.apps.v1.DaemonSetUpdateStrategy": {"type": ("RollingUpdate", "OnDelete")},
    "io.k8s.api.batch.v1.JobSpec": {"completionMode": ("NonIndexed", "Indexed")},
    "io.k8s.api.batch.v1.CronJobSpec": {"concurrencyPolicy": ("Allow", "Forbid", "Replace")},
    "io.k8s.api.resource.v1.ExactDeviceRequest": {"allocationMode": ("ExactCount", "All")},
    f"{_ADMISSION}.v1.MutatingWebhook": {
        "failurePolicy": _FAILURE,
        "matchPolicy": _MATCH,
        "reinvocationPolicy": _REINVOCATION,
        "sideEffects": ("None", "NoneOnDryRun"),
        "admissionReviewVersions": ("v1",),
    },
    f"{_ADMISSION}.v1.RuleWithOperations": {"operations": _OPERATIONS, "scope": _SCOPES},
    f"{_ADMISSION}.v1beta1.NamedRuleWithOperations": {"operations": _OPERATIONS, "scope": _SCOPES},
    f"{_ADMISSION}.v1beta1.MatchResources": {"matchPolicy": _MATCH},
    f"{_ADMISSION}.v1beta1.MutatingAdmissionPolicySpec": {
        "failurePolicy": _FAILURE,
        "reinvocationPolicy": _REINVOCATION,
    },
    f"{_ADMISSION}.v1beta1.Mutation": {"patchType": ("ApplyConfiguration", "JSONPatch")},
}
