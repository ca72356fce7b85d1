from __future__ import annotations

from django.apps import AppConfig


class ControllersConfig(AppConfig):
    name = "playground.controllers"
