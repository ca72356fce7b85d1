"""What a configuration comes to, defaults included, fact by fact, so that two of them can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from scheduler_core.configuration import Configuration, Profile


class ConfigurationChange(msgspec.Struct, kw_only=True):
    """One fact that differs."""

    # profiles[default-scheduler].plugins.score, ...
    path: str
    # None: there was (is) no such thing.
    before: Any
    after: Any


def configuration_changes(before: Configuration, after: Configuration) -> list[ConfigurationChange]:
    """What becomes different, in the order of the newer one."""
    old, new = dict(_facts(before)), dict(_facts(after))
    paths = dict.fromkeys([*new, *old])
    return [
        ConfigurationChange(path=path, before=old.get(path), after=new.get(path))
        for path in paths
        if old.get(path) != new.get(path)
    ]


def _facts(configuration: Configuration) -> Iterator[tuple[str, Any]]:
    yield "parallelism", configuration.parallelism
    yield "percentageOfNodesToScore", configuration.percentage_of_nodes_to_score
    yield "podInitialBackoffSeconds", configuration.pod_initial_backoff_seconds
    yield "podMaxBackoffSeconds", configuration.pod_max_backoff_seconds
    for i, extender in enumerate(configuration.extenders):
        yield f"extenders[{i}]", msgspec.to_builtins(extender)
    for profile in configuration.profiles:
        for path, value in _profile_facts(profile):
            yield f"profiles[{profile.scheduler_name}].{path}", value


def _profile_facts(profile: Profile) -> Iterator[tuple[str, Any]]:
    yield "percentageOfNodesToScore", profile.percentage_of_nodes_to_score
    for point, names in profile.plugins.items():
        yield f"plugins.{point.value}", list(names)
    for plugin, weight in profile.weights.items():
        yield f"weights.{plugin}", weight
    for plugin, args in profile.args.items():
        for field, value in msgspec.to_builtins(args, enc_hook=str).items():
            yield f"pluginConfig.{plugin}.{field}", value
