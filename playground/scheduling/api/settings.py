"""GET and PATCH settings/: what can be turned on a cluster while it runs."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters.selectors import cluster_get
from playground.scheduling.api.answers import PROBLEM, an_object, described, json_answer
from playground.scheduling.services.settings import Settings, settings_get, settings_update


class SettingsView(APIView):
    @extend_schema(
        operation_id="settings_retrieve",
        responses={200: described(Settings), 404: PROBLEM},
        summary="Latencies, failures, backoff and feature gates of a cluster",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return json_answer(settings_get(cluster=cluster_get(slug)))

    @extend_schema(
        operation_id="settings_partial_update",
        request=described(Settings),
        responses={200: described(Settings), 400: PROBLEM, 404: PROBLEM, 422: PROBLEM},
        summary="Turn some of them; what is not named stays",
        description="Backoff and feature gates are those of the scheduler's configuration, see profiles/.",
    )
    def patch(self, request: Request, slug: str) -> HttpResponse:
        return json_answer(settings_update(cluster=cluster_get(slug), values=an_object(request.data)))
