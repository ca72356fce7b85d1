"""The plugins of one profile, sorted into extension points.

Each point has a small module of its own that runs it (`pre_filter`, `filtering`,
`scoring`, ...); what they share is here: who takes part, in which order, with
which weight, and what a plugin that raises turns into.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, cast

from scheduler_core.framework.interface import (
    BindPlugin,
    ExtensionPoint,
    FilterPlugin,
    PermitPlugin,
    Plugin,
    PostBindPlugin,
    PostFilterPlugin,
    PreBindPlugin,
    PreEnqueuePlugin,
    PreFilterExtensions,
    PreFilterPlugin,
    PreScorePlugin,
    QueueSortPlugin,
    ReservePlugin,
    ScoreExtensions,
    ScorePlugin,
)
from scheduler_core.framework.status import Code, Status, plain


class ScoreEntry(NamedTuple):
    """One Score plugin of a profile."""

    name: str
    plugin: ScorePlugin
    weight: int
    # None: raw scores are final.
    extensions: ScoreExtensions | None
    # Whether its scores must be looked at: 0..100 after normalising.
    is_checked: bool


class Framework:
    """One profile. The lists are in the order in which plugins run."""

    def __init__(
        self,
        profile_name: str,
        plugins: Mapping[ExtensionPoint, Sequence[Plugin]],
        weights: Mapping[str, int],
        percentage_of_nodes_to_score: int | None = None,
        trusted: Collection[str] = (),
    ) -> None:
        # A pod's spec.schedulerName.
        self.profile_name = profile_name
        # None: as the whole configuration says.
        self.percentage_of_nodes_to_score = percentage_of_nodes_to_score
        self.plugins = plugins
        # Names of plugins whose answers are looked at before they are believed; see `answers`.
        self.checked = frozenset(each.name for all_ in plugins.values() for each in all_) - frozenset(trusted)
        self.pre_enqueue = cast(list[tuple[str, PreEnqueuePlugin]], self._at(ExtensionPoint.PRE_ENQUEUE))
        self.queue_sort = cast(list[tuple[str, QueueSortPlugin]], self._at(ExtensionPoint.QUEUE_SORT))
        self.pre_filter = cast(list[tuple[str, PreFilterPlugin]], self._at(ExtensionPoint.PRE_FILTER))
        # Of them, those that keep state which a trial must keep true.
        self.pre_filter_extensions = [
            (name, plugin) for name, plugin in self.pre_filter if isinstance(plugin, PreFilterExtensions)
        ]
        self.filter = cast(list[tuple[str, FilterPlugin]], self._at(ExtensionPoint.FILTER))
        self.post_filter = cast(list[tuple[str, PostFilterPlugin]], self._at(ExtensionPoint.POST_FILTER))
        self.pre_score = cast(list[tuple[str, PreScorePlugin]], self._at(ExtensionPoint.PRE_SCORE))
        self.score = [_score_entry(plugin, weights) for plugin in plugins.get(ExtensionPoint.SCORE, ())]
        self.reserve = cast(list[tuple[str, ReservePlugin]], self._at(ExtensionPoint.RESERVE))
        self.permit = cast(list[tuple[str, PermitPlugin]], self._at(ExtensionPoint.PERMIT))
        self.pre_bind = cast(list[tuple[str, PreBindPlugin]], self._at(ExtensionPoint.PRE_BIND))
        self.bind = cast(list[tuple[str, BindPlugin]], self._at(ExtensionPoint.BIND))
        self.post_bind = cast(list[tuple[str, PostBindPlugin]], self._at(ExtensionPoint.POST_BIND))

    def _at(self, point: ExtensionPoint) -> list[tuple[str, Any]]:
        return [(plugin.name, plugin) for plugin in self.plugins.get(point, ())]

    def all_plugins(self) -> list[Plugin]:
        """Every plugin once, in the order of the points they are first met at."""
        instances = (plugin for point in ExtensionPoint for plugin in self.plugins.get(point, ()))
        return list(dict.fromkeys(instances))


def _score_entry(plugin: Plugin, weights: Mapping[str, int]) -> ScoreEntry:
    extensions = plugin if isinstance(plugin, ScoreExtensions) else None
    return ScoreEntry(
        plugin.name, cast(ScorePlugin, plugin), weights[plugin.name], extensions, not plugin.scores_stay_in_range
    )


def raised(plugin: str, exception: Exception) -> Status:
    """What a plugin that raised counts as: it broke, the pod is tried again after backoff."""
    return Status(Code.ERROR, (exception_text(exception),), plugin)


def exception_text(exception: Exception) -> str:
    """Its words; its type where it has none, or breaks when it is asked for them."""
    try:
        return plain(str(exception)) or type(exception).__name__
    except Exception:  # noqa: BLE001 somebody's own exception class may do anything
        return type(exception).__name__


def failed(prefix: str, plugin: str, status: Status) -> Status:
    """An Error status that says where it happened."""
    return Status(Code.ERROR, (f"{prefix}: {status.message}",), plugin)
