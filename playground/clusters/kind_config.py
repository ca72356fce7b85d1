"""A `kind: Cluster` file (kind.x-k8s.io/v1alpha4) -> the nodes of a cluster.

Nodes are named and marked as kind does it: `<cluster>-control-plane`,
`<cluster>-worker`, `<cluster>-worker2`, ...; a control-plane node has its label
and the taint that keeps ordinary pods away (unless it is the only node). Labels
come from `labels` and from `node-labels` of kubeadm patches; taints from the
patches' `nodeRegistration.taints`. What only matters to containers and networks
(images, mounts, port mappings) is accepted and has no effect here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from playground.clusters.admission.schema import shown
from playground.clusters.manifests import YamlProblem, read_documents, read_one
from playground.common.errors import BadRequest, Cause, Invalid

API_VERSION = "kind.x-k8s.io/v1alpha4"
CONTROL_PLANE = "control-plane"
WORKER = "worker"
CONTROL_PLANE_LABEL = "node-role.kubernetes.io/control-plane"
MAX_NODES = 5_000
# A laptop's container, as kind makes one.
NODE_CAPACITY: Mapping[str, str] = {"cpu": "4", "memory": "8Gi", "pods": "110", "ephemeral-storage": "100Gi"}

_CLUSTER_FIELDS = frozenset({
    "kind", "apiVersion", "name", "nodes", "networking", "featureGates", "runtimeConfig", "kubeadmConfigPatches",
    "kubeadmConfigPatchesJSON6902", "containerdConfigPatches", "containerdConfigPatchesJSON6902",
})  # fmt: skip
_NODE_FIELDS = frozenset({
    "role", "image", "labels", "extraMounts", "extraPortMappings", "kubeadmConfigPatches",
    "kubeadmConfigPatchesJSON6902",
})  # fmt: skip
_TAINT = re.compile(r"(?P<key>[^=:]+)(=(?P<value>[^:]*))?:(?P<effect>\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class KindNode:
    role: str
    labels: dict[str, str] = field(default_factory=dict)
    taints: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KindConfig:
    # "" where the file does not say.
    name: str
    nodes: tuple[KindNode, ...]


def read_kind_config(text: str) -> KindConfig:
    """Raises BadRequest or Invalid with the paths of what is wrong."""
    documents = list(read_documents(text))
    if len(documents) != 1:
        raise BadRequest(
            f"kind_config: expected one document of kind Cluster, found {len(documents)}; manifests are applied to a "
            "cluster that is there",
            [Cause(path="kind_config", message=f"expected one document, found {len(documents)}")],
        )
    if documents[0].problem is not None:
        cause = documents[0].problem.cause(1)
        raise BadRequest(f"kind_config: {cause.message}", [cause])
    causes: list[Cause] = []
    config = _cluster(documents[0].value, causes)
    if causes:
        raise Invalid("; ".join(f"{cause.path}: {cause.message}" for cause in causes[:5]), causes)
    return config


def _cluster(value: Any, causes: list[Cause]) -> KindConfig:
    if not isinstance(value, dict):
        raise BadRequest("kind_config: expected an object of kind Cluster")
    for name, wanted in (("kind", "Cluster"), ("apiVersion", API_VERSION)):
        if value.get(name) != wanted:
            causes.append(Cause(path=name, message=f"Invalid value: {shown(value.get(name))}: expected {wanted}"))
    _report_unknown(value, _CLUSTER_FIELDS, "", causes)
    nodes = value.get("nodes") or [{"role": CONTROL_PLANE}]
    if not isinstance(nodes, list) or len(nodes) > MAX_NODES:
        causes.append(Cause(path="nodes", message=f"expected a list of at most {MAX_NODES} nodes"))
        nodes = []
    shared = list(_patches(value, "", causes))
    read = tuple(_node(node, f"nodes[{i}]", shared, causes) for i, node in enumerate(nodes))
    if read and not any(node.role == CONTROL_PLANE for node in read):
        causes.append(Cause(path="nodes", message="must have at least one node of role control-plane"))
    name = value.get("name", "")
    if not isinstance(name, str):
        causes.append(Cause(path="name", message="expected a string"))
    return KindConfig(name=str(name), nodes=read)


def _report_unknown(value: Mapping[str, Any], known: frozenset[str], path: str, causes: list[Cause]) -> None:
    prefix = f"{path}." if path else ""
    causes += [Cause(path=prefix + key, message=f'unknown field "{prefix}{key}"') for key in value if key not in known]


def _node(value: Any, path: str, shared: list[Any], causes: list[Cause]) -> KindNode:
    if not isinstance(value, dict):
        causes.append(Cause(path=path, message="expected an object with a role"))
        return KindNode(role=WORKER)
    _report_unknown(value, _NODE_FIELDS, path, causes)
    role = value.get("role", CONTROL_PLANE)
    if role not in (CONTROL_PLANE, WORKER):
        message = f'Unsupported value: {shown(role)}: supported values: "control-plane", "worker"'
        causes.append(Cause(path=f"{path}.role", message=message, reason="FieldValueNotSupported"))
    labels = value.get("labels") or {}
    if not isinstance(labels, dict) or not all(isinstance(each, str) for each in labels.values()):
        causes.append(Cause(path=f"{path}.labels", message="expected labels with string values"))
        labels = {}
    patches = [*shared, *_patches(value, path, causes)]
    patched_labels, taints = _registrations(patches, role)
    return KindNode(role=str(role), labels=labels | patched_labels, taints=taints)


def _patches(value: Mapping[str, Any], path: str, causes: list[Cause]) -> Iterator[Any]:
    prefix = f"{path}." if path else ""
    for i, text in enumerate(value.get("kubeadmConfigPatches") or ()):
        try:
            yield read_one(text)
        except (YamlProblem, AttributeError, TypeError) as problem:
            where = f"{prefix}kubeadmConfigPatches[{i}]"
            causes.append(Cause(path=where, message=f"expected a YAML document: {problem}"))


def _registrations(patches: list[Any], role: object) -> tuple[dict[str, str], tuple[dict[str, str], ...]]:
    """Labels and taints from the kubeadm patches that concern a node of this role."""
    wanted = {"InitConfiguration", "JoinConfiguration"} if role == CONTROL_PLANE else {"JoinConfiguration"}
    labels: dict[str, str] = {}
    taints: list[dict[str, str]] = []
    for patch in patches:
        if not isinstance(patch, dict) or patch.get("kind") not in wanted:
            continue
        registration = patch.get("nodeRegistration")
        if isinstance(registration, dict):
            arguments = _kubelet_arguments(registration.get("kubeletExtraArgs"))
            labels |= _listed_labels(arguments.get("node-labels", ""))
            taints += _listed_taints(arguments.get("register-with-taints", ""))
            taints += [each for each in registration.get("taints") or () if isinstance(each, dict)]
    return labels, tuple(taints)


def _kubelet_arguments(value: Any) -> dict[str, str]:
    """kubeadm v1beta3 has a map here, v1beta4 a list of names and values."""
    if isinstance(value, list):
        return {str(each.get("name")): str(each.get("value")) for each in value if isinstance(each, dict)}
    return {str(name): str(each) for name, each in value.items()} if isinstance(value, dict) else {}


def _listed_labels(text: str) -> dict[str, str]:
    pairs = (each.partition("=") for each in text.split(",") if each.strip())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _listed_taints(text: str) -> list[dict[str, str]]:
    matches = (_TAINT.fullmatch(each.strip()) for each in text.split(",") if each.strip())
    return [
        {"key": match["key"], "value": match["value"] or "", "effect": match["effect"]} for match in matches if match
    ]


def node_manifests(config: KindConfig, cluster_name: str) -> list[dict[str, Any]]:
    """The Nodes of the cluster, control plane first as in the file."""
    counts = {CONTROL_PLANE: 0, WORKER: 0}
    manifests = []
    for node in config.nodes:
        counts[node.role] += 1
        number = counts[node.role]
        name = f"{cluster_name}-{node.role}{number if number > 1 else ''}"
        manifests.append(_node_manifest(node, name, is_only_node=len(config.nodes) == 1))
    return manifests


def _node_manifest(node: KindNode, name: str, *, is_only_node: bool) -> dict[str, Any]:
    labels, taints = dict(node.labels), list(node.taints)
    if node.role == CONTROL_PLANE:
        labels |= {CONTROL_PLANE_LABEL: "", "node.kubernetes.io/exclude-from-external-load-balancers": ""}
        if not is_only_node and not any(taint.get("key") == CONTROL_PLANE_LABEL for taint in taints):
            taints.append({"key": CONTROL_PLANE_LABEL, "effect": "NoSchedule"})
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": {"taints": taints} if taints else {},
        "status": {"capacity": dict(NODE_CAPACITY), "allocatable": dict(NODE_CAPACITY)},
    }
