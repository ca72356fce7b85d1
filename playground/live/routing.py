"""WebSocket addresses."""

from __future__ import annotations

from django.urls import URLPattern, path, re_path

from playground.live.consumers import ClusterConsumer, NothingHere

websocket_urlpatterns: list[URLPattern] = [
    path("ws/clusters/<slug:slug>/", ClusterConsumer.as_asgi()),
    # Channels would answer any other address with a traceback in the log.
    re_path("", NothingHere.as_asgi()),
]
