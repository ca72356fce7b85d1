"""A scheduler extender: licences are bound to machines, and green power is preferred.

A pod with the label `licence: <product>` may only go to nodes with the label
`licence-<product>: "true"`. Nodes score by their label `power`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playground.common.errors import BadRequest
from playground.samples.requests import Json, json_endpoint

LICENCE = "licence"
POWER_SCORES = {"green": 10, "mixed": 5}


@json_endpoint
def licence_filter(args: Json) -> Json:
    """ExtenderArgs with whole nodes -> ExtenderFilterResult. A licence cannot be made by removing other pods."""
    product = _labels(args.get("Pod")).get(LICENCE, "")
    nodes = _nodes(args)
    licensed = [node for node in nodes if not product or _labels(node).get(f"licence-{product}") == "true"]
    failed = {_name(node): f"no licence for {product}" for node in nodes if node not in licensed}
    return {"Nodes": {"items": licensed}, "FailedAndUnresolvableNodes": failed}


@json_endpoint
def power_prioritize(args: Json) -> list[Json]:
    """ExtenderArgs with whole nodes -> HostPriorityList."""
    return [
        {"Host": _name(node), "Score": POWER_SCORES.get(_labels(node).get("power", ""), 0)} for node in _nodes(args)
    ]


def _nodes(args: Json) -> list[Any]:
    nodes = args.get("Nodes")
    if not isinstance(nodes, dict) or not isinstance(nodes.get("items"), list):
        raise BadRequest("expected ExtenderArgs with whole Nodes; this extender is not nodeCacheCapable")
    return nodes["items"]


def _metadata(manifest: Any) -> Mapping[str, Any]:
    metadata = manifest.get("metadata") if isinstance(manifest, dict) else None
    if not isinstance(metadata, dict):
        raise BadRequest("expected objects with metadata")
    return metadata


def _name(manifest: Any) -> str:
    return str(_metadata(manifest).get("name", ""))


def _labels(manifest: Any) -> Mapping[str, str]:
    return _metadata(manifest).get("labels") or {}
