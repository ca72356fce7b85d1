"""Services, ConfigMaps, Events."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playground.clusters.admission.metadata import label_causes, uid_causes
from playground.clusters.admission.validation.causes import Json, invalid, port, required, supported, unique
from playground.common.errors import Cause

_KEY_RULE = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
_CONFIG_KEY = re.compile(r"[-._a-zA-Z0-9]{1,253}")


def service(manifest: Json) -> Iterator[Cause]:
    spec = manifest.get("spec") or {}
    ports = spec.get("ports") or ()
    yield from supported("spec.type", spec.get("type"), ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort"))
    yield from label_causes(spec.get("selector") or {}, "spec.selector")
    if not ports and spec.get("clusterIP") != "None" and spec.get("type") != "ExternalName":
        yield required("spec.ports")
    for i, each in enumerate(ports):
        path = f"spec.ports[{i}]"
        if "port" not in each:
            yield required(f"{path}.port")
        yield from port(f"{path}.port", each.get("port"))
        yield from port(f"{path}.targetPort", each.get("targetPort"))
        yield from supported(f"{path}.protocol", each.get("protocol"), ("TCP", "UDP", "SCTP"))
        if len(ports) > 1 and not each.get("name"):
            yield required(f"{path}.name")
    yield from unique("spec.ports", ((i, each["name"]) for i, each in enumerate(ports) if each.get("name")), "name")


def config_map(manifest: Json) -> Iterator[Cause]:
    for key in manifest.get("data") or {}:
        if not _CONFIG_KEY.fullmatch(key):
            yield invalid(
                f"data[{key}]", key, "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
            )


def event(manifest: Json) -> Iterator[Cause]:
    regarding = manifest.get("involvedObject") or {}
    yield from uid_causes(regarding.get("uid", ""), "involvedObject.uid")
