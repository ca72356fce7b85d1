"""Whole objects as JSON, for extenders: they are sent what the engine itself does not read.

Kept for schedulers with extenders only, as bytes: a tenth of what dicts take.
Whoever feeds the scheduler its changes feeds the manifests here. An object that
was not fed is sent as far as the engine knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from scheduler_core.objects.model import KubernetesObject
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.quantity import Quantity
from scheduler_core.objects.wire_manifest import wire_node, wire_pod

_WIRE: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {"Pod": wire_pod, "Node": wire_node}


class Manifests:
    """Pods and nodes; see `framework.extenders.ManifestSource`."""

    def __init__(self) -> None:
        # (kind, namespace/name or name) -> JSON.
        self._stored: dict[tuple[str, str], bytes] = {}

    def __len__(self) -> int:
        return len(self._stored)

    def put(self, manifest: Mapping[str, Any]) -> None:
        """Objects of other kinds are of no interest."""
        wire = _WIRE.get(manifest.get("kind", ""))
        if wire is not None:
            self._stored[_key(manifest)] = msgspec.json.encode(wire(manifest))

    def remove(self, manifest: Mapping[str, Any]) -> None:
        self._stored.pop(_key(manifest), None)

    def pod(self, pod: PodInfo) -> bytes:
        return self._stored.get(("Pod", pod.key)) or _known(wire_pod, pod.pod)

    def node(self, node: Node) -> bytes:
        return self._stored.get(("Node", node.metadata.name)) or _known(wire_node, node)


def _key(manifest: Mapping[str, Any]) -> tuple[str, str]:
    metadata, kind = manifest.get("metadata") or {}, manifest.get("kind", "")
    name = metadata.get("name", "")
    return kind, f"{metadata.get('namespace') or 'default'}/{name}" if kind == "Pod" else name


def _known(wire: Callable[[Mapping[str, Any]], dict[str, Any]], decoded: KubernetesObject) -> bytes:
    manifest = msgspec.to_builtins(decoded, enc_hook=_quantity_text)
    return msgspec.json.encode(wire(manifest))


def _quantity_text(value: Any) -> str:
    if isinstance(value, Quantity):
        return value.text
    raise NotImplementedError(f"no text for {type(value).__name__}")
