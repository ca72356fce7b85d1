from __future__ import annotations

from django.apps import AppConfig


class ControllersConfig(AppConfig):
    name = "playground.controllers"

    def ready(self) -> None:
        from playground.clusters import idle
        from playground.controllers.selectors import controllers_work_left, kubelet_work_left
        from playground.controllers.wake import wake_on_change
        from playground.live import followers

        followers.register(wake_on_change)
        idle.register("controllers", controllers_work_left)
        idle.register("kubelet", kubelet_work_left)
