"""scale, binding, eviction: what is not the object itself."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest

from playground.clusters.admission.metadata import name_causes
from playground.clusters.admission.schema import conform
from playground.clusters.models import Cluster
from playground.clusters.services.disruption import pod_evict
from playground.clusters.services.objects import object_patch
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import ApiError, BadRequest, Invalid
from playground.kubernetes_api.bodies import read_object
from playground.kubernetes_api.reads import get
from playground.kubernetes_api.resource_path import ResourcePath
from playground.kubernetes_api.writes import delete_options, is_dry_run, read_patch, success, write

Manifest = dict[str, Any]

_SCALE = "io.k8s.api.autoscaling.v1.Scale"
_BINDING = "io.k8s.api.core.v1.Binding"
_EVICTION = "io.k8s.api.policy.v1.Eviction"


def _read(definition: str, value: Any) -> Manifest:
    """Raises BadRequest where `value` is not of the definition's shape."""
    clean, wrong, unknown = conform(definition, value)
    causes = [*wrong, *unknown]
    if causes:
        raise BadRequest(f"{causes[0].path}: {causes[0].message}", causes)
    body: Manifest = clean
    return body


# scale


def scale_of(manifest: Manifest) -> Manifest:
    metadata, spec, status = manifest["metadata"], manifest.get("spec") or {}, manifest.get("status") or {}
    kept = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
    return {
        "kind": "Scale",
        "apiVersion": "autoscaling/v1",
        "metadata": {key: metadata[key] for key in kept if key in metadata},
        "spec": {"replicas": spec.get("replicas", 0)},
        "status": {"replicas": status.get("replicas", 0), "selector": _selector_text(spec.get("selector"))},
    }


def _selector_text(selector: Any) -> str:
    """A selector as a query writes it."""
    if not isinstance(selector, dict):
        return ""
    labels = selector if not {"matchLabels", "matchExpressions"} & set(selector) else selector.get("matchLabels") or {}
    terms = [f"{key}={value}" for key, value in sorted(labels.items())]
    for each in selector.get("matchExpressions") or ():
        values = ",".join(each.get("values") or ())
        terms.append(
            {
                "In": f"{each['key']} in ({values})",
                "NotIn": f"{each['key']} notin ({values})",
                "Exists": each["key"],
                "DoesNotExist": f"!{each['key']}",
            }[each["operator"]]
        )
    return ",".join(terms)


def get_scale(cluster: Cluster, path: ResourcePath) -> Manifest:
    return scale_of(get(cluster, path))


def replace_scale(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> Manifest:
    wanted = _read(_SCALE, read_object(request))
    return _scale(request, cluster, path, lambda current: wanted)


def patch_scale(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> Manifest:
    return _scale(request, cluster, path, read_patch(request, _SCALE))


def _scale(request: HttpRequest, cluster: Cluster, path: ResourcePath, change: Any) -> Manifest:
    def scaled(manifest: Manifest) -> Manifest:
        wanted = _read(_SCALE, change(scale_of(manifest)))
        manifest["spec"]["replicas"] = (wanted.get("spec") or {}).get("replicas", 0)
        version = (wanted.get("metadata") or {}).get("resourceVersion")
        if version:
            manifest["metadata"]["resourceVersion"] = version
        return manifest

    work = partial(object_patch, kind=path.kind.kind, namespace=path.namespace, name=path.name, change=scaled)
    return scale_of(write(request, cluster, work))


# binding


def bind(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> Manifest:
    body = _read(_BINDING, read_object(request))
    metadata, target = body.get("metadata") or {}, body.get("target") or {}
    name = path.name or metadata.get("name", "")
    if metadata.get("name", name) != name:
        raise BadRequest(f"the name of the object ({metadata['name']}) does not match the name on the URL ({name})")
    if target.get("kind", "Node") not in ("", "Node", "Minion"):
        raise BadRequest(f'target.kind: Unsupported value: "{target["kind"]}": supported values: "Node"')
    wrong = name_causes(target["name"], "target.name") if target.get("name") else []
    if wrong:
        raise Invalid(f'Binding "{name}" is invalid: {wrong[0].path}: {wrong[0].message}', wrong)
    binding = PodBinding(
        namespace=path.namespace,
        name=name,
        uid=metadata.get("uid", ""),
        node_name=target.get("name", ""),
        annotations=metadata.get("annotations") or {},
        repeatable=False,
    )
    with cluster_transaction(cluster.pk, dry_run=is_dry_run(request)) as tx:
        (result,) = pod_bind_many(tx, bindings=[binding])
        if isinstance(result, ApiError):
            raise result
    return success()


# eviction


def evict(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> Manifest:
    body = _read(_EVICTION, read_object(request))
    options = delete_options(request, body.get("deleteOptions") or {})
    with cluster_transaction(cluster.pk, dry_run=is_dry_run(request)) as tx:
        pod_evict(tx, namespace=path.namespace, name=path.name, options=options)
    return success()
