from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.objects.decode import KINDS, DecodeError, decode
from scheduler_core.objects.pod import Pod
from scheduler_core.testing import make_pod


def pod_with(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}


# (name, manifest, path, part of the message)
BAD = [
    ("a list", [], "", "expected an object"),
    ("no kind", {}, "kind", "name of a kind"),
    ("an unknown kind", {"kind": "Gizmo"}, "kind", "'Gizmo' is not a kind the scheduler reads"),
    ("a wrong type", pod_with(priority="high"), "spec.priority", "Expected int"),
    (
        "a label that is a number",
        {"kind": "Pod", "metadata": {"labels": {"a": 1}}},
        'metadata.labels["a"]',
        "Expected str",
    ),
    (
        "a bad quantity",
        pod_with(containers=[{"resources": {"requests": {"cpu": "1", "memory": "1.5.2"}}}]),
        'spec.containers[0].resources.requests["memory"]',
        "'1.5.2' is not a quantity",
    ),
    (
        "a quantity that is a truth value",
        pod_with(overhead={"cpu": True}),
        'spec.overhead["cpu"]',
        "expected a quantity",
    ),
    (
        "a required field is missing",
        pod_with(affinity={"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{}]}}),
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]",
        "missing required field topologyKey",
    ),
    (
        "an unknown operator",
        pod_with(
            affinity={
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {
                        "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Near"}]}]
                    }
                }
            }
        ),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
        ".nodeSelectorTerms[0].matchExpressions[0].operator",
        "Near",
    ),
]


@pytest.mark.parametrize(("name", "manifest", "path", "message"), BAD, ids=[row[0] for row in BAD])
def test_an_error_names_the_field(name: str, manifest: Any, path: str, message: str) -> None:
    with pytest.raises(DecodeError) as failure:
        decode(manifest)
    assert failure.value.path == path
    assert message in failure.value.message


def test_null_means_absent() -> None:
    manifest = pod_with(containers=None, nodeSelector=None, tolerations=[None])
    manifest["metadata"].update(labels=None, creationTimestamp=None)
    pod = decode(manifest)
    assert isinstance(pod, Pod)
    assert pod.spec.containers == ()
    assert pod.metadata.labels == {}


def test_unknown_fields_are_left_alone() -> None:
    pod = decode(pod_with(brandNew=1, containers=[{"name": "c", "command": ["true"]}]))
    assert isinstance(pod, Pod)
    assert pod.spec.containers[0].name == "c"


def test_a_manifest_nested_beyond_reason_is_refused() -> None:
    nested: Any = "deep"
    for _ in range(500):
        nested = {"a": nested}
    with pytest.raises(DecodeError, match="nested deeper"):
        decode({"kind": "Pod", "metadata": {"labels": nested}})


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_can_be_empty(kind: str) -> None:
    assert decode({"kind": kind, "metadata": {"name": "x"}}).name == "x"


def test_names_follow_python_and_kubernetes() -> None:
    pod = make_pod("p").host_port(80, ip="10.0.0.1").pod()
    assert pod.spec.containers[0].ports[0].host_ip == "10.0.0.1"
