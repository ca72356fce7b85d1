from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from playground.kubernetes_api.views import kubernetes_api

urlpatterns: list[URLPattern | URLResolver] = [
    path("<slug:slug>", kubernetes_api),
    path("<slug:slug>/<path:path>", kubernetes_api),
]
