"""From a Kubernetes manifest (a dict) to a typed object, or an error that names the field.

Unknown fields are ignored; a wrong type, a missing required field or a bad
quantity is not. `null` means absent, as in Kubernetes: the plain path does not
pay for that, nulls are taken out only when decoding failed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from scheduler_core.objects import node, pod, pod_group, resource_claims, storage, workloads
from scheduler_core.objects.model import KubernetesObject
from scheduler_core.objects.quantity import Quantity, quantity

T = TypeVar("T")

# Deeper than any real manifest.
MAX_DEPTH = 100
# Maps larger than this do not get their bad key named.
MAX_KEYS_TRIED = 200

_HIDDEN_KEY = "[...]"
_STEP = re.compile(r"([A-Za-z]\w*)|\[(\d+)\]", re.ASCII)

KINDS: Mapping[str, type[KubernetesObject]] = {
    kind.__name__: kind
    for kind in (
        pod.Pod,
        node.Node,
        node.Namespace,
        workloads.Service,
        workloads.ReplicationController,
        workloads.ReplicaSet,
        workloads.StatefulSet,
        workloads.Deployment,
        workloads.DaemonSet,
        workloads.Job,
        workloads.PodDisruptionBudget,
        workloads.PriorityClass,
        pod_group.PodGroup,
        storage.PersistentVolume,
        storage.PersistentVolumeClaim,
        storage.StorageClass,
        storage.CSINode,
        storage.CSIDriver,
        storage.CSIStorageCapacity,
        storage.VolumeAttachment,
        resource_claims.ResourceClaim,
        resource_claims.ResourceClaimTemplate,
        resource_claims.ResourceSlice,
        resource_claims.DeviceClass,
    )
}


class DecodeError(ValueError):
    """A manifest the engine cannot read: where, and what is wrong."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        # Like `spec.containers[0].resources.requests`; "" for the object itself.
        self.path = path
        self.message = message


def decode(manifest: Mapping[str, Any]) -> KubernetesObject:
    """The object a manifest describes. Raises DecodeError."""
    if not isinstance(manifest, Mapping):
        raise DecodeError("", f"expected an object, got {type(manifest).__name__}")
    kind = manifest.get("kind")
    if not isinstance(kind, str):
        raise DecodeError("kind", "must be the name of a kind, such as Pod")
    known = KINDS.get(kind)
    if known is None:
        raise DecodeError("kind", f"{kind!r} is not a kind the scheduler reads; it reads {', '.join(sorted(KINDS))}")
    return decode_as(known, manifest)


def decode_as(type_: type[T], value: Any) -> T:
    """`value` as one of the struct types of this package. Raises DecodeError."""
    try:
        return _convert(type_, value)
    except msgspec.ValidationError:
        pass
    copy = _without_nulls(value, MAX_DEPTH)
    try:
        return _convert(type_, copy)
    except msgspec.ValidationError as failure:
        path, message = _path_and_message(failure)
        raise DecodeError(_with_key(path, type_, copy), message) from None


def _convert(type_: type[T], value: Any) -> T:
    return msgspec.convert(value, type_, dec_hook=_decode_quantity)


def _decode_quantity(type_: type, value: Any) -> Any:
    if type_ is not Quantity:
        raise NotImplementedError(f"no decoder for {type_.__name__}")
    if isinstance(value, Quantity):
        return value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"expected a quantity such as 500m or 1Gi, got {type(value).__name__}")
    return quantity(value)


def _without_nulls(value: Any, depth: int) -> Any:
    if depth == 0:
        raise DecodeError("", f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        return {key: _without_nulls(inner, depth - 1) for key, inner in value.items() if inner is not None}
    if isinstance(value, list | tuple):
        return [_without_nulls(inner, depth - 1) for inner in value if inner is not None]
    return value


def _path_and_message(failure: msgspec.ValidationError) -> tuple[str, str]:
    message, _, path = str(failure).partition(" - at `$")
    return path.rstrip("`").removeprefix("."), message.replace("`", "")


def _with_key(path: str, type_: type, copy: Any) -> str:
    """The path with the name of the key that msgspec leaves out (`labels[...]`).

    `copy` is taken apart: the key is the one that fails alone, too.
    """
    before, hidden, after = path.partition(_HIDDEN_KEY)
    holder = _at(copy, before) if hidden else None
    if not isinstance(holder, dict) or len(holder) > MAX_KEYS_TRIED:
        return path
    for key, value in list(holder.items()):
        holder.clear()
        holder[key] = value
        try:
            _convert(type_, copy)
        except msgspec.ValidationError:
            return f'{before}["{key}"]{after}'
    return path


def _at(value: Any, path: str) -> Any:
    for name, index in _STEP.findall(path):
        value = value[int(index)] if index else value[name]
    return value
