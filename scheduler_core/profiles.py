"""From the profiles of a configuration to frameworks ready to run.

Every plugin of a profile is made once, with its arguments, and takes part at
every extension point the profile enables it for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, Protocol

from scheduler_core.cache.cache import Cache
from scheduler_core.configuration.errors import ConfigurationError
from scheduler_core.framework.extenders import ExtenderSpec
from scheduler_core.framework.handle import FrameworkHandle
from scheduler_core.framework.interface import EventRegistration, ExtensionPoint, Plugin
from scheduler_core.framework.registry import Registry
from scheduler_core.framework.runtime import Framework
from scheduler_core.framework.waiting_pods import WaitingPods
from scheduler_core.queue.nominator import Nominator


class ProfileSpec(Protocol):
    """One profile with its plugin sets expanded."""

    @property
    def scheduler_name(self) -> str: ...
    @property
    def percentage_of_nodes_to_score(self) -> int | None: ...
    @property
    def plugins(self) -> Mapping[ExtensionPoint, Sequence[str]]:
        """Enabled plugins by name, in the order in which they run."""
        ...

    @property
    def weights(self) -> Mapping[str, int]:
        """Of the Score plugins."""
        ...

    @property
    def args(self) -> Mapping[str, Any]:
        """Decoded arguments by plugin; a plugin that is not here gets its defaults."""
        ...


class ConfigurationSpec(Protocol):
    """What a scheduler needs of a KubeSchedulerConfiguration."""

    @property
    def profiles(self) -> Sequence[ProfileSpec]: ...
    @property
    def percentage_of_nodes_to_score(self) -> int:
        """Of profiles that say nothing; 0 adapts to the size of the cluster."""
        ...

    @property
    def pod_initial_backoff_seconds(self) -> float: ...
    @property
    def pod_max_backoff_seconds(self) -> float: ...
    @property
    def extenders(self) -> Sequence[ExtenderSpec]: ...


def build_framework(profile: ProfileSpec, registry: Registry, handle: FrameworkHandle) -> Framework:
    """The profile's framework; `handle` becomes its own."""
    made: dict[str, Plugin] = {}

    def plugin(name: str) -> Plugin:
        if name not in made:
            entry = registry[name]
            args = profile.args.get(name)
            made[name] = entry.plugin(entry.args() if args is None else args, handle)
        return made[name]

    plugins = {point: [plugin(name) for name in profile.plugins.get(point, ())] for point in ExtensionPoint}
    trusted = [name for name in made if not registry[name].is_checked]
    framework = Framework(
        profile.scheduler_name, plugins, profile.weights, profile.percentage_of_nodes_to_score, trusted
    )
    handle.framework = framework
    return framework


def build_check(configuration: ConfigurationSpec, registry: Registry) -> None:
    """Make every plugin that is not the engine's own once, as a scheduler that starts would.

    Raises ConfigurationError for one that cannot be made with its arguments.
    """
    handle = detached_handle(Cache(), lambda: 0.0)
    for i, profile in enumerate(configuration.profiles):
        for name in dict.fromkeys(name for names in profile.plugins.values() for name in names):
            entry = registry[name]
            if not entry.is_checked:
                continue
            args = profile.args.get(name)
            try:
                plugin = entry.plugin(entry.args() if args is None else args, handle)
                _check_events(plugin)
            except Exception as failure:
                prefix = f"initializing profiles: creating profile for scheduler name {profile.scheduler_name}: "
                message = f'{prefix}initializing plugin "{name}": {failure or type(failure).__name__}'
                raise ConfigurationError.because(message, at=f"profiles[{i}].pluginConfig") from failure


def _check_events(plugin: Plugin) -> None:
    for registration in (*plugin.events_to_register(), *plugin.further_events()):
        if not isinstance(registration, EventRegistration):
            raise TypeError(f"events_to_register answered {registration!r}, expected EventRegistrations: on(...)")


def build_frameworks(
    profiles: Sequence[ProfileSpec], registry: Registry, new_handle: Callable[[], FrameworkHandle]
) -> dict[str, Framework]:
    """By profile name."""
    return {profile.scheduler_name: build_framework(profile, registry, new_handle()) for profile in profiles}


def build_binding_frameworks(
    configuration: ConfigurationSpec,
    registry: Registry,
    now: Callable[[], float],
    feature_gates: Mapping[str, bool] | None = None,
) -> dict[str, Framework]:
    """Frameworks for binding cycles only: their plugins see no nodes and no other objects."""
    new_handle = partial(detached_handle, Cache(), now, feature_gates)
    return build_frameworks(configuration.profiles, registry, new_handle)


def detached_handle(
    cache: Cache, now: Callable[[], float], feature_gates: Mapping[str, bool] | None = None
) -> FrameworkHandle:
    """What plugins are lent where there is no queue: nobody is nominated, and nobody waits at Permit."""
    nobody = Nominator()
    return FrameworkHandle(
        snapshot=lambda: cache.snapshot,
        lister=cache.objects,
        now=now,
        feature_gates=feature_gates or {},
        random=Random(0),
        nominated_pods=lambda: nobody,
        waiting_pods=WaitingPods(),
        group_members=cache.group_members,
        reorder=_no_queue,
    )


def _no_queue(_: Iterable[str]) -> None:
    """Nobody waits in a binding cycle."""
