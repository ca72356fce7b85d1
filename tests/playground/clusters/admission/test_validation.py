"""Every rule, by an object that breaks it: the path and Kubernetes' words."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from playground.clusters.admission.defaults import set_defaults
from playground.clusters.admission.metadata import validate as validate_metadata
from playground.clusters.admission.pipeline import read_manifest
from playground.clusters.admission.schema import conform
from playground.clusters.admission.validation import validate
from playground.clusters.kinds import KINDS
from playground.common.errors import BadRequest
from tests.playground.builders import a_deployment, a_node, a_pod

Json = dict[str, Any]


def causes_of(manifest: Json) -> dict[str, str]:
    """path -> message, for an object as it comes in."""
    kind = KINDS[manifest["kind"]]
    try:
        read = read_manifest(kind, manifest, strict=True)
    except BadRequest as error:
        return {cause.path: cause.message for cause in error.causes}
    read["metadata"].setdefault("namespace", "default")
    set_defaults(kind, read)
    return {cause.path: cause.message for cause in [*validate_metadata(kind, read["metadata"]), *validate(kind, read)]}


def with_container(**fields: Any) -> Json:
    pod = a_pod()
    pod["spec"]["containers"][0].update(fields)
    return pod


def with_node_affinity(*expressions: Json) -> Json:
    terms = {"nodeSelectorTerms": [{"matchExpressions": list(expressions)}]}
    return a_pod(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}})


def with_pod_affinity(**term: Any) -> Json:
    return a_pod(affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})


def with_spread(**constraint: Any) -> Json:
    usual = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
    return a_pod(topologySpreadConstraints=[{**usual, **constraint}])


def named(name: str, kind: str = "Pod") -> Json:
    manifest = a_pod() if kind == "Pod" else {"apiVersion": KINDS[kind].api_version, "kind": kind, "metadata": {}}
    manifest["metadata"] = {"name": name}
    return manifest


def labelled(**labels: str) -> Json:
    pod = a_pod()
    pod["metadata"]["labels"] = labels
    return pod


def a_kind(kind: str, **fields: Any) -> Json:
    return {"apiVersion": KINDS[kind].api_version, "kind": kind, "metadata": {"name": "x"}, **fields}


def a_workload(**spec: Any) -> Json:
    deployment = a_deployment()
    deployment["spec"].update(spec)
    return deployment


C0 = "spec.containers[0]"
AFFINITY = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"
ANTI = "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]"
SPREAD = "spec.topologySpreadConstraints[0]"

BROKEN: list[tuple[str, Json, str, str]] = [
    ("capital letters", named("Web"), "metadata.name", "a lowercase RFC 1123 subdomain"),
    ("a long name", named("x" * 254), "metadata.name", "no more than 253"),
    ("a dot in a label name", named("a.b", "Namespace"), "metadata.name", "a lowercase RFC 1123 label"),
    ("no name", {**a_pod(), "metadata": {}}, "metadata.name", "name or generateName is required"),
    ("a label value", labelled(app="-x"), "metadata.labels", "a valid label must be"),
    ("a label key", labelled(**{"a/b/c": "x"}), "metadata.labels", "prefix part"),
    ("no containers", a_pod(containers=[]), "spec.containers", "Required value"),
    ("no spec", {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}}, "spec", "Required value"),
    ("no image", with_container(image=""), f"{C0}.image", "Required value"),
    ("a container's name", with_container(name="A_b"), f"{C0}.name", "RFC 1123 label"),
    ("two of one name", a_pod(initContainers=[{"name": "main", "image": "x"}]), f"{C0}.name", "Duplicate value"),
    ("a pull policy", with_container(imagePullPolicy="Maybe"), f"{C0}.imagePullPolicy", "Unsupported value"),
    ("a restart policy", a_pod(restartPolicy="Never ever"), "spec.restartPolicy", '"Always", "Never", "OnFailure"'),
    ("negative cpu", a_pod(cpu="-1"), f"{C0}.resources.requests[cpu]", "greater than or equal to 0"),
    (
        "more than the limit",
        with_container(resources={"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}),
        f"{C0}.resources.requests[cpu]",
        "must be less than or equal to cpu limit of 1",
    ),
    (
        "half a gpu",
        with_container(resources={"limits": {"nvidia.com/gpu": "500m"}}),
        f"{C0}.resources.limits[nvidia.com/gpu]",
        "must be an integer",
    ),
    (
        "a gpu without a limit",
        with_container(resources={"requests": {"nvidia.com/gpu": "1"}}),
        f"{C0}.resources.limits[nvidia.com/gpu]",
        "Limit must be set for non overcommitable resources",
    ),
    ("a port", with_container(ports=[{"containerPort": 70000}]), f"{C0}.ports[0].containerPort", "between 1 and 65535"),
    (
        "a host port twice",
        with_container(ports=[{"containerPort": 1, "hostPort": 9}, {"containerPort": 2, "hostPort": 9}]),
        f"{C0}.ports[1].hostPort",
        "Duplicate value",
    ),
    ("a mount of nothing", with_container(volumeMounts=[{"name": "v", "mountPath": "/v"}]),
     f"{C0}.volumeMounts[0].name", 'Not found: "v"'),
    ("two volumes of one name", a_pod(volumes=[{"name": "v"}, {"name": "v"}]), "spec.volumes[1].name", "Duplicate"),
    ("a gate twice", a_pod(schedulingGates=[{"name": "a"}, {"name": "a"}]), "spec.schedulingGates[1]", "Duplicate"),
    ("a gated pod on a node", a_pod(schedulingGates=[{"name": "a"}], nodeName="n"), "spec.nodeName", "Forbidden"),
    ("a node selector", a_pod(nodeSelector={"disk": "ssd!"}), "spec.nodeSelector", "a valid label must be"),
    ("In without values", with_node_affinity({"key": "a", "operator": "In"}),
     f"{AFFINITY}.matchExpressions[0].values", "must be specified when `operator` is 'In' or 'NotIn'"),
    ("Exists with values", with_node_affinity({"key": "a", "operator": "Exists", "values": ["x"]}),
     f"{AFFINITY}.matchExpressions[0].values", "may not be specified"),
    ("Gt with a word", with_node_affinity({"key": "a", "operator": "Gt", "values": ["x"]}),
     f"{AFFINITY}.matchExpressions[0].values[0]", "whole number"),
    ("an operator", with_node_affinity({"key": "a", "operator": "Near"}),
     f"{AFFINITY}.matchExpressions[0].operator", "Unsupported value"),
    ("no topology key", with_pod_affinity(topologyKey=""), f"{ANTI}.topologyKey", "can not be empty"),
    ("label keys without selector", with_pod_affinity(topologyKey="a", matchLabelKeys=["b"]),
     f"{ANTI}.matchLabelKeys", "when labelSelector is not set"),
    ("a toleration of everything", a_pod(tolerations=[{"value": "x"}]), "spec.tolerations[0].operator",
     "operator must be Exists when `key` is empty"),
    ("Exists with a value", a_pod(tolerations=[{"key": "a", "operator": "Exists", "value": "x"}]),
     "spec.tolerations[0].operator", "value must be empty"),
    ("an effect", a_pod(tolerations=[{"key": "a", "effect": "Nope"}]), "spec.tolerations[0].effect", "Unsupported"),
    ("seconds without NoExecute", a_pod(tolerations=[{"key": "a", "operator": "Exists", "tolerationSeconds": 1}]),
     "spec.tolerations[0].effect", "effect must be 'NoExecute'"),
    ("maxSkew 0", with_spread(maxSkew=0), f"{SPREAD}.maxSkew", "must be greater than zero"),
    ("minDomains of a wish", with_spread(whenUnsatisfiable="ScheduleAnyway", minDomains=2), f"{SPREAD}.minDomains",
     "can only use minDomains"),
    ("a spread policy", with_spread(nodeTaintsPolicy="Obey"), f"{SPREAD}.nodeTaintsPolicy", '"Honor", "Ignore"'),
    ("negative replicas", a_workload(replicas=-1), "spec.replicas", "greater than or equal to 0"),
    ("no selector", a_workload(selector=None), "spec.selector", "Required value"),
    ("another selector", a_workload(selector={"matchLabels": {"a": "b"}}), "spec.template.metadata.labels",
     "`selector` does not match template `labels`"),
    ("nothing may be missing and nothing surge",
     a_workload(strategy={"rollingUpdate": {"maxSurge": 0, "maxUnavailable": "0%"}}),
     "spec.strategy.rollingUpdate.maxUnavailable", "may not be 0 when `maxSurge` is 0"),
    ("a percentage", a_workload(strategy={"rollingUpdate": {"maxSurge": "few"}}),
     "spec.strategy.rollingUpdate.maxSurge", "percent"),
    ("a taint's effect", a_node(taints=[{"key": "a", "effect": "Never"}]), "spec.taints[0].effect", "Unsupported"),
    ("a taint twice", a_node(taints=[{"key": "a", "effect": "NoSchedule"}] * 2), "spec.taints[1]", "Duplicate"),
    ("a system priority", a_kind("PriorityClass", value=2_000_000_000), "value", "maximum allowed value"),
    ("no priority", a_kind("PriorityClass"), "value", "Required value"),
    ("both of a budget", a_kind("PodDisruptionBudget", spec={"minAvailable": 1, "maxUnavailable": 1}), "spec",
     "cannot be both set"),
    ("no access mode", a_kind("PersistentVolumeClaim", spec={"resources": {"requests": {"storage": "1Gi"}}}),
     "spec.accessModes", "at least 1 access mode"),
    ("no provisioner", a_kind("StorageClass"), "provisioner", "Required value"),
    ("no ports", a_kind("Service", spec={}), "spec.ports", "Required value"),
    ("a job that restarts always",
     a_kind("Job", spec={"template": {"spec": {"containers": [{"name": "c", "image": "x"}]}}}),
     "spec.template.spec.restartPolicy", '"Never", "OnFailure"'),
]  # fmt: skip


@pytest.mark.parametrize(("manifest", "path", "words"), [each[1:] for each in BROKEN], ids=[each[0] for each in BROKEN])
def test_a_broken_rule_is_told_by_path_in_kubernetes_words(manifest: Json, path: str, words: str) -> None:
    causes = causes_of(manifest)
    assert path in causes, causes
    assert words in causes[path]


@pytest.mark.parametrize(
    "manifest",
    [
        a_pod(),
        a_node(taints=[{"key": "a", "effect": "NoSchedule"}, {"key": "a", "effect": "NoExecute"}]),
        a_deployment(),
        with_node_affinity({"key": "a", "operator": "Gt", "values": ["5"]}, {"key": "b", "operator": "Exists"}),
        with_pod_affinity(topologyKey="zone", labelSelector={"matchLabels": {"a": "b"}}, matchLabelKeys=["c"]),
        with_spread(minDomains=2, labelSelector={"matchExpressions": [{"key": "a", "operator": "DoesNotExist"}]}),
        a_pod(tolerations=[{"operator": "Exists"}, {"key": "a", "value": "b"}]),
        with_container(resources={"limits": {"nvidia.com/gpu": "2"}}),
        a_kind("PodDisruptionBudget", spec={"minAvailable": "50%"}),
        a_kind("Service", spec={"clusterIP": "None"}),
        a_kind("ConfigMap", data={"a.b": "c"}),
    ],
    ids=lambda manifest: manifest["kind"],
)
def test_what_keeps_the_rules_is_let_in(manifest: Json) -> None:
    assert causes_of(manifest) == {}


def test_reading_changes_nothing_of_what_was_sent() -> None:
    sent = with_container(resources={"limits": {"cpu": 1, "memory": None}})
    before = deepcopy(sent)
    read = read_manifest(KINDS["Pod"], sent, strict=True)
    assert sent == before
    assert read["spec"]["containers"][0]["resources"] == {"limits": {"cpu": "1"}}


def test_every_kind_has_a_shape_that_names_its_object() -> None:
    for kind in KINDS.values():
        manifest = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": "x"}}
        clean, wrong, unknown = conform(kind.definition, manifest)
        assert (clean["metadata"], unknown) == ({"name": "x"}, [])
        assert {cause.message for cause in wrong} <= {"Required value"}


def test_defaults_given_twice_change_nothing() -> None:
    for manifest in (a_pod(), a_node(), a_deployment()):
        kind = KINDS[manifest["kind"]]
        set_defaults(kind, manifest)
        once = deepcopy(manifest)
        set_defaults(kind, manifest)
        assert manifest == once
