"""Manifests read by Kubernetes' schema: what is found wrong, and how much of it is told."""

from __future__ import annotations

from typing import Any

from playground.clusters.admission.schema import MAX_CAUSES, MAX_DEPTH, conform

POD = "io.k8s.api.core.v1.Pod"
CLAIM = "io.k8s.api.resource.v1.ResourceClaim"


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"deeper": value}
    return value


def a_claim(parameters: Any) -> dict[str, Any]:
    opaque = {"driver": "gpu.example.com", "parameters": parameters}
    return {"metadata": {"name": "gpu"}, "spec": {"devices": {"config": [{"opaque": opaque}]}}}


def test_every_mistake_is_told_with_its_path() -> None:
    spec = {"containers": [{"name": 5, "imagee": "nginx"}]}
    _, wrong, unknown = conform(POD, {"metadata": {"name": "web"}, "spec": spec})
    assert [cause.path for cause in wrong] == ["spec.containers[0].name"]
    assert [cause.path for cause in unknown] == ["spec.containers[0].imagee"]
    assert "did you mean 'image'?" in unknown[0].message


def test_a_manifest_of_nothing_but_mistakes_is_told_some_of_them() -> None:
    spec = {"containers": [7] * 5_000, **{f"field-{number}": 1 for number in range(5_000)}}
    clean, wrong, unknown = conform(POD, {"spec": spec})
    assert (len(wrong), len(unknown)) == (MAX_CAUSES, MAX_CAUSES)
    assert set(clean["spec"]) == {"containers"}


def test_what_the_schema_leaves_open_may_not_be_nested_without_end() -> None:
    assert conform(CLAIM, a_claim(nested(MAX_DEPTH - 2)))[1] == []
    (cause,) = conform(CLAIM, a_claim(nested(900)))[1]
    assert cause.path == "spec.devices.config[0].opaque.parameters"
    assert "nested deeper" in cause.message
