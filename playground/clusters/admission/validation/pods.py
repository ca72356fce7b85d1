"""Pods and pod templates: containers, resources, ports, volumes, gates; placement is in placement.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playground.clusters.admission.metadata import SUBDOMAIN_LENGTH, name_causes, qualified_name_causes
from playground.clusters.admission.validation.causes import (
    Json,
    duplicate,
    forbidden,
    invalid,
    label_name,
    not_found,
    not_negative,
    parsed,
    port,
    positive,
    required,
    resource_list,
    supported,
    unique,
)
from playground.clusters.admission.validation.placement import placement
from playground.common.errors import Cause

RESTART_POLICIES = ("Always", "OnFailure", "Never")


def pod(manifest: Json) -> Iterator[Cause]:
    spec = manifest.get("spec")
    if spec is None:
        yield required("spec")
        return
    yield from pod_spec("spec", spec, manifest["metadata"].get("labels") or {})
    phases = ("Pending", "Running", "Succeeded", "Failed", "Unknown")
    yield from supported("status.phase", (manifest.get("status") or {}).get("phase"), phases)
    if spec.get("nodeName") and spec.get("schedulingGates"):
        yield forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")


def pod_spec(path: str, spec: Json, labels: Json) -> Iterator[Cause]:
    """The spec of a pod or of a template; `labels` are the pod's."""
    if not spec.get("containers"):
        yield required(f"{path}.containers")
    yield from _containers(path, spec)
    yield from supported(f"{path}.restartPolicy", spec.get("restartPolicy"), RESTART_POLICIES)
    yield from supported(
        f"{path}.dnsPolicy", spec.get("dnsPolicy"), ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")
    )
    yield from supported(f"{path}.preemptionPolicy", spec.get("preemptionPolicy"), ("Never", "PreemptLowerPriority"))
    if spec.get("nodeName"):
        yield from name_causes(spec["nodeName"], f"{path}.nodeName")
    yield from _scheduler_name(f"{path}.schedulerName", spec.get("schedulerName") or "")
    yield from not_negative(f"{path}.terminationGracePeriodSeconds", spec.get("terminationGracePeriodSeconds"))
    yield from positive(f"{path}.activeDeadlineSeconds", spec.get("activeDeadlineSeconds"))
    yield from resource_list(f"{path}.overhead", spec.get("overhead"))
    yield from _resources(f"{path}.resources", spec.get("resources") or {})
    yield from _volumes(path, spec)
    yield from _gates(path, spec)
    yield from _claims(path, spec)
    yield from placement(path, spec, labels)


def _scheduler_name(path: str, name: str) -> Iterator[Cause]:
    if len(name) > SUBDOMAIN_LENGTH or not name.isprintable():
        yield invalid(path, name, f"must be printable and no more than {SUBDOMAIN_LENGTH} characters")


def _containers(path: str, spec: Json) -> Iterator[Cause]:
    names: list[tuple[str, str]] = []
    for field in ("initContainers", "containers"):
        for i, container in enumerate(spec.get(field) or ()):
            where = f"{path}.{field}[{i}]"
            names.append((f"{where}.name", container.get("name", "")))
            yield from _container(where, container, spec)
            if field == "initContainers":
                yield from supported(f"{where}.restartPolicy", container.get("restartPolicy"), ("Always",))
    seen: set[str] = set()
    for where, name in names:
        if name and name in seen:
            yield duplicate(where, name)
        seen.add(name)
    yield from _host_ports(path, spec)


def _container(path: str, container: Json, spec: Json) -> Iterator[Cause]:
    yield from label_name(f"{path}.name", container.get("name"))
    if not container.get("image"):
        yield required(f"{path}.image")
    elif container["image"] != container["image"].strip():
        yield invalid(f"{path}.image", container["image"], "must not have leading or trailing whitespace")
    policies = ("Always", "IfNotPresent", "Never")
    yield from supported(f"{path}.imagePullPolicy", container.get("imagePullPolicy"), policies)
    yield from _resources(f"{path}.resources", container.get("resources") or {})
    for i, each in enumerate(container.get("ports") or ()):
        yield from _container_port(f"{path}.ports[{i}]", each, bool(spec.get("hostNetwork")))
    yield from _volume_mounts(path, container, spec)


def _container_port(path: str, value: Json, host_network: bool) -> Iterator[Cause]:
    number = value.get("containerPort")
    if number in (None, 0):
        yield required(f"{path}.containerPort")
    yield from port(f"{path}.containerPort", number or None)
    yield from port(f"{path}.hostPort", value.get("hostPort"), lowest=0)
    yield from supported(f"{path}.protocol", value.get("protocol"), ("TCP", "UDP", "SCTP"))
    if host_network and value.get("hostPort") not in (None, 0, number):
        yield invalid(f"{path}.containerPort", number, "must match `hostPort` when `hostNetwork` is true")


def _host_ports(path: str, spec: Json) -> Iterator[Cause]:
    for i, container in enumerate(spec.get("containers") or ()):
        ports = [
            (j, (each.get("protocol", "TCP"), each.get("hostIP", ""), each["hostPort"]))
            for j, each in enumerate(container.get("ports") or ())
            if each.get("hostPort")
        ]
        yield from unique(f"{path}.containers[{i}].ports", ports, "hostPort")


def _resources(path: str, resources: Json) -> Iterator[Cause]:
    requests, limits = resources.get("requests") or {}, resources.get("limits") or {}
    yield from resource_list(f"{path}.requests", requests)
    yield from resource_list(f"{path}.limits", limits)
    for name, text in requests.items():
        yield from _request(path, name, text, limits.get(name))
    for name, text in limits.items():
        if _is_extended(name) and parsed(text).nano % 10**9:
            yield invalid(f"{path}.limits[{name}]", text, "must be an integer")


def _request(path: str, name: str, text: Any, limit: Any) -> Iterator[Cause]:
    where = f"{path}.requests[{name}]"
    if _is_extended(name) and parsed(text).nano % 10**9:
        yield invalid(where, text, "must be an integer")
    if limit is None:
        if _is_extended(name) or name.startswith("hugepages-"):
            yield required(f"{path}.limits[{name}]", "Limit must be set for non overcommitable resources")
    elif parsed(text).nano > parsed(limit).nano:
        yield invalid(where, text, f"must be less than or equal to {name} limit of {limit}")
    elif _is_extended(name) and parsed(text).nano != parsed(limit).nano:
        yield invalid(where, text, f"must be equal to {name} limit of {limit}")


def _is_extended(name: str) -> bool:
    """`nvidia.com/gpu`: a resource of somebody's own, counted in pieces."""
    return "/" in name and not name.startswith(("kubernetes.io/", "requests."))


def _volumes(path: str, spec: Json) -> Iterator[Cause]:
    volumes = spec.get("volumes") or ()
    for i, volume in enumerate(volumes):
        yield from label_name(f"{path}.volumes[{i}].name", volume.get("name"))
        if len(volume) > 2:
            yield forbidden(f"{path}.volumes[{i}]", "may not specify more than 1 volume type")
    yield from unique(f"{path}.volumes", ((i, volume.get("name")) for i, volume in enumerate(volumes)), "name")


def _volume_mounts(path: str, container: Json, spec: Json) -> Iterator[Cause]:
    known = {volume.get("name") for volume in spec.get("volumes") or ()}
    mounts = container.get("volumeMounts") or ()
    for i, mount in enumerate(mounts):
        if not mount.get("mountPath"):
            yield required(f"{path}.volumeMounts[{i}].mountPath")
        if mount.get("name") not in known:
            yield not_found(f"{path}.volumeMounts[{i}].name", mount.get("name"))
    paths = ((i, mount.get("mountPath")) for i, mount in enumerate(mounts))
    for cause in unique(f"{path}.volumeMounts", paths, "mountPath"):
        yield Cause(path=cause.path, message=cause.message.replace("Duplicate", "Invalid") + ": must be unique")


def _gates(path: str, spec: Json) -> Iterator[Cause]:
    gates = spec.get("schedulingGates") or ()
    for i, gate in enumerate(gates):
        yield from qualified_name_causes(gate.get("name", ""), f"{path}.schedulingGates[{i}].name")
    yield from unique(f"{path}.schedulingGates", ((i, gate.get("name")) for i, gate in enumerate(gates)))


def _claims(path: str, spec: Json) -> Iterator[Cause]:
    claims = spec.get("resourceClaims") or ()
    for i, claim in enumerate(claims):
        where = f"{path}.resourceClaims[{i}]"
        yield from label_name(f"{where}.name", claim.get("name"))
        if bool(claim.get("resourceClaimName")) == bool(claim.get("resourceClaimTemplateName")):
            yield invalid(where, claim, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`")
    yield from unique(f"{path}.resourceClaims", ((i, claim.get("name")) for i, claim in enumerate(claims)), "name")
