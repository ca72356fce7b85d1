"""What the server knows, in the shapes that clients ask for: aggregated or one list a group-version."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from playground.clusters.kinds import API_VERSIONS, KINDS, VERBS, Kind

Json = dict[str, Any]

# media type -> the apiVersion of its body
_AGGREGATED = {"v=v2;": "apidiscovery.k8s.io/v2", "v=v2beta1;": "apidiscovery.k8s.io/v2beta1"}
VERSION: Json = {
    "major": "1",
    "minor": "34",
    "gitVersion": "v1.34.1",
    "gitCommit": "",
    "gitTreeState": "clean",
    "buildDate": "1970-01-01T00:00:00Z",
    "goVersion": "",
    "compiler": "",
    "platform": "linux/amd64",
}


def discovery(request: HttpRequest, path: str) -> tuple[Json, str] | None:
    """(body, content type) of a discovery path, None for any other path."""
    parts = [part for part in path.split("/") if part]
    match parts:
        case ["version"]:
            return VERSION, "application/json"
        case ["api"]:
            return _legacy_root(request)
        case ["apis"]:
            return _groups_root(request)
        case ["api", "v1"]:
            return _resource_list("v1"), "application/json"
        case ["apis", group] if _versions(group):
            return _group(group), "application/json"
        case ["apis", group, version] if f"{group}/{version}" in API_VERSIONS:
            return _resource_list(f"{group}/{version}"), "application/json"
    return None


def _legacy_root(request: HttpRequest) -> tuple[Json, str]:
    aggregated = _aggregated(request, [""])
    if aggregated is not None:
        return aggregated
    addresses = [{"clientCIDR": "0.0.0.0/0", "serverAddress": request.get_host()}]
    return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": addresses}, "application/json"


def _groups_root(request: HttpRequest) -> tuple[Json, str]:
    groups = [group for group in _groups() if group]
    aggregated = _aggregated(request, groups)
    if aggregated is not None:
        return aggregated
    body = {"kind": "APIGroupList", "apiVersion": "v1", "groups": [_group(group) for group in groups]}
    return body, "application/json"


def _groups() -> list[str]:
    return list(dict.fromkeys(version.rpartition("/")[0] for version in API_VERSIONS))


def _versions(group: str) -> list[str]:
    return [version for version in API_VERSIONS if version.rpartition("/")[0] == group]


def _group(group: str) -> Json:
    versions = [{"groupVersion": each, "version": each.rpartition("/")[2]} for each in _versions(group)]
    return {
        "kind": "APIGroup",
        "apiVersion": "v1",
        "name": group,
        "versions": versions,
        "preferredVersion": versions[0],
    }


def _kinds(api_version: str) -> list[Kind]:
    return [kind for kind in KINDS.values() if kind.api_version == api_version]


def _resource_list(api_version: str) -> Json:
    resources = []
    for kind in _kinds(api_version):
        resources.append(_resource(kind))
        resources += [_subresource(kind, name) for name in kind.subresources]
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": api_version, "resources": resources}


def _resource(kind: Kind) -> Json:
    resource = {
        "name": kind.plural,
        "singularName": kind.singular,
        "namespaced": kind.namespaced,
        "kind": kind.kind,
        "verbs": list(VERBS),
    }
    if kind.short_names:
        resource["shortNames"] = list(kind.short_names)
    if kind.categories:
        resource["categories"] = list(kind.categories)
    return resource


# subresource -> (group, version, kind, verbs); None where it is the object itself
_SUBRESOURCES: dict[str, tuple[str, str, str, list[str]] | None] = {
    "status": None,
    "scale": ("autoscaling", "v1", "Scale", ["get", "patch", "update"]),
    "binding": ("", "v1", "Binding", ["create"]),
    "eviction": ("policy", "v1", "Eviction", ["create"]),
}


def _response_kind(kind: Kind, subresource: str) -> tuple[str, str, str, list[str]]:
    return _SUBRESOURCES[subresource] or (kind.group, kind.version, kind.kind, ["get", "patch", "update"])


def _subresource(kind: Kind, name: str) -> Json:
    group, version, response_kind, verbs = _response_kind(kind, name)
    described: Json = {
        "name": f"{kind.plural}/{name}",
        "singularName": "",
        "namespaced": kind.namespaced,
        "kind": response_kind,
        "verbs": verbs,
    }
    return described | ({"group": group, "version": version} if (group, version) != (kind.group, kind.version) else {})


def _aggregated(request: HttpRequest, groups: list[str]) -> tuple[Json, str] | None:
    """The whole of several groups in one answer, in the version the client names first."""
    for accepted in request.headers.get("Accept", "").split(","):
        text = accepted.replace(" ", "") + ";"
        for mark, api_version in _AGGREGATED.items():
            if "as=APIGroupDiscoveryList" in text and mark in text:
                body = {
                    "kind": "APIGroupDiscoveryList",
                    "apiVersion": api_version,
                    "metadata": {},
                    "items": [_aggregated_group(group) for group in groups],
                }
                version = api_version.rpartition("/")[2]
                return body, f"application/json;g=apidiscovery.k8s.io;v={version};as=APIGroupDiscoveryList"
    return None


def _aggregated_group(group: str) -> Json:
    versions = [
        {
            "version": api_version.rpartition("/")[2],
            "freshness": "Current",
            "resources": [_aggregated_resource(kind) for kind in _kinds(api_version)],
        }
        for api_version in _versions(group)
    ]
    return {"metadata": {"name": group}, "versions": versions}


def _aggregated_resource(kind: Kind) -> Json:
    resource: Json = {
        "resource": kind.plural,
        "responseKind": {"group": kind.group, "version": kind.version, "kind": kind.kind},
        "scope": "Namespaced" if kind.namespaced else "Cluster",
        "singularResource": kind.singular,
        "verbs": list(VERBS),
    }
    for key, values in (("shortNames", kind.short_names), ("categories", kind.categories)):
        if values:
            resource[key] = list(values)
    if kind.subresources:
        resource["subresources"] = [_aggregated_subresource(kind, name) for name in kind.subresources]
    return resource


def _aggregated_subresource(kind: Kind, name: str) -> Json:
    group, version, response_kind, verbs = _response_kind(kind, name)
    return {
        "subresource": name,
        "responseKind": {"group": group, "version": version, "kind": response_kind},
        "verbs": verbs,
    }
