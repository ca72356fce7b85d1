"""A stored manifest as Kubernetes' own Go types print it.

The stored JSON leaves out what is empty. A Go program that has read it writes
some of that back: parts that are values and not pointers are always there
(`resources: {}`, `status: {}`, the node's `nodeInfo`), and quantities come in
their canonical form. Services that are sent such objects rely on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from scheduler_core.objects.quantity import NANO, quantity

_NODE_INFO = (
    "machineID",
    "systemUUID",
    "bootID",
    "kernelVersion",
    "osImage",
    "containerRuntimeVersion",
    "kubeletVersion",
    "kubeProxyVersion",
    "operatingSystem",
    "architecture",
)
_BINARY_SUFFIXES = ("Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_LARGE_SUFFIXES = ("k", "M", "G", "T", "P", "E")
_SMALL_SUFFIXES = ((1, "n"), (1_000, "u"), (1_000_000, "m"))


def wire_pod(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest itself is left as it is."""
    spec = dict(manifest.get("spec") or {})
    spec["containers"] = _containers(spec.get("containers") or ())
    for more in ("initContainers", "ephemeralContainers"):
        if spec.get(more):
            spec[more] = _containers(spec[more])
    if spec.get("overhead"):
        spec["overhead"] = wire_quantities(spec["overhead"])
    if spec.get("resources"):
        spec["resources"] = _resources(spec["resources"])
    return _wire_object(manifest, "Pod", spec, dict(manifest.get("status") or {}))


def wire_node(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest itself is left as it is."""
    status = dict(manifest.get("status") or {})
    for amounts in ("capacity", "allocatable"):
        if status.get(amounts):
            status[amounts] = wire_quantities(status[amounts])
    status.setdefault("daemonEndpoints", {"kubeletEndpoint": {"Port": 0}})
    status["nodeInfo"] = {**dict.fromkeys(_NODE_INFO, ""), **(status.get("nodeInfo") or {})}
    return _wire_object(manifest, "Node", dict(manifest.get("spec") or {}), status)


def _wire_object(
    manifest: Mapping[str, Any], kind: str, spec: dict[str, Any], status: dict[str, Any]
) -> dict[str, Any]:
    # Only the API server has a use for `managedFields`, and schedulers drop them on arrival.
    metadata = {key: value for key, value in (manifest.get("metadata") or {}).items() if key != "managedFields"}
    return {"kind": kind, "apiVersion": "v1", "metadata": metadata, "spec": spec, "status": status}


def _containers(containers: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{**each, "resources": _resources(each.get("resources") or {})} for each in containers]


def _resources(resources: Mapping[str, Any]) -> dict[str, Any]:
    amounts = {key: wire_quantities(resources[key]) for key in ("limits", "requests") if resources.get(key)}
    return {**resources, **amounts}


def wire_quantities(amounts: Mapping[str, Any]) -> dict[str, str]:
    return {name: canonical_text(amount) for name, amount in amounts.items()}


def canonical_text(text: str | int | float) -> str:
    """`1024Mi` is `1Gi`, `0.5` is `500m`, `1000m` is `1`: no fraction, the largest suffix of its own family."""
    nano = quantity(text).nano
    written = str(text)
    if written.endswith(_BINARY_SUFFIXES) and nano % NANO == 0 and abs(nano) >= 1024 * NANO:
        return _with_suffix(nano // NANO, 1024, _BINARY_SUFFIXES)
    if nano % NANO:
        unit, suffix = next((unit, suffix) for unit, suffix in reversed(_SMALL_SUFFIXES) if nano % unit == 0)
        return f"{nano // unit}{suffix}"
    if written.lower().lstrip("+-").replace(".", "").isdigit() or not _has_exponent(written):
        return _with_suffix(nano // NANO, 1000, _LARGE_SUFFIXES)
    return _with_exponent(nano // NANO)


def _with_suffix(amount: int, step: int, suffixes: tuple[str, ...]) -> str:
    suffix = ""
    for larger in suffixes:
        if not amount or amount % step:
            break
        amount, suffix = amount // step, larger
    return f"{amount}{suffix}"


def _has_exponent(written: str) -> bool:
    mantissa, mark, exponent = written.lower().partition("e")
    return bool(mark and mantissa and exponent)


def _with_exponent(amount: int) -> str:
    power = 0
    while amount and amount % 1000 == 0:
        amount, power = amount // 1000, power + 3
    return f"{amount}e{power}" if power else str(Fraction(amount))
