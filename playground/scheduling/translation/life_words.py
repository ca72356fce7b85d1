"""What happened to a pod in one sentence each, for people who read a life from top to bottom."""

from __future__ import annotations

from playground.live.messages import BindingCard
from scheduler_core.report import ClusterEventReport, DecisionSummary, QueueMove, SkipCount

_VERBS = {"Add": "added", "Delete": "deleted"}


def move_words(move: QueueMove) -> str:
    """ "unschedulablePods to backoffQ: node n7 added: NodeAffinity: ..." """
    way = f"{move.source or 'new'} to {move.target or 'gone'}"
    cause = event_words(move.event, move.object)
    hint = f"{move.plugin}: {move.hint}" if move.plugin and move.hint else move.plugin
    return ": ".join(part for part in (way, cause, hint) if part)


def event_words(event: str, subject: str) -> str:
    """ "node n7 added" for NodeAdd of Node/n7; the event's own name where there is no object."""
    kind, _, name = subject.partition("/")
    if not name:
        return event
    for suffix, verb in _VERBS.items():
        if event.endswith(suffix):
            return f"{kind.lower()} {name} {verb}"
    return f"{kind.lower()} {name}: {event}"


def skip_words(skip: SkipCount) -> str:
    """ "not woken by: node n7 added: NodeAffinity: ... (12 times)" """
    times = f" ({skip.count} times)" if skip.count > 1 else ""
    parts = (event_words(skip.event, skip.object), skip.plugin, skip.reason)
    return "not woken by: " + ": ".join(part for part in parts if part) + times


def decision_words(attempt: DecisionSummary) -> str:
    where = f" on {attempt.node}" if attempt.node else ""
    message = f": {attempt.message}" if attempt.message else ""
    return f"attempt {attempt.attempt}: {attempt.outcome}{where}{message}"


def binding_words(card: BindingCard) -> str:
    seconds = f" after {card.ended_at - card.at:.1f} s" if card.ended_at is not None else ""
    message = f": {card.message}" if card.message else ""
    return f"binding to {card.node}: {card.phase}{seconds}{message}"


def cluster_event_words(report: ClusterEventReport) -> str:
    """ "node n7 added: woke 1 of the 10 pods it concerned" """
    happened = event_words(report.event, report.object)
    if not report.concerned:
        return f"{happened}: concerned none of the {report.waiting} pods that waited"
    return f"{happened}: woke {report.woken_count} of the {report.concerned} pods it concerned"
