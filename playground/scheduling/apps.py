from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.apps import AppConfig

if TYPE_CHECKING:
    from playground.clusters.models import Cluster


class SchedulingConfig(AppConfig):
    name = "playground.scheduling"

    def ready(self) -> None:
        from django.db.models.signals import post_save

        from playground.clusters import forking, idle
        from playground.clusters.models import Cluster
        from playground.clusters.presets import configuring
        from playground.live import followers, sections
        from playground.scheduling.engine.python_plugins import PluginProblem
        from playground.scheduling.engine.registry import installed_registry
        from playground.scheduling.selectors.progress import scheduler_work_left
        from playground.scheduling.selectors.sections import bindings_section, decisions_section, queue_section
        from playground.scheduling.services.cel_plugins import cel_plugin_of_preset
        from playground.scheduling.services.forking import configuration_copy, plugins_copy
        from playground.scheduling.services.profiles import configuration_of_preset
        from playground.scheduling.services.schedulers import schedulers_of_preset
        from playground.scheduling.wake import wake_on_change

        try:
            installed_registry()
        except PluginProblem as problem:
            # A sentence instead of a traceback, whichever process it is.
            raise SystemExit(f"error: {problem}") from None
        post_save.connect(with_every_cluster, sender=Cluster, dispatch_uid="first scheduler")
        followers.register(wake_on_change)
        forking.register("configuration", configuration_copy)
        forking.register("plugins", plugins_copy)
        idle.register("scheduler", scheduler_work_left)
        configuring.register(configuration_of_preset)
        configuring.register_plugins(cel_plugin_of_preset)
        configuring.register_schedulers(schedulers_of_preset)
        sections.register("queue", queue_section)
        sections.register("bindings", bindings_section)
        sections.register("decisions", decisions_section)


def with_every_cluster(instance: Cluster, created: bool, raw: bool = False, **_: Any) -> None:
    """Clusters know nothing of schedulers; yet none is ever without one."""
    from playground.scheduling.services.schedulers import scheduler_deploy_first

    if created and not raw:
        scheduler_deploy_first(instance)
