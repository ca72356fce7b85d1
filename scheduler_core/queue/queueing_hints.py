"""Queueing hints: is this event worth another attempt for that pod?

Only plugins that rejected the pod are asked, and only about events they
registered for. A plugin without a hint function means yes to all of them. One
yes is enough; a yes from a plugin the pod is `Pending` for (it waits for
another component, which has now answered) also skips the rest of the backoff.

An answer about a node or about a pod that is on a node may depend on what
`PodInfo.class_key` covers only, so one event is weighed once for all pods of a
class that the same plugins rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from scheduler_core.framework.interface import EventRegistration, HintAnswer, HintFunction, QueueingHint
from scheduler_core.framework.runtime import exception_text
from scheduler_core.framework.status import plain
from scheduler_core.queue.events import ClusterEvent, expanded_actions
from scheduler_core.queue.queued_pod import HintClass, QueuedPod, Skip

if TYPE_CHECKING:
    from scheduler_core.objects.pod_info import PodInfo

# A profile's plugins in order, each with what it registered.
Registrations = Sequence[tuple[str, Sequence[EventRegistration]]]


class Strategy(IntEnum):
    """What to do with a pod after an event; the larger wins."""

    # Leave it where it is.
    SKIP = 0
    # backoffQ while its backoff lasts, else activeQ.
    AFTER_BACKOFF = 1
    # activeQ at once.
    IMMEDIATELY = 2


class Worth(NamedTuple):
    """The answer, with the plugin that decided and its words."""

    strategy: Strategy
    plugin: str = ""
    reason: str = ""


SKIP = Worth(Strategy.SKIP)

# (plugin, hint or None)
_Listeners = tuple[tuple[str, HintFunction | None], ...]


class Weighed(NamedTuple):
    """What all plugins that were asked made of an event."""

    worth: Worth
    skips: tuple[Skip, ...] = ()


class Occurrence:
    """One event on its way through the queue, with the answers already given to it."""

    __slots__ = ("event", "label", "new", "object", "old", "weighed")

    def __init__(self, event: ClusterEvent, old: Any, new: Any) -> None:
        self.event = event
        self.label = event.label
        self.old = old
        self.new = new
        # "Node/n7"
        self.object = _object_name(new if new is not None else old)
        # By `QueuedPod.hint_class`; None where pods of one class may be answered differently.
        self.weighed: dict[HintClass, Weighed] | None = None
        if _depends_on_class_only(event, old, new):
            self.weighed = {}


class QueueingHints:
    """Who is to be asked about what, per profile."""

    def __init__(self, registrations: Mapping[str, Registrations], *, use_hints: bool) -> None:
        # profile -> (resource, action) -> listeners in plugin order
        self._listeners = {profile: _listeners(each, use_hints) for profile, each in registrations.items()}
        self._interested = _interested(self._listeners.values())

    def plugins_interested_in(self, event: ClusterEvent) -> frozenset[str]:
        """Plugins of any profile that registered for the event."""
        return self._interested.get((event.resource, event.action), frozenset())

    def weigh(self, queued: QueuedPod, occurrence: Occurrence) -> Weighed:
        """Whether the event is worth another attempt of the pod; asked once for all pods of a class where it can be."""
        known = occurrence.weighed
        if known is None:
            return self._weigh(queued, occurrence)
        weighed = known.get(queued.hint_class)
        if weighed is None:
            weighed = known[queued.hint_class] = self._weigh(queued, occurrence)
        return weighed

    def _weigh(self, queued: QueuedPod, occurrence: Occurrence) -> Weighed:
        rejecting = queued.rejecting_plugins()
        event = occurrence.event
        listeners = self._listeners.get(queued.pod.scheduler_name)
        # Without a profile a new attempt will tell.
        if not rejecting or event.is_wildcard or listeners is None:
            return Weighed(Worth(Strategy.AFTER_BACKOFF))
        best = SKIP
        skips: list[Skip] = []
        for plugin, hint in listeners.get((event.resource, event.action), ()):
            if plugin not in rejecting or best.strategy >= _weight(plugin, queued):
                continue
            answer = _BY_DEFAULT if hint is None else _call(hint, queued.pod, occurrence)
            if answer.hint is QueueingHint.QUEUE_SKIP:
                skips.append((occurrence.label, plugin, answer.reason))
                continue
            best = Worth(_weight(plugin, queued), plugin, answer.reason)
            if best.strategy is Strategy.IMMEDIATELY or not queued.pending_plugins:
                break
        return Weighed(best, tuple(skips))


def _weight(plugin: str, queued: QueuedPod) -> Strategy:
    return Strategy.IMMEDIATELY if plugin in queued.pending_plugins else Strategy.AFTER_BACKOFF


def _call(hint: HintFunction, pod: PodInfo, occurrence: Occurrence) -> HintAnswer:
    try:
        return _checked(hint(pod, occurrence.old, occurrence.new))
    except Exception as failure:  # noqa: BLE001 - a broken hint must not leave a pod waiting for ever
        said = exception_text(failure)
        return HintAnswer(QueueingHint.QUEUE, f"the hint failed: {type(failure).__name__}: {said}")


def _checked(answer: object) -> HintAnswer:
    if not (isinstance(answer, HintAnswer) and isinstance(answer.hint, QueueingHint)):
        raise TypeError(f"it answered {answer!r:.80}, expected queue(...) or skip(...)")
    return HintAnswer(answer.hint, plain(answer.reason))


_BY_DEFAULT = HintAnswer(QueueingHint.QUEUE, "")


def _listeners(registrations: Registrations, use_hints: bool) -> dict[tuple[str, str], _Listeners]:
    found: dict[tuple[str, str], list[tuple[str, HintFunction | None]]] = {}
    for plugin, events in registrations:
        for registration in with_node_taints(events):
            hint = registration.hint if use_hints else None
            for action in expanded_actions(registration.resource, registration.actions):
                found.setdefault((registration.resource, action), []).append((plugin, hint))
    return {key: tuple(each) for key, each in found.items()}


def with_node_taints(events: Sequence[EventRegistration]) -> Sequence[EventRegistration]:
    """A plugin that waits for new nodes also hears of taints, though it may have forgotten them.

    A new node is often tainted until it is ready, so the pod's chance comes with the update.
    """
    actions = {
        action for each in events if each.resource == "Node" for action in expanded_actions("Node", each.actions)
    }
    if "Add" not in actions or "UpdateNodeTaint" in actions:
        return events
    return [*events, EventRegistration("Node", frozenset({"UpdateNodeTaint"}))]


def _interested(profiles: Iterable[Mapping[tuple[str, str], _Listeners]]) -> dict[tuple[str, str], frozenset[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for listeners in profiles:
        for key, each in listeners.items():
            found.setdefault(key, set()).update(plugin for plugin, _ in each)
    return {key: frozenset(plugins) for key, plugins in found.items()}


def _depends_on_class_only(event: ClusterEvent, old: Any, new: Any) -> bool:
    if event.resource == "Node":
        return True
    return event.resource == "Pod" and all(pod.spec.node_name for pod in (old, new) if pod is not None)


def _object_name(subject: Any) -> str:
    if subject is None:
        return ""
    metadata = subject.metadata
    name = f"{metadata.namespace}/{metadata.name}" if metadata.namespace else metadata.name
    return f"{type(subject).__name__}/{name}"
