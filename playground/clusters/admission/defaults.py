"""The defaults Kubernetes fills in, by kind, in place. Filling in twice changes nothing."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

from playground.clusters.kinds import Kind

Manifest = dict[str, Any]

DEFAULT_SCHEDULER = "default-scheduler"
GRACE_PERIOD_SECONDS = 30
# What a Node is given that says nothing of its size.
NODE_CAPACITY: Mapping[str, str] = {"cpu": "4", "memory": "8Gi", "pods": "110", "ephemeral-storage": "100Gi"}


def set_defaults(kind: Kind, manifest: Manifest) -> None:
    default = _DEFAULTS.get(kind.kind)
    if default is not None:
        default(manifest)


def pod_spec_defaults(spec: Manifest) -> None:
    """Of a pod, or of the template of a workload."""
    for key, value in (
        ("restartPolicy", "Always"),
        ("terminationGracePeriodSeconds", GRACE_PERIOD_SECONDS),
        ("dnsPolicy", "ClusterFirst"),
        ("schedulerName", DEFAULT_SCHEDULER),
    ):
        spec.setdefault(key, value)
    spec.setdefault("securityContext", {})
    host_network = bool(spec.get("hostNetwork"))
    for containers in ("initContainers", "containers", "ephemeralContainers"):
        for container in spec.get(containers) or ():
            _container_defaults(container, host_network)
    for volume in spec.get("volumes") or ():
        _volume_defaults(volume)


def _container_defaults(container: Manifest, host_network: bool) -> None:
    container.setdefault("resources", {})
    container.setdefault("terminationMessagePath", "/dev/termination-log")
    container.setdefault("terminationMessagePolicy", "File")
    container.setdefault("imagePullPolicy", _pull_policy(container.get("image", "")))
    for port in container.get("ports") or ():
        port.setdefault("protocol", "TCP")
        if host_network and "containerPort" in port:
            port.setdefault("hostPort", port["containerPort"])
    for probe in ("livenessProbe", "readinessProbe", "startupProbe"):
        if probe in container:
            _probe_defaults(container[probe])
    requests_from_limits(container["resources"])


def requests_from_limits(resources: Manifest) -> None:
    """A limit without a request is the request too."""
    limits = resources.get("limits")
    if limits:
        requests = resources.setdefault("requests", {})
        for name, limit in limits.items():
            requests.setdefault(name, limit)


def _pull_policy(image: str) -> str:
    name = image.rpartition("/")[2]
    if "@" in image:
        return "IfNotPresent"
    tag = name.partition(":")[2]
    return "Always" if tag in ("", "latest") else "IfNotPresent"


def _probe_defaults(probe: Manifest) -> None:
    for key, value in (("timeoutSeconds", 1), ("periodSeconds", 10), ("successThreshold", 1), ("failureThreshold", 3)):
        probe.setdefault(key, value)
    if "httpGet" in probe:
        probe["httpGet"].setdefault("path", "/")
        probe["httpGet"].setdefault("scheme", "HTTP")
    if "grpc" in probe:
        probe["grpc"].setdefault("service", "")


def _volume_defaults(volume: Manifest) -> None:
    for source in ("configMap", "secret", "projected", "downwardAPI"):
        if source in volume:
            volume[source].setdefault("defaultMode", 420)
    if "hostPath" in volume:
        volume["hostPath"].setdefault("type", "")
    if set(volume) == {"name"}:
        volume["emptyDir"] = {}


def _pod(manifest: Manifest) -> None:
    spec = manifest.get("spec")
    if not isinstance(spec, dict):
        return
    pod_spec_defaults(spec)
    spec.setdefault("enableServiceLinks", True)
    spec.setdefault("serviceAccountName", spec.get("serviceAccount") or "default")
    spec.setdefault("serviceAccount", spec["serviceAccountName"])
    if "resources" in spec:
        requests_from_limits(spec["resources"])


# A label's value is no longer; a node's name may have 253.
_LONGEST_HOSTNAME = 63


def hostname_of(node: str) -> str:
    """The label that a kubelet puts on its node: the name, as much of it as a label holds."""
    return node[:_LONGEST_HOSTNAME].rstrip("-.")


def _node(manifest: Manifest) -> None:
    metadata = manifest["metadata"]
    name = metadata.get("name", "")
    labels = metadata.setdefault("labels", {})
    for key, value in (
        ("kubernetes.io/hostname", hostname_of(name)),
        ("kubernetes.io/os", "linux"),
        ("kubernetes.io/arch", "amd64"),
    ):
        labels.setdefault(key, value)
    manifest.setdefault("spec", {})
    status = manifest.setdefault("status", {})
    _node_resources(status)
    status.setdefault("conditions", _node_conditions(manifest))
    status.setdefault("addresses", [{"type": "Hostname", "address": name}])
    status.setdefault("images", [])
    status.setdefault("nodeInfo", _NODE_INFO)


_NODE_INFO: Mapping[str, str] = {
    "architecture": "amd64",
    "operatingSystem": "linux",
    "kubeletVersion": "v1.34.1",
    "kubeProxyVersion": "",
    "containerRuntimeVersion": "playground://1",
    "osImage": "Scheduling Playground",
    "kernelVersion": "",
    "machineID": "",
    "systemUUID": "",
    "bootID": "",
}


def _node_resources(status: Manifest) -> None:
    """Capacity and allocatable follow each other; the usual resources are always there."""
    capacity = status.get("capacity") or dict(status.get("allocatable") or NODE_CAPACITY)
    allocatable = status.get("allocatable") or dict(capacity)
    for name in ("pods", "ephemeral-storage"):
        for resources in (capacity, allocatable):
            resources.setdefault(name, NODE_CAPACITY[name])
    status["capacity"], status["allocatable"] = capacity, allocatable


def _node_conditions(manifest: Manifest) -> list[Manifest]:
    healthy = [
        ("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
        ("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
        ("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
        ("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
    ]
    return [
        {"type": type_, "status": status, "reason": reason, "message": message}
        for type_, status, reason, message in healthy
    ]


def _namespace(manifest: Manifest) -> None:
    name = manifest["metadata"].get("name", "")
    manifest["metadata"].setdefault("labels", {}).setdefault("kubernetes.io/metadata.name", name)
    manifest.setdefault("spec", {}).setdefault("finalizers", ["kubernetes"])
    manifest.setdefault("status", {}).setdefault("phase", "Active")


def _template(spec: Manifest) -> None:
    template = spec.get("template")
    if isinstance(template, dict):
        template.setdefault("metadata", {})
        if isinstance(template.get("spec"), dict):
            pod_spec_defaults(template["spec"])


def _workload(**defaults: Any) -> Callable[[Manifest], None]:
    """Defaults of a kind with a pod template; a callable default makes a fresh value each time."""

    def fill(manifest: Manifest) -> None:
        spec = manifest.get("spec")
        if isinstance(spec, dict):
            for key, value in defaults.items():
                spec.setdefault(key, value() if callable(value) else value)
            _template(spec)
        manifest.setdefault("status", {})

    return fill


def _deployment(manifest: Manifest) -> None:
    _workload(replicas=1, revisionHistoryLimit=10, progressDeadlineSeconds=600, strategy=dict)(manifest)
    strategy = (manifest.get("spec") or {}).get("strategy")
    if isinstance(strategy, dict):
        strategy.setdefault("type", "RollingUpdate")
        if strategy["type"] == "RollingUpdate":
            rolling = strategy.setdefault("rollingUpdate", {})
            rolling.setdefault("maxUnavailable", "25%")
            rolling.setdefault("maxSurge", "25%")


def _stateful_set(manifest: Manifest) -> None:
    _workload(
        replicas=1,
        revisionHistoryLimit=10,
        podManagementPolicy="OrderedReady",
        updateStrategy=lambda: {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}},
        serviceName="",
    )(manifest)


def _daemon_set(manifest: Manifest) -> None:
    _workload(
        revisionHistoryLimit=10,
        updateStrategy=lambda: {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}},
    )(manifest)


def _job(manifest: Manifest) -> None:
    spec = manifest.get("spec")
    if isinstance(spec, dict) and "completions" not in spec and "parallelism" not in spec:
        spec["completions"] = 1
    _workload(parallelism=1, backoffLimit=6, completionMode="NonIndexed", suspend=False)(manifest)


def _cron_job(manifest: Manifest) -> None:
    spec = manifest.get("spec")
    if isinstance(spec, dict):
        for key, value in (
            ("concurrencyPolicy", "Allow"),
            ("suspend", False),
            ("successfulJobsHistoryLimit", 3),
            ("failedJobsHistoryLimit", 1),
        ):
            spec.setdefault(key, value)
        job = (spec.get("jobTemplate") or {}).get("spec")
        if isinstance(job, dict):
            _template(job)
    manifest.setdefault("status", {})


def _service(manifest: Manifest) -> None:
    spec = manifest.setdefault("spec", {})
    for key, value in (
        ("type", "ClusterIP"),
        ("sessionAffinity", "None"),
        ("internalTrafficPolicy", "Cluster"),
        ("ipFamilyPolicy", "SingleStack"),
    ):
        spec.setdefault(key, value)
    for port in spec.get("ports") or ():
        port.setdefault("protocol", "TCP")
        if "port" in port:
            port.setdefault("targetPort", port["port"])
    manifest.setdefault("status", {}).setdefault("loadBalancer", {})


def _secret(manifest: Manifest) -> None:
    manifest.setdefault("type", "Opaque")
    for key, value in (manifest.pop("stringData", None) or {}).items():
        manifest.setdefault("data", {})[key] = base64.b64encode(value.encode()).decode()


def _priority_class(manifest: Manifest) -> None:
    manifest.setdefault("preemptionPolicy", "PreemptLowerPriority")


def _storage_class(manifest: Manifest) -> None:
    manifest.setdefault("reclaimPolicy", "Delete")
    manifest.setdefault("volumeBindingMode", "Immediate")


def _persistent_volume(manifest: Manifest) -> None:
    spec = manifest.setdefault("spec", {})
    spec.setdefault("persistentVolumeReclaimPolicy", "Retain")
    spec.setdefault("volumeMode", "Filesystem")
    # Who looks at it next need not wait for its controller: a volume that no claim holds can be had.
    manifest.setdefault("status", {}).setdefault("phase", "Pending" if spec.get("claimRef") else "Available")


def _persistent_volume_claim(manifest: Manifest) -> None:
    spec = manifest.setdefault("spec", {})
    spec.setdefault("volumeMode", "Filesystem")
    manifest.setdefault("status", {}).setdefault("phase", "Pending")


def _resource_claim(manifest: Manifest) -> None:
    _device_requests(manifest.get("spec") or {})


def _resource_claim_template(manifest: Manifest) -> None:
    _device_requests((manifest.get("spec") or {}).get("spec") or {})


def _device_requests(spec: Manifest) -> None:
    for request in (spec.get("devices") or {}).get("requests") or ():
        exactly = request.get("exactly")
        for asked in (*([exactly] if exactly else ()), *(request.get("firstAvailable") or ())):
            asked["allocationMode"] = asked.get("allocationMode") or "ExactCount"
            if asked["allocationMode"] == "ExactCount" and not asked.get("count"):
                asked["count"] = 1


def _event(manifest: Manifest) -> None:
    manifest.setdefault("type", "Normal")
    manifest.setdefault("count", 1)


def _mutating_webhook_configuration(manifest: Manifest) -> None:
    for webhook in manifest.get("webhooks") or ():
        for key, value in (
            ("failurePolicy", "Fail"),
            ("matchPolicy", "Equivalent"),
            ("reinvocationPolicy", "Never"),
            ("timeoutSeconds", 10),
        ):
            webhook.setdefault(key, value)
        _selects_all(webhook)
        _rules_of_any_scope(webhook.get("rules"))


def _mutating_admission_policy(manifest: Manifest) -> None:
    spec = manifest.setdefault("spec", {})
    spec.setdefault("failurePolicy", "Fail")
    if "matchConstraints" in spec:
        _match_resources(spec["matchConstraints"])


def _mutating_admission_policy_binding(manifest: Manifest) -> None:
    spec = manifest.setdefault("spec", {})
    if "matchResources" in spec:
        _match_resources(spec["matchResources"])


def _match_resources(constraints: Manifest) -> None:
    constraints.setdefault("matchPolicy", "Equivalent")
    _selects_all(constraints)
    for rules in ("resourceRules", "excludeResourceRules"):
        _rules_of_any_scope(constraints.get(rules))


def _selects_all(hook: Manifest) -> None:
    hook.setdefault("namespaceSelector", {})
    hook.setdefault("objectSelector", {})


def _rules_of_any_scope(rules: list[Manifest] | None) -> None:
    for rule in rules or ():
        rule.setdefault("scope", "*")


_DEFAULTS: Mapping[str, Callable[[Manifest], None]] = {
    "Pod": _pod,
    "Node": _node,
    "Namespace": _namespace,
    "Service": _service,
    "Secret": _secret,
    "Event": _event,
    "Deployment": _deployment,
    "ReplicaSet": _workload(replicas=1),
    "ReplicationController": _workload(replicas=1),
    "StatefulSet": _stateful_set,
    "DaemonSet": _daemon_set,
    "Job": _job,
    "CronJob": _cron_job,
    "PriorityClass": _priority_class,
    "StorageClass": _storage_class,
    "PersistentVolume": _persistent_volume,
    "PersistentVolumeClaim": _persistent_volume_claim,
    "ResourceClaim": _resource_claim,
    "ResourceClaimTemplate": _resource_claim_template,
    "MutatingWebhookConfiguration": _mutating_webhook_configuration,
    "MutatingAdmissionPolicy": _mutating_admission_policy,
    "MutatingAdmissionPolicyBinding": _mutating_admission_policy_binding,
}
