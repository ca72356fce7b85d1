from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.objects.wire_manifest import canonical_text, wire_node, wire_pod


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("0", "0"),
        ("1000m", "1"),
        ("0.5", "500m"),
        ("1.5", "1500m"),
        ("100m", "100m"),
        ("1500000n", "1500u"),
        ("1000", "1k"),
        ("1024", "1024"),
        ("128974848", "128974848"),
        ("1024Mi", "1Gi"),
        ("1.5Gi", "1536Mi"),
        ("64Mi", "64Mi"),
        ("1000Ki", "1000Ki"),
        ("1e3", "1e3"),
        ("12e6", "12e6"),
        ("5000M", "5G"),
        ("110", "110"),
        (4, "4"),
    ],
)
def test_quantities_are_canonical(written: Any, canonical: str) -> None:
    assert canonical_text(written) == canonical


def test_parts_that_are_values_in_go_are_always_there() -> None:
    pod = wire_pod({"metadata": {"name": "web"}, "spec": {"containers": [{"name": "c"}], "initContainers": [{}]}})
    assert pod == {
        "kind": "Pod",
        "apiVersion": "v1",
        "metadata": {"name": "web"},
        "spec": {"containers": [{"name": "c", "resources": {}}], "initContainers": [{"resources": {}}]},
        "status": {},
    }


def test_what_a_node_says_of_itself_stays_and_the_rest_is_empty() -> None:
    node = wire_node({"metadata": {"name": "n1"}, "status": {"nodeInfo": {"architecture": "arm64"}}})
    assert node["spec"] == {}
    assert (node["status"]["nodeInfo"]["architecture"], node["status"]["nodeInfo"]["osImage"]) == ("arm64", "")
    assert node["status"]["daemonEndpoints"] == {"kubeletEndpoint": {"Port": 0}}


def test_the_manifest_itself_is_left_alone_and_managed_fields_are_not_sent() -> None:
    manifest = {
        "kind": "Pod",
        "metadata": {"name": "web", "managedFields": [{"manager": "kubectl"}]},
        "spec": {"containers": [{"resources": {"requests": {"cpu": "1000m"}}}]},
    }
    sent = wire_pod(manifest)
    assert sent["spec"]["containers"][0]["resources"]["requests"] == {"cpu": "1"}
    assert "managedFields" not in sent["metadata"]
    assert manifest["spec"]["containers"][0]["resources"]["requests"] == {"cpu": "1000m"}
