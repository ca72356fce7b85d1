"""Device claims: every rule, by an object that breaks it; an expression is compiled before it is stored."""

from __future__ import annotations

from typing import Any

import pytest

from tests.playground.clusters.admission.test_validation import causes_of

Json = dict[str, Any]
PATH = "spec.devices.requests[0]"


def claim(*requests: Json) -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "gpu"},
        "spec": {"devices": {"requests": list(requests)}},
    }


def exactly(**fields: Any) -> Json:
    return {"name": "a", "exactly": {"deviceClassName": "gpu", **fields}}


def selecting(expression: str) -> list[Json]:
    return [{"cel": {"expression": expression}}]


def test_a_claim_is_taken_with_its_defaults() -> None:
    assert causes_of(claim(exactly(), {**exactly(selectors=selecting("device.driver == 'x'")), "name": "b"})) == {}


@pytest.mark.parametrize(
    ("request_", "path", "words"),
    [
        ({"name": "a"}, PATH, "exactly one of"),
        (exactly(deviceClassName=""), f"{PATH}.exactly.deviceClassName", "Required value"),
        (exactly(allocationMode="Some"), f"{PATH}.exactly.allocationMode", "Unsupported value"),
        (exactly(count=-1), f"{PATH}.exactly.count", "must be greater than zero"),
        (exactly(allocationMode="All", count=2), f"{PATH}.exactly.count", "must not be specified"),
        (exactly(selectors=selecting("device.driver ==")), f"{PATH}.exactly.selectors[0].cel.expression", "CEL comp"),
        (exactly(selectors=selecting("1 + 1")), f"{PATH}.exactly.selectors[0].cel.expression", "must be a boolean"),
        (exactly(selectors=[{}]), f"{PATH}.exactly.selectors[0].cel.expression", "Required value"),
    ],
)  # fmt: skip
def test_a_request_that_cannot_be_served_names_its_field(request_: Json, path: str, words: str) -> None:
    causes = causes_of(claim(request_))
    assert list(causes) == [path]
    assert words in causes[path]


def test_two_requests_of_a_name_and_too_many_are_refused() -> None:
    assert "spec.devices.requests[1].name" in causes_of(claim(exactly(), exactly()))
    many = [{**exactly(), "name": f"r{i}"} for i in range(33)]
    assert causes_of(claim(*many)) == {"spec.devices.requests": "Too many: 33: must have at most 32 items"}


def test_classes_and_templates_are_read_too() -> None:
    head = {"apiVersion": "resource.k8s.io/v1", "metadata": {"name": "gpu"}}
    device_class = {**head, "kind": "DeviceClass", "spec": {"selectors": selecting("nonsense(")}}
    template = {**head, "kind": "ResourceClaimTemplate", "spec": {"spec": claim({"name": "a"})["spec"]}}
    assert list(causes_of(device_class)) == ["spec.selectors[0].cel.expression"]
    assert list(causes_of(template)) == ["spec.spec.devices.requests[0]"]
