"""Every address of the server; each app brings its own."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from playground.config import pages
from playground.scheduling.api.metrics import metrics

handler400 = "playground.common.responses.handler400"
handler404 = "playground.config.pages.not_found"
handler500 = "playground.common.responses.handler500"

urlpatterns = [
    path("", pages.page),
    path("clusters/<slug:slug>", pages.page),
    path("clusters/<slug:slug>/", pages.page),
    path("favicon.ico", pages.favicon),
    path("healthz", pages.healthz),
    path("metrics", metrics),
    path("api/", include("playground.clusters.urls")),
    path("api/", include("playground.scheduling.urls")),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    path("samples/", include("playground.samples.urls")),
    path("k8s/", include("playground.kubernetes_api.urls")),
    path("admin/", admin.site.urls),
]
