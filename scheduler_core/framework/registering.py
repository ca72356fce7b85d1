"""A plugin class of somebody's own becomes an entry of the table of plugins, if it can be one."""

from __future__ import annotations

import msgspec

from scheduler_core.framework.interface import ExtensionPoint, Plugin, implements
from scheduler_core.framework.registry import RegistryEntry


class NoArguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of a plugin that takes no arguments."""


class PluginRefused(ValueError):
    """A class that cannot be a plugin; the text says why and what to write."""


def registry_entry(plugin: object) -> RegistryEntry:
    """The entry of a plugin class. Raises PluginRefused."""
    if not (isinstance(plugin, type) and issubclass(plugin, Plugin)):
        raise PluginRefused(f"{plugin!r} is not a subclass of {Plugin.__module__}.Plugin")
    name = getattr(plugin, "name", None)
    if not (isinstance(name, str) and name):
        raise PluginRefused(f'{plugin.__name__} has no name; write name = "{plugin.__name__}" in the class')
    if not any(implements(plugin, point) for point in ExtensionPoint):
        raise PluginRefused(f'plugin "{name}" has no method of any extension point, such as filter_node or score_node')
    return RegistryEntry(plugin, _arguments_type(plugin))


def _arguments_type(plugin: type[Plugin]) -> type[msgspec.Struct]:
    type_ = plugin.args_type or NoArguments
    if not (isinstance(type_, type) and issubclass(type_, msgspec.Struct)):
        raise PluginRefused(f'plugin "{plugin.name}": args_type must be a msgspec.Struct, it is {type_!r}')
    try:
        type_()
    except Exception as failure:
        reason = f"every argument needs a default: {failure}"
        raise PluginRefused(f'plugin "{plugin.name}": {type_.__name__}() fails, {reason}') from failure
    return type_
