"""pluginConfig: the arguments of each plugin, decoded strictly and with their defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from scheduler_core.configuration.document import API_VERSION, PluginConfig
from scheduler_core.configuration.errors import ConfigurationError
from scheduler_core.configuration.strict import decode_strictly
from scheduler_core.framework.registry import Registry
from scheduler_core.plugins.args import (
    DEFAULT_RESOURCES,
    NodeResourcesBalancedAllocationArgs,
    NodeResourcesFitArgs,
    ResourceSpec,
)


def decode_arguments(config: PluginConfig, registry: Registry, path: str) -> Any:
    """The arguments of one `pluginConfig` entry; as written where no plugin of that name is known.

    `path` is that of the entry. Raises ConfigurationError.
    """
    entry = registry.get(config.name)
    if entry is None:
        return config.args
    written = _without_type(config.args or {}, entry.args, config.name, path)
    try:
        return with_defaults(decode_strictly(entry.args, _prepared(config.name, written), f"{path}.args"))
    except ConfigurationError as failure:
        raise _where(failure, config.name, path) from None


def with_defaults(args: Any) -> Any:
    """Fills in what an argument leaves to its default beyond being absent."""
    fill = _DEFAULTS.get(type(args))
    return fill(args) if fill else args


def _without_type(written: Mapping[str, Any], type_: type[msgspec.Struct], plugin: str, path: str) -> dict[str, Any]:
    """Takes out apiVersion and kind, which arguments may carry."""
    kind, version = written.get("kind"), written.get("apiVersion")
    if kind not in (None, type_.__name__):
        raise ConfigurationError.because(
            f"args for plugin {plugin} were not of type {type_.__name__}, got {kind}", f"{path}.args.kind"
        )
    if version not in (None, API_VERSION):
        raise ConfigurationError.because(
            f'arguments of version "{version}" cannot be read', f"{path}.args.apiVersion", f"use {API_VERSION}"
        )
    return {key: value for key, value in written.items() if key not in ("kind", "apiVersion")}


def _prepared(plugin: str, written: dict[str, Any]) -> dict[str, Any]:
    """A strategy that is given must say its type."""
    strategy = written.get("scoringStrategy")
    if plugin == "NodeResourcesFit" and isinstance(strategy, Mapping) and "type" not in strategy:
        return {**written, "scoringStrategy": {**strategy, "type": ""}}
    return written


def _where(failure: ConfigurationError, plugin: str, path: str) -> ConfigurationError:
    """Unknown fields are told with the plugin they were meant for; other problems name their path already."""
    text = str(failure)
    if not text.startswith("strict decoding error"):
        return failure
    located = ConfigurationError(failure.problems)
    located.args = (
        f"strict decoding error: decoding .{path}: strict decoding error: decoding args for plugin {plugin}: {text}",
    )
    return located


def _resources(resources: tuple[ResourceSpec, ...]) -> tuple[ResourceSpec, ...]:
    if not resources:
        return DEFAULT_RESOURCES
    return tuple(each if each.weight else ResourceSpec(name=each.name) for each in resources)


def _fit(args: NodeResourcesFitArgs) -> NodeResourcesFitArgs:
    strategy = args.scoring_strategy
    resources = _resources(strategy.resources)
    return msgspec.structs.replace(args, scoring_strategy=msgspec.structs.replace(strategy, resources=resources))


def _balanced(args: NodeResourcesBalancedAllocationArgs) -> NodeResourcesBalancedAllocationArgs:
    return msgspec.structs.replace(args, resources=_resources(args.resources))


_DEFAULTS: Mapping[type, Callable[[Any], Any]] = {
    NodeResourcesFitArgs: _fit,
    NodeResourcesBalancedAllocationArgs: _balanced,
}
