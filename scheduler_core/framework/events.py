"""Short forms for registering events and answering hints."""

from __future__ import annotations

from scheduler_core.framework.interface import EventRegistration, HintAnswer, HintFunction, QueueingHint


def on(resource: str, *actions: str, hint: HintFunction | None = None) -> EventRegistration:
    """`on("Node", "Add", "UpdateNodeLabel", hint=self._node_changed)`"""
    return EventRegistration(resource, frozenset(actions), hint)


def queue(reason: str) -> HintAnswer:
    """The pod is worth another try."""
    return HintAnswer(QueueingHint.QUEUE, reason)


def skip(reason: str) -> HintAnswer:
    """The event changes nothing for the pod."""
    return HintAnswer(QueueingHint.QUEUE_SKIP, reason)
