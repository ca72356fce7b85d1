from __future__ import annotations

from django.apps import AppConfig


class ClustersConfig(AppConfig):
    name = "playground.clusters"

    def ready(self) -> None:
        from playground.clusters.feed import DatabaseFeed
        from playground.live import feed_source

        feed_source.register(DatabaseFeed())
