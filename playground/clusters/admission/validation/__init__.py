"""The rules of each kind that its shape does not say, in Kubernetes' words.

`validate(kind, manifest)` answers every cause. A rule is a generator of causes
over a manifest whose shape is known to be right; one table says which rules a
kind has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from playground.clusters.admission.validation import (
    admission_hooks,
    devices,
    nodes,
    pod_groups,
    pods,
    policy,
    services,
    storage,
    workloads,
)
from playground.clusters.kinds import Kind
from playground.common.errors import Cause

Rule = Callable[[Mapping[str, Any]], Iterator[Cause]]

_RULES: Mapping[str, Rule] = {
    "Pod": pods.pod,
    "Node": nodes.node,
    "Service": services.service,
    "ConfigMap": services.config_map,
    "Event": services.event,
    "Deployment": workloads.deployment,
    "ReplicaSet": workloads.replica_set,
    "ReplicationController": workloads.replication_controller,
    "StatefulSet": workloads.stateful_set,
    "DaemonSet": workloads.daemon_set,
    "Job": workloads.job,
    "CronJob": workloads.cron_job,
    "PodGroup": pod_groups.pod_group,
    "PriorityClass": policy.priority_class,
    "PodDisruptionBudget": policy.pod_disruption_budget,
    "PersistentVolume": storage.persistent_volume,
    "PersistentVolumeClaim": storage.persistent_volume_claim,
    "StorageClass": storage.storage_class,
    "DeviceClass": devices.device_class,
    "ResourceClaim": devices.resource_claim,
    "ResourceClaimTemplate": devices.resource_claim_template,
    "MutatingWebhookConfiguration": admission_hooks.mutating_webhook_configuration,
    "MutatingAdmissionPolicy": admission_hooks.mutating_admission_policy,
    "MutatingAdmissionPolicyBinding": admission_hooks.mutating_admission_policy_binding,
}


def validate(kind: Kind, manifest: Mapping[str, Any]) -> list[Cause]:
    rule = _RULES.get(kind.kind)
    return [] if rule is None else list(rule(manifest))
