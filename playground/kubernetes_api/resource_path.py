"""What a URL under /k8s/{cluster}/ means."""

from __future__ import annotations

from dataclasses import dataclass

from playground.clusters.kinds import Kind, kind_of_resource
from playground.common.errors import NotFound

# Subresources of a namespace itself, where `namespaces/{name}/{x}` would else be a resource x in it.
_OF_NAMESPACE = frozenset({"status", "finalize"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourcePath:
    """`api/v1/namespaces/default/pods/web/binding`, taken apart."""

    kind: Kind
    # "": all namespaces, or a kind without.
    namespace: str = ""
    # "": the collection.
    name: str = ""
    subresource: str = ""


def nothing_here() -> NotFound:
    return NotFound("the server could not find the requested resource")


def parse_resource_path(path: str) -> ResourcePath:
    """Raises NotFound for what is no resource."""
    if not path.isprintable():
        raise nothing_here()
    parts = [part for part in path.split("/") if part]
    if parts[:1] == ["api"] and len(parts) >= 3:
        api_version, rest = parts[1], parts[2:]
    elif parts[:1] == ["apis"] and len(parts) >= 4:
        api_version, rest = f"{parts[1]}/{parts[2]}", parts[3:]
    else:
        raise nothing_here()
    namespace = ""
    if rest[0] == "namespaces" and len(rest) > 2 and rest[2] not in _OF_NAMESPACE:
        namespace, rest = rest[1], rest[2:]
    return _resource(api_version, namespace, rest)


def _resource(api_version: str, namespace: str, rest: list[str]) -> ResourcePath:
    if api_version == "v1" and rest == ["bindings"] and namespace:
        # The old address of binding: the pod is named in the body.
        rest = ["pods", "", "binding"]
    kind = kind_of_resource(api_version, rest[0])
    if kind is None or len(rest) > 3 or (namespace and not kind.namespaced):
        raise nothing_here()
    name = rest[1] if len(rest) > 1 else ""
    subresource = rest[2] if len(rest) > 2 else ""
    if subresource and subresource not in kind.subresources:
        raise nothing_here()
    if name and kind.namespaced and not namespace:
        raise nothing_here()
    return ResourcePath(kind=kind, namespace=namespace, name=name, subresource=subresource)
