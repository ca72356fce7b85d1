"""GET and PUT profiles/: the KubeSchedulerConfiguration of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters.admission.outline import Outline
from playground.clusters.manifests import YamlProblem, read_one
from playground.clusters.models import Cluster
from playground.clusters.selectors import cluster_get
from playground.common.bodies import BodyText, JSONBodyParser, YAMLBodyParser, refuse_nul
from playground.common.errors import BadRequest, Cause
from playground.scheduling.api.answers import PROBLEM, an_object, described, json_answer
from playground.scheduling.engine.registry import registry_of
from playground.scheduling.models.scheduler import FIRST
from playground.scheduling.services.profiles import WrittenConfiguration, configuration_get, configuration_replace
from playground.scheduling.translation.configuration_outline import configuration_outline
from playground.scheduling.translation.effective import ConfigurationChange
from scheduler_core.configuration import Profile


class EffectiveProfile(msgspec.Struct, kw_only=True):
    """What a profile really runs, defaults included."""

    scheduler_name: str
    # Plugins by extension point, in running order.
    plugins: dict[str, list[str]]
    # Of the Score plugins.
    weights: dict[str, int]


class ProfilesAnswer(msgspec.Struct, kw_only=True):
    # 0: the defaults; rises with every change.
    revision: int
    # The KubeSchedulerConfiguration as it was written.
    document: dict[str, Any]
    # Those that differ from their default.
    feature_gates: dict[str, bool]
    profiles: list[EffectiveProfile]
    # After a PUT: what became different, defaults included.
    changes: list[ConfigurationChange] = []


class ProfilesView(APIView):
    parser_classes = (YAMLBodyParser, JSONBodyParser)

    @extend_schema(
        operation_id="profiles_retrieve",
        responses={200: described(ProfilesAnswer), 404: PROBLEM},
        summary="The KubeSchedulerConfiguration the cluster runs with",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return json_answer(profiles_answer(configuration_get(cluster=cluster_get(slug))))

    @extend_schema(
        operation_id="profiles_update",
        parameters=[OpenApiParameter("dry_run", bool, description="Check and compare only; nothing is written.")],
        request={"application/json": OpenApiTypes.OBJECT, "application/yaml": OpenApiTypes.STR},
        responses={200: described(ProfilesAnswer), 400: PROBLEM, 404: PROBLEM, 422: PROBLEM},
        summary="Run with another KubeSchedulerConfiguration from the next cycle on",
        description=(
            "The body is the document itself, as JSON or YAML, or "
            '{"document": ..., "feature_gates": {...}}, either of which may be left out and then stays as it is. '
            "A document that cannot be run changes nothing."
        ),
    )
    def put(self, request: Request, slug: str) -> HttpResponse:
        return json_answer(profiles_written(request, cluster_get(slug), FIRST))


def profiles_written(request: Request, cluster: Cluster, scheduler: str) -> ProfilesAnswer:
    """What a PUT asks for, done or, with `dry_run`, only looked at."""
    dry_run = request.query_params.get("dry_run", "") in ("1", "true", "True")
    document, gates = _wanted(request.data)
    if document is None:
        document = configuration_get(cluster=cluster, scheduler=scheduler).document
    written, changes = configuration_replace(
        cluster=cluster, document=document, feature_gates=gates, scheduler=scheduler, dry_run=dry_run
    )
    return profiles_answer(written, changes)


class ProfilesOutlineView(APIView):
    @extend_schema(
        operation_id="profiles_outline",
        responses={200: described(Outline), 404: PROBLEM},
        summary="The fields of a KubeSchedulerConfiguration and the plugins this cluster has: for editors",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return json_answer(configuration_outline(registry_of(cluster_get(slug).pk)))


def _wanted(data: Any) -> tuple[Any, dict[str, Any] | None]:
    """The document and the feature gates of a body; None: as they are."""
    body = _yaml_value(data.text) if isinstance(data, BodyText) else an_object(data)
    if "document" not in body and "feature_gates" not in body:
        return body, None
    unknown = sorted(set(body) - {"document", "feature_gates"})
    if unknown:
        causes = [Cause(path=name, message="unknown field; known are document, feature_gates") for name in unknown]
        raise BadRequest(f"unknown fields: {', '.join(unknown)}", causes)
    gates = body.get("feature_gates")
    return body.get("document"), None if gates is None else an_object(gates)


def _yaml_value(text: str) -> dict[str, Any]:
    try:
        value = an_object(read_one(text))
    except YamlProblem as problem:
        cause = problem.cause(1)
        raise BadRequest(cause.message, [cause]) from None
    refuse_nul(value)
    return value


def profiles_answer(written: WrittenConfiguration, changes: Sequence[ConfigurationChange] = ()) -> ProfilesAnswer:
    return ProfilesAnswer(
        revision=written.revision,
        document=written.document,
        feature_gates=written.feature_gates,
        profiles=[_effective(profile) for profile in written.decoded().profiles],
        changes=list(changes),
    )


def _effective(profile: Profile) -> EffectiveProfile:
    return EffectiveProfile(
        scheduler_name=profile.scheduler_name,
        plugins={point.value: list(names) for point, names in profile.plugins.items()},
        weights=dict(profile.weights),
    )
