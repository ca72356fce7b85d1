"""/api/ for clusters: list, create, read, delete, apply; presets and templates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from django.db.models import Count
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.clusters import selectors
from playground.clusters.cluster_card import cluster_card
from playground.clusters.models import Cluster, Node, Pod
from playground.clusters.pictures import pictures
from playground.clusters.presets.groups import PRESET_GROUPS, group_of
from playground.clusters.presets.registry import PRESETS
from playground.clusters.serializers import (
    ApplyAnswerSerializer,
    ApplySerializer,
    ClusterSummarySerializer,
    ErrorSerializer,
    ListedClusterSerializer,
    NewClusterSerializer,
    PresetSerializer,
    TemplateSerializer,
)
from playground.clusters.services.apply import ApplyResult, stream_apply
from playground.clusters.services.clusters import cluster_delete
from playground.clusters.services.from_preset import cluster_create_from
from playground.clusters.templates import TEMPLATES
from playground.common.bodies import BodyText, JSONBodyParser, YAMLBodyParser
from playground.common.errors import BadRequest, Cause
from playground.common.pagination import BoundedPagination

# Causes told per document; the first one is what people mend.
MAX_CAUSES = 20

PROBLEM = OpenApiResponse(ErrorSerializer, description="What is wrong, with the fields.")


def cluster_summaries(clusters: Iterable[Cluster]) -> list[dict[str, Any]]:
    """Cards with the number of nodes and pods."""
    some = list(clusters)
    ids = [cluster.pk for cluster in some]
    nodes, pods = _counts(Node, ids), _counts(Pod, ids)
    return [
        {
            **msgspec.to_builtins(cluster_card(cluster)),
            "nodes": nodes.get(cluster.pk, 0),
            "pods": pods.get(cluster.pk, 0),
        }
        for cluster in some
    ]


def _counts(model: type[Node] | type[Pod], cluster_ids: list[int]) -> dict[int, int]:
    return dict(model.objects.filter(cluster__in=cluster_ids).values_list("cluster").annotate(Count("pk")))


class ClusterList(APIView):
    pagination_class = BoundedPagination

    @extend_schema(
        operation_id="clusters_list", responses=ListedClusterSerializer(many=True), summary="Every cluster, by name"
    )
    def get(self, request: Request) -> Response:
        paginator = self.pagination_class()
        page = paginator.paginate_queryset(Cluster.objects.order_by("slug"), request, view=self)
        clusters = list(page or ())
        summaries = cluster_summaries(clusters)
        for summary, picture in zip(summaries, pictures.of(clusters), strict=True):
            summary["picture"] = msgspec.to_builtins(picture)
        return paginator.get_paginated_response(summaries)

    @extend_schema(
        operation_id="clusters_create",
        request=NewClusterSerializer,
        responses={201: ClusterSummarySerializer, 400: PROBLEM, 409: PROBLEM, 422: PROBLEM},
        summary="Make a cluster: empty, from a preset, or from a kind file",
    )
    def post(self, request: Request) -> Response:
        wanted = NewClusterSerializer(data=_object(request.data))
        wanted.is_valid(raise_exception=True)
        cluster = cluster_create_from(**wanted.validated_data)
        return Response(cluster_summaries([cluster])[0], status=201)


class ClusterDetail(APIView):
    @extend_schema(operation_id="clusters_retrieve", responses={200: ClusterSummarySerializer, 404: PROBLEM})
    def get(self, request: Request, slug: str) -> Response:
        return Response(cluster_summaries([selectors.cluster_get(slug)])[0])

    @extend_schema(operation_id="clusters_destroy", responses={204: None, 404: PROBLEM})
    def delete(self, request: Request, slug: str) -> Response:
        cluster_delete(cluster_id=selectors.cluster_get(slug).pk)
        return Response(status=204)


class ClusterApply(APIView):
    parser_classes = (YAMLBodyParser, JSONBodyParser)

    @extend_schema(
        operation_id="clusters_apply",
        request={"application/json": ApplySerializer, "application/yaml": OpenApiTypes.STR},
        responses={200: ApplyAnswerSerializer, 400: PROBLEM, 404: PROBLEM, 413: PROBLEM},
        summary="Apply a stream of manifests; each document is told its own result",
    )
    def post(self, request: Request, slug: str) -> Response:
        cluster = selectors.cluster_get(slug)
        results = stream_apply(cluster_id=cluster.pk, text=_yaml_text(request.data))
        return Response({"results": [_result(result) for result in results]})


def _yaml_text(data: Any) -> str:
    if isinstance(data, BodyText):
        return data.text
    wanted = ApplySerializer(data=_object(data))
    wanted.is_valid(raise_exception=True)
    return str(wanted.validated_data["yaml"])


def _object(data: Any) -> Any:
    if not isinstance(data, dict):
        message = f"expected an object, got {type(data).__name__}"
        raise BadRequest(f"the body: {message}", [Cause(path="", message=message)])
    return data


def _result(result: ApplyResult) -> dict[str, Any]:
    errors: list[dict[str, Any]] = [
        {"path": cause.path, "message": cause.message, "line": None} for cause in result.causes[:MAX_CAUSES]
    ]
    if errors:
        errors[0]["line"] = result.line
    return {
        "document": result.document,
        "kind": result.kind,
        "namespace": result.namespace,
        "name": result.name,
        "result": result.result,
        "error": errors[0] if errors else None,
        "errors": errors,
        "warnings": list(result.warnings),
    }


class PresetList(APIView):
    @extend_schema(
        operation_id="presets_list",
        responses=PresetSerializer(many=True),
        summary="Clusters to begin with, group by group",
    )
    def get(self, request: Request) -> Response:
        return Response(PresetSerializer(_grouped_presets(), many=True).data)


def _grouped_presets() -> list[dict[str, Any]]:
    """In the order of the groups; a preset that no line is written about stands at the end."""
    places = {preset: i for i, preset in enumerate(id for group in PRESET_GROUPS for id in group.watch)}
    ordered = sorted(PRESETS, key=lambda preset: places.get(preset.id, len(places)))
    return [
        {
            "id": preset.id,
            "title": preset.title,
            "description": preset.description,
            "nodes": preset.nodes,
            "pods": preset.pods,
            "group": group_of(preset.id).title,
            "watch": group_of(preset.id).watch.get(preset.id, preset.description),
        }
        for preset in ordered
    ]


class TemplateList(APIView):
    @extend_schema(operation_id="templates_list", responses=TemplateSerializer(many=True))
    def get(self, request: Request) -> Response:
        return Response(TemplateSerializer(TEMPLATES, many=True).data)
