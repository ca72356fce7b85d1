"""Loads the Celery application in every Django process, and brings the `up` command."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "playground.config"

    def ready(self) -> None:
        import_module("playground.config.celery")
