"""Which plugins of a profile run where, and in which order.

Plugins named at an extension point come before those that come there by
`multiPoint`, unless the point does not really add them: a plugin that is in
both keeps the point's settings and goes first, one that is only at the point
goes last. A plugin may be disabled at one point though multiPoint enables it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scheduler_core.configuration.defaults import ALL
from scheduler_core.configuration.document import Plugins, PluginSet
from scheduler_core.configuration.errors import ConfigurationError
from scheduler_core.framework.interface import ExtensionPoint, implements
from scheduler_core.framework.registry import Registry

# field of `Plugins` by extension point, in the order in which kube-scheduler builds (and complains about) them.
_FIELDS: Sequence[tuple[ExtensionPoint, str]] = (
    (ExtensionPoint.PRE_FILTER, "pre_filter"),
    (ExtensionPoint.FILTER, "filter"),
    (ExtensionPoint.POST_FILTER, "post_filter"),
    (ExtensionPoint.RESERVE, "reserve"),
    (ExtensionPoint.PRE_SCORE, "pre_score"),
    (ExtensionPoint.SCORE, "score"),
    (ExtensionPoint.PRE_BIND, "pre_bind"),
    (ExtensionPoint.BIND, "bind"),
    (ExtensionPoint.POST_BIND, "post_bind"),
    (ExtensionPoint.PERMIT, "permit"),
    (ExtensionPoint.PRE_ENQUEUE, "pre_enqueue"),
    (ExtensionPoint.QUEUE_SORT, "queue_sort"),
)

# Where a profile enables plugins for every point at once.
_MULTI_POINT = "plugins.multiPoint.enabled"
MAX_NODE_SCORE = 100
MAX_TOTAL_SCORE = 2**63 - 1


class EffectivePlugins(NamedTuple):
    """Names by extension point, in running order, and the weights of Score."""

    names: dict[ExtensionPoint, tuple[str, ...]]
    weights: dict[str, int]


def effective_plugins(scheduler_name: str, plugins: Plugins, registry: Registry) -> EffectivePlugins:
    """What really runs. Raises ConfigurationError."""
    for point, field in _FIELDS:
        _check_named(point, getattr(plugins, field), registry)
    names = {point: _order(point, getattr(plugins, field), plugins.multi_point, registry) for point, field in _FIELDS}
    _check_counts(scheduler_name, names)
    ordered = {point: tuple(names[point]) for point in ExtensionPoint}
    return EffectivePlugins(ordered, _weights(names[ExtensionPoint.SCORE], plugins))


def _type_name(point: ExtensionPoint) -> str:
    return f"{point.value[0].upper()}{point.value[1:]}Plugin"


def _extends(name: str, point: ExtensionPoint, registry: Registry) -> bool:
    return implements(registry[name].plugin, point)


def _missing(name: str, point: ExtensionPoint, registry: Registry, at: str) -> ConfigurationError:
    hint = f"known plugins: {', '.join(registry)}"
    return ConfigurationError.because(f'{_type_name(point)} "{name}" does not exist', hint=hint, at=at)


def _place(point: ExtensionPoint) -> str:
    """Within the profile."""
    return f"plugins.{point.value}.enabled"


def _check_named(point: ExtensionPoint, named: PluginSet, registry: Registry) -> None:
    seen: set[str] = set()
    for i, ref in enumerate(named.enabled):
        at = f"{_place(point)}[{i}].name"
        if ref.name not in registry:
            raise _missing(ref.name, point, registry, at)
        if not _extends(ref.name, point, registry):
            message = f'plugin "{ref.name}" does not extend {_type_name(point)} plugin'
            raise ConfigurationError.because(message, at=at)
        if ref.name in seen:
            raise _repeated(ref.name, point, at)
        seen.add(ref.name)


def _repeated(name: str, point: ExtensionPoint, at: str) -> ConfigurationError:
    return ConfigurationError.because(f'plugin "{name}" already registered as "{_type_name(point)}"', at=at)


def _order(point: ExtensionPoint, named: PluginSet, multi_point: PluginSet, registry: Registry) -> list[str]:
    at_point = [ref.name for ref in named.enabled]
    disabled = {ref.name for ref in named.disabled}
    if ALL in disabled:
        return at_point
    overridden: set[str] = set()
    expanded: dict[str, None] = {}
    for ref in multi_point.enabled:
        if ref.name not in registry:
            raise _missing(ref.name, point, registry, _MULTI_POINT)
        if not _extends(ref.name, point, registry) or ref.name in disabled:
            continue
        if ref.name in at_point:
            overridden.add(ref.name)
        elif ref.name in expanded:
            raise _repeated(ref.name, point, _MULTI_POINT)
        else:
            expanded[ref.name] = None
    first = [name for name in at_point if name in overridden]
    return [*first, *expanded, *(name for name in at_point if name not in overridden)]


def _check_counts(scheduler_name: str, names: dict[ExtensionPoint, list[str]]) -> None:
    sorting = len(names[ExtensionPoint.QUEUE_SORT])
    if sorting != 1:
        message = "only one queue sort plugin required for profile with scheduler name"
        raise ConfigurationError.because(
            f'{message} "{scheduler_name}", but got {sorting}', at=_place(ExtensionPoint.QUEUE_SORT)
        )
    if not names[ExtensionPoint.BIND]:
        raise ConfigurationError.because(
            f'at least one bind plugin is needed for profile with scheduler name "{scheduler_name}"',
            at=_place(ExtensionPoint.BIND),
        )


def _weights(scoring: Sequence[str], plugins: Plugins) -> dict[str, int]:
    """A weight given at Score comes before one given at multiPoint; none means 1."""
    given: dict[str, int] = {}
    for ref in (*plugins.score.enabled, *plugins.multi_point.enabled):
        given.setdefault(ref.name, ref.weight or 1)
    weights = {name: given[name] for name in scoring}
    if sum(weights.values()) * MAX_NODE_SCORE > MAX_TOTAL_SCORE:
        raise ConfigurationError.because("total score of Score plugins could overflow", at=_place(ExtensionPoint.SCORE))
    return weights
