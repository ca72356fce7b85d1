"""GET /api/fidelity/: how far the engine's answers are kube-scheduler's."""

from __future__ import annotations

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.scheduling.api.answers import described, json_answer
from scheduler_core.conformance.coverage import COMPARISONS, KUBERNETES_VERSION, NOT_MODELLED, Comparison


class Fidelity(msgspec.Struct, kw_only=True):
    kubernetes_version: str
    # What kube-scheduler of that version was asked and the engine answers alike.
    compared: list[Comparison]
    cases: int
    not_modelled: list[str]


class FidelityView(APIView):
    @extend_schema(
        operation_id="fidelity_retrieve",
        responses={200: described(Fidelity)},
        summary="What the engine was compared with, and what it leaves out",
    )
    def get(self, request: Request) -> HttpResponse:
        return json_answer(
            Fidelity(
                kubernetes_version=KUBERNETES_VERSION,
                compared=list(COMPARISONS),
                cases=sum(comparison.cases for comparison in COMPARISONS),
                not_modelled=list(NOT_MODELLED),
            )
        )
