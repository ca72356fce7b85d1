"""GET /metrics: what schedulers counted, under kube-scheduler's own names, for Prometheus."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from playground.scheduling.selectors.metrics import metrics_text

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})
