"""GET /api/kinds/: the kinds there are; kinds/{kind}/outline/: what a manifest of one may hold."""

from __future__ import annotations

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters.admission.outline import Outline, object_outline
from playground.clusters.admission.schema import KUBERNETES_VERSION
from playground.clusters.answers import PROBLEM, described, json_answer
from playground.clusters.kinds import KINDS
from playground.common.errors import NotFound, Subject

# It is the same until the server is another one.
KEEP_SECONDS = 3_600


class KindCard(msgspec.Struct, kw_only=True):
    """Where the objects of a kind are found."""

    kind: str
    api_version: str
    plural: str
    namespaced: bool


class KindList(msgspec.Struct, kw_only=True):
    kubernetes_version: str
    kinds: list[KindCard]


class KindsView(APIView):
    @extend_schema(
        operation_id="kinds_list",
        responses={200: described(KindList)},
        summary="Every kind of object a cluster may hold",
    )
    def get(self, request: Request) -> HttpResponse:
        cards = [
            KindCard(kind=each.kind, api_version=each.api_version, plural=each.plural, namespaced=each.namespaced)
            for each in KINDS.values()
        ]
        return _kept(json_answer(KindList(kubernetes_version=KUBERNETES_VERSION, kinds=cards)))


class OutlineView(APIView):
    @extend_schema(
        operation_id="kinds_outline",
        responses={200: described(Outline), 404: PROBLEM},
        summary="The fields of a kind, with the values they are known to take: for editors",
    )
    def get(self, request: Request, kind: str) -> HttpResponse:
        found = KINDS.get(kind)
        if found is None:
            raise NotFound(
                f'kind "{kind}" is unknown; GET /api/kinds/ lists the ones there are',
                subject=Subject(name=kind, kind="kinds"),
            )
        return _kept(json_answer(object_outline(found.definition, found.api_version, found.kind)))


def _kept(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = f"max-age={KEEP_SECONDS}"
    return response
