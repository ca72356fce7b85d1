"""cel-plugins/: scheduler plugins of a cluster, written as CEL expressions; cel-examples/ to begin with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters.models import Cluster
from playground.clusters.selectors import cluster_get
from playground.common.errors import BadRequest
from playground.scheduling.api.answers import PROBLEM, an_object, described, json_answer
from playground.scheduling.services.cel_plugins import (
    CelCheck,
    cel_plugin_check,
    cel_plugin_create,
    cel_plugin_delete,
    cel_plugin_get,
    cel_plugin_replace,
    cel_plugins_list,
)
from playground.scheduling.services.would_fit import manifest_completed, manifest_stored, pod_pending
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.cel import CEL_EXAMPLES, VARIABLES, CelPluginDefinition


class CelPluginList(msgspec.Struct, kw_only=True):
    plugins: list[CelPluginDefinition]


class CelCheckBody(msgspec.Struct, kw_only=True):
    """A definition, and a pod to try it with: a manifest, or the name of one that is there."""

    name: str = ""
    filter: str = ""
    score: str = ""
    message: str = ""
    pod: dict[str, Any] | None = None
    pod_namespace: str = "default"
    pod_name: str = ""


class CelVariable(msgspec.Struct, kw_only=True):
    """What an expression may read."""

    name: str
    # As CEL writes it: map(string, int).
    type: str


class CelExampleCard(msgspec.Struct, kw_only=True):
    description: str
    plugin: CelPluginDefinition


class CelExamples(msgspec.Struct, kw_only=True):
    examples: list[CelExampleCard]
    variables: list[CelVariable]


class CelPluginsView(APIView):
    @extend_schema(
        operation_id="cel_plugins_list",
        responses={200: described(CelPluginList), 404: PROBLEM},
        summary="Scheduler plugins that were written for this cluster in CEL",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return json_answer(CelPluginList(plugins=cel_plugins_list(cluster=cluster_get(slug))))

    @extend_schema(
        operation_id="cel_plugins_create",
        request=described(CelPluginDefinition),
        responses={201: described(CelPluginDefinition), 400: PROBLEM, 404: PROBLEM, 409: PROBLEM, 422: PROBLEM},
        summary="Write a plugin: a filter expression, a score expression, or both",
        description="It runs once a profile names it. Details of an error have the field, and line and column in it.",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        return json_answer(cel_plugin_create(cluster=cluster_get(slug), values=an_object(request.data)), status=201)


class CelPluginView(APIView):
    @extend_schema(
        operation_id="cel_plugins_retrieve",
        responses={200: described(CelPluginDefinition), 404: PROBLEM},
        summary="One plugin",
    )
    def get(self, request: Request, slug: str, name: str) -> HttpResponse:
        return json_answer(cel_plugin_get(cluster=cluster_get(slug), name=name))

    @extend_schema(
        operation_id="cel_plugins_update",
        request=described(CelPluginDefinition),
        responses={200: described(CelPluginDefinition), 400: PROBLEM, 404: PROBLEM, 409: PROBLEM, 422: PROBLEM},
        summary="Write it anew; used from the next slice of cycles on",
    )
    def put(self, request: Request, slug: str, name: str) -> HttpResponse:
        values = an_object(request.data)
        return json_answer(cel_plugin_replace(cluster=cluster_get(slug), name=name, values=values))

    @extend_schema(
        operation_id="cel_plugins_destroy",
        responses={204: None, 404: PROBLEM, 409: PROBLEM},
        summary="Delete it; refused while a profile names it",
    )
    def delete(self, request: Request, slug: str, name: str) -> HttpResponse:
        cel_plugin_delete(cluster=cluster_get(slug), name=name)
        return HttpResponse(status=204)


class CelCheckView(APIView):
    @extend_schema(
        operation_id="cel_plugins_check",
        request=described(CelCheckBody),
        responses={200: described(CelCheck), 400: PROBLEM, 404: PROBLEM, 422: PROBLEM},
        summary="Try a definition without storing it",
        description=(
            "Tells what the compiler has against it, with line and column; with a pod, also what it says about every "
            "node as the cluster stands."
        ),
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        body = an_object(request.data)
        cluster = cluster_get(slug)
        values = {name: value for name, value in body.items() if name not in _POD_FIELDS}
        return json_answer(cel_plugin_check(cluster=cluster, values=values, pod=_pod(cluster, body)))


class CelExamplesView(APIView):
    @extend_schema(
        operation_id="cel_examples_list",
        responses={200: described(CelExamples)},
        summary="Plugins in CEL to begin with, and what an expression may read",
    )
    def get(self, request: Request) -> HttpResponse:
        examples = [CelExampleCard(description=each.description, plugin=each.definition) for each in CEL_EXAMPLES]
        variables = [CelVariable(name=name, type=_type_text(type_.name())) for name, type_ in VARIABLES.items()]
        return json_answer(CelExamples(examples=examples, variables=variables))


_POD_FIELDS = ("pod", "pod_namespace", "pod_name")


def _pod(cluster: Cluster, body: Mapping[str, Any]) -> PodInfo | None:
    manifest, name = body.get("pod"), body.get("pod_name")
    if manifest is not None and name:
        raise BadRequest('give either "pod" (a manifest) or "pod_name" (and "pod_namespace"), not both')
    if manifest is not None:
        return pod_pending(manifest_completed(cluster, an_object(manifest)))
    if name:
        return pod_pending(manifest_stored(cluster, str(body.get("pod_namespace") or "default"), str(name)))
    return None


def _type_text(name: str) -> str:
    """MAP<STRING, INT> as CEL writes it."""
    return name.lower().replace("<", "(").replace(">", ")")
