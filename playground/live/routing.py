"""WebSocket addresses."""

from __future__ import annotations

from django.urls import URLPattern, path

from playground.live.consumers import ClusterConsumer

websocket_urlpatterns: list[URLPattern] = [
    path("ws/clusters/<slug:slug>/", ClusterConsumer.as_asgi()),
]
