"""Plugins that people wrote in Python and installed beside the playground.

Two ways in: a package says so in its entry points, or whoever starts the
playground names the class in the environment. Both are read once, when a
process starts; a plugin that cannot be used stops it there, with the reason,
instead of failing cycle by cycle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from scheduler_core.framework.registering import PluginRefused, registry_entry
from scheduler_core.framework.registry import Registry, RegistryEntry

ENTRY_POINT_GROUP = "scheduling_playground.plugins"
SETTING = "PLAYGROUND_PLUGINS"


class PluginProblem(Exception):
    """A plugin that was asked for and cannot be used; the text names where it was asked for."""


def python_plugins(known: Registry, named: Sequence[str]) -> Registry:
    """Those of the entry points and of the setting, which `named` is the value of. Raises PluginProblem."""
    found: dict[str, RegistryEntry] = {}
    for origin, plugin in (*_from_entry_points(), *_from_setting(named)):
        entry = _entry(origin, plugin)
        name = entry.plugin.name
        if name in known:
            raise PluginProblem(f'{origin}: there is a plugin "{name}" already; give yours another name')
        if name in found and found[name].plugin is not entry.plugin:
            other = found[name].plugin
            raise PluginProblem(
                f'{origin}: "{name}" is also the name of {other.__module__}.{other.__qualname__}; rename one of them'
            )
        found[name] = entry
    return found


def _from_entry_points() -> Iterator[tuple[str, Any]]:
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda each: each.name):
        origin = f"entry point {point.name} = {point.value} of {_package(point)} (group {ENTRY_POINT_GROUP})"
        try:
            yield origin, point.load()
        except Exception as failure:
            way_out = f"correct the package or uninstall it: pip uninstall {_package(point)}"
            raise PluginProblem(f"{origin}: cannot be imported ({_told(failure)}); {way_out}") from failure


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "an unknown package"


def _from_setting(named: Sequence[str]) -> Iterator[tuple[str, Any]]:
    for path in named:
        origin = f"{SETTING}: {path}"
        module_name, colon, class_name = path.partition(":")
        if not (colon and module_name and class_name):
            raise PluginProblem(f"{origin} is not of the form module:Class")
        try:
            module = import_module(module_name)
        except Exception as failure:
            raise PluginProblem(
                f"{origin}: the module cannot be imported ({_told(failure)}); is its folder on PYTHONPATH?"
            ) from failure
        if not hasattr(module, class_name):
            raise PluginProblem(f"{origin}: the module {module_name} has no class {class_name}")
        yield origin, getattr(module, class_name)


def _entry(origin: str, plugin: object) -> RegistryEntry:
    try:
        return registry_entry(plugin)
    except PluginRefused as refused:
        raise PluginProblem(f"{origin}: {refused}") from refused


def _told(failure: Exception) -> str:
    return f"{type(failure).__name__}: {failure}"
