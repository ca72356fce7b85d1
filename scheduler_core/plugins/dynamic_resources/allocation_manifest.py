"""An allocation as a ResourceClaim's status holds it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from scheduler_core.plugins.dynamic_resources.allocator import Picked


def allocation_manifest(node_name: str, picked: Sequence[Picked]) -> dict[str, Any]:
    """JSON values only: it travels to the binding cycle and into the claim."""
    manifest: dict[str, Any] = {"devices": {"results": [_result(each) for each in picked]}}
    selector = _node_selector(node_name, picked)
    if selector is not None:
        manifest["nodeSelector"] = selector
    return manifest


def _result(picked: Picked) -> dict[str, Any]:
    driver, pool, device = picked.device.id
    result: dict[str, Any] = {"request": picked.ask.name, "driver": driver, "pool": pool, "device": device}
    if picked.ask.body.admin_access:
        result["adminAccess"] = True
    return result


def _node_selector(node_name: str, picked: Iterable[Picked]) -> dict[str, Any] | None:
    """Where all of the devices can be used: the node itself, or what their slices select."""
    expressions: list[Any] = []
    fields: list[Any] = []
    for each in picked:
        device = each.device
        if device.all_nodes:
            continue
        if device.node_selector is None:
            return {"nodeSelectorTerms": [{"matchFields": [_named(node_name)]}]}
        # Slices select by exactly one term.
        for term in msgspec.to_builtins(device.node_selector).get("nodeSelectorTerms", [])[:1]:
            expressions += [every for every in term.get("matchExpressions", ()) if every not in expressions]
            fields += [every for every in term.get("matchFields", ()) if every not in fields]
    if not expressions and not fields:
        return None
    term = {"matchExpressions": expressions} if expressions else {}
    return {"nodeSelectorTerms": [{**term, "matchFields": fields} if fields else term]}


def _named(node_name: str) -> dict[str, Any]:
    return {"key": "metadata.name", "operator": "In", "values": [node_name]}
