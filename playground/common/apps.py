from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "playground.common"
    label = "common"
