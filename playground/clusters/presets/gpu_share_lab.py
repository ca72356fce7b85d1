"""Shared GPUs: a webhook, a second profile and an extender, and memory that is free but in pieces.

Two nodes with two cards of 16 GiB each. Four trainers of 10 GiB leave 6 on
every card, and a notebook of 4 goes where it leaves least. Each node then has
at least 8 GiB free, but no card has, and `large`, which needs 8, waits.

Pods of different workloads come in any order, and the story is of one: so the
trainers are a StatefulSet, the notebook waits for the last of them, and `large`
for the notebook.
"""

from __future__ import annotations

from typing import Any

from playground.clusters.presets.nodes import node_manifest
from playground.common.outgoing_targets import OWN_HOST

Manifest = dict[str, Any]

GPU = "gpu"
MEMORY, COUNT = "gpushare.example/gpu-mem", "gpushare.example/gpu-count"
CARDS, CARD_SIZE = 2, 16
SCHEDULER = "gpu-scheduler"
POD_NAME_LABEL = "statefulset.kubernetes.io/pod-name"


def sample_url(path: str) -> str:
    """Of the sample services that the playground itself runs (`playground.samples`)."""
    return f"http://{OWN_HOST}/samples/gpu-share/{path}"


def manifests(name: str) -> list[Manifest]:
    shared = {MEMORY: str(CARDS * CARD_SIZE), COUNT: str(CARDS)}
    nodes = [node_manifest(f"{name}-gpu-{i}", "16", "64Gi", {GPU: "shared"}, resources=shared) for i in (1, 2)]
    trainers = CARDS * len(nodes)
    return [
        node_manifest(f"{name}-cpu-1", "8", "32Gi", {}),
        *nodes,
        _webhook(),
        _deployment("web", 2, None),
        _one_by_one(_deployment("trainer", trainers, 10)),
        _deployment("notebook", 1, 4, affinity=_after(POD_NAME_LABEL, f"trainer-{trainers - 1}")),
        _deployment("large", 1, 8, affinity=_after("app", "notebook")),
    ]


def configuration(name: str) -> Manifest:
    """Two profiles, and an extender that is asked about pods with shared GPUs only."""
    most_allocated = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "NodeResourcesFitArgs",
        "scoringStrategy": {"type": "MostAllocated", "resources": [{"name": MEMORY, "weight": 1}]},
    }
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [
            {"schedulerName": "default-scheduler"},
            {
                "schedulerName": SCHEDULER,
                "pluginConfig": [{"name": "NodeResourcesFit", "args": most_allocated}],
            },
        ],
        "extenders": [
            {
                "urlPrefix": sample_url(name),
                "filterVerb": "filter",
                "prioritizeVerb": "prioritize",
                "bindVerb": "bind",
                "weight": 5,
                "nodeCacheCapable": True,
                "httpTimeout": "5s",
                "managedResources": [{"name": MEMORY}],
            }
        ],
    }


def _webhook() -> Manifest:
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"]}
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingWebhookConfiguration",
        "metadata": {"name": "gpu-share"},
        "webhooks": [
            {
                "name": "mutate.gpushare.example",
                "clientConfig": {"url": sample_url("mutate")},
                "rules": [rule],
                "failurePolicy": "Fail",
                "sideEffects": "None",
                "admissionReviewVersions": ["v1"],
            }
        ],
    }


def _after(label: str, value: str) -> Manifest:
    """On nodes with shared GPUs, as soon as such a pod is on any of them."""
    term = {"labelSelector": {"matchLabels": {label: value}}, "topologyKey": GPU}
    return {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


def _one_by_one(deployment: Manifest) -> Manifest:
    """As a StatefulSet: a pod comes when the one before it is ready."""
    name = deployment["metadata"]["name"]
    return {**deployment, "kind": "StatefulSet", "spec": {**deployment["spec"], "serviceName": name}}


def _deployment(name: str, replicas: int, gpu_memory: int | None, **spec: Manifest) -> Manifest:
    requests: dict[str, str] = {"cpu": "500m", "memory": "512Mi"}
    resources: Manifest = {"requests": requests}
    if gpu_memory is not None:
        requests[MEMORY] = str(gpu_memory)
        resources["limits"] = {MEMORY: str(gpu_memory)}
    container = {"name": "main", "image": f"registry.example/{name}:1.0", "resources": resources}
    # Whoever scales down does not want to wait for the usual 30 seconds.
    pod_spec = {"terminationGracePeriodSeconds": 3, "containers": [container], **spec}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": {"app": name}}, "spec": pod_spec},
        },
    }
