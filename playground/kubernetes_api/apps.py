from __future__ import annotations

from django.apps import AppConfig


class KubernetesApiConfig(AppConfig):
    name = "playground.kubernetes_api"
