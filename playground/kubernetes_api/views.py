"""The one door of /k8s/{cluster}/: address and method -> what is to be done; errors -> Status."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from playground.clusters import selectors
from playground.clusters.models import Cluster
from playground.common.errors import MethodNotAllowed
from playground.common.responses import api_error_of, error_response
from playground.kubernetes_api import reads, subresources, writes
from playground.kubernetes_api.discovery import discovery
from playground.kubernetes_api.resource_path import ResourcePath, parse_resource_path
from playground.kubernetes_api.warnings import add_warnings
from playground.kubernetes_api.watch import start_watch

_encoder = msgspec.json.Encoder()

Handler = Callable[[HttpRequest, Cluster, ResourcePath], Any]


@csrf_exempt
def kubernetes_api(request: HttpRequest, slug: str, path: str = "") -> HttpResponseBase:
    """Every address under /k8s/{cluster}/."""
    try:
        response = _answer(request, slug, path)
    except Exception as error:  # noqa: BLE001  (the surface's last line: told as a Status, logged where it is a bug)
        return error_response(request, api_error_of(error))
    add_warnings(request, response)
    return response


def _answer(request: HttpRequest, slug: str, path: str) -> HttpResponseBase:
    cluster = selectors.cluster_get(slug)
    if path.strip("/") in ("healthz", "livez", "readyz"):
        return HttpResponse("ok", content_type="text/plain")
    described = discovery(request, path)
    if described is not None:
        return _json(described[0], content_type=described[1])
    resource = parse_resource_path(path)
    if request.method == "GET" and _is_watch(request):
        return _watch(request, cluster, resource)
    handler, status = _handler(request, resource)
    return _json(handler(request, cluster, resource), status)


def _json(body: Any, status: int = 200, content_type: str = "application/json") -> HttpResponse:
    return HttpResponse(_encoder.encode(body), status=status, content_type=content_type)


def _list(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> Any:
    limit = reads.positive_parameter(request, "limit")
    reads.asked_version(request, cluster)
    page = reads.list_objects(cluster, reads.object_filter(request, path), limit, request.GET.get("continue", ""))
    return reads.list_body(path, page)


def _get(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> Any:
    reads.asked_version(request, cluster)
    return reads.get(cluster, path)


def _get_scale(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> Any:
    return subresources.get_scale(cluster, path)


_COLLECTION: dict[str, tuple[Handler, int]] = {
    "GET": (_list, 200),
    "POST": (writes.create, 201),
    "DELETE": (writes.delete_collection, 200),
}
_OBJECT: dict[str, tuple[Handler, int]] = {
    "GET": (_get, 200),
    "PUT": (writes.replace, 200),
    "PATCH": (writes.patch, 200),
    "DELETE": (writes.delete, 200),
}
_SUBRESOURCES: dict[str, dict[str, tuple[Handler, int]]] = {
    "status": {"GET": (_get, 200), "PUT": (writes.replace, 200), "PATCH": (writes.patch, 200)},
    "scale": {
        "GET": (_get_scale, 200),
        "PUT": (subresources.replace_scale, 200),
        "PATCH": (subresources.patch_scale, 200),
    },
    "binding": {"POST": (subresources.bind, 201)},
    "eviction": {"POST": (subresources.evict, 201)},
}


def _handler(request: HttpRequest, path: ResourcePath) -> tuple[Handler, int]:
    if path.subresource:
        handlers = _SUBRESOURCES[path.subresource]
    else:
        handlers = _OBJECT if path.name else _COLLECTION
    found = handlers.get(request.method or "")
    if found is None:
        raise MethodNotAllowed(
            f"the server does not allow this method on the requested resource; it allows {', '.join(handlers)}"
        )
    return found


def _is_watch(request: HttpRequest) -> bool:
    return request.GET.get("watch", "").lower() in ("1", "true")


def _watch(request: HttpRequest, cluster: Cluster, path: ResourcePath) -> StreamingHttpResponse:
    watch = start_watch(
        cluster,
        reads.object_filter(request, path),
        reads.asked_version(request, cluster),
        bookmarks=request.GET.get("allowWatchBookmarks", "").lower() in ("1", "true"),
        seconds=reads.positive_parameter(request, "timeoutSeconds"),
    )
    response = StreamingHttpResponse(watch.lines(), content_type="application/json")
    response["Cache-Control"] = "no-cache, private"
    return response
