"""Taints of nodes and tolerations of pods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scheduler_core.objects.model import Model

NO_SCHEDULE = "NoSchedule"
PREFER_NO_SCHEDULE = "PreferNoSchedule"
NO_EXECUTE = "NoExecute"

# The taint a cordoned node gets; NodeUnschedulable asks whether it would be tolerated.
UNSCHEDULABLE_TAINT_KEY = "node.kubernetes.io/unschedulable"

# Effects that keep a new pod away.
REJECTING_EFFECTS = frozenset({NO_SCHEDULE, NO_EXECUTE})


class Taint(Model, frozen=True, kw_only=True):
    """A mark of a node that keeps pods away unless they tolerate it."""

    key: str
    value: str = ""
    effect: str = ""

    def __str__(self) -> str:
        text = f"{self.key}={self.value}" if self.value else self.key
        return f"{text}:{self.effect}" if self.effect else text


class Toleration(Model, frozen=True, kw_only=True):
    """A pod's consent to be on a tainted node."""

    # "": every key (with operator Exists).
    key: str = ""
    # "Equal" (also when empty) or "Exists".
    operator: str = ""
    value: str = ""
    # "": every effect.
    effect: str = ""
    toleration_seconds: int | None = None


def tolerates(toleration: Toleration, taint: Taint) -> bool:
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    if toleration.operator in ("", "Equal"):
        return toleration.value == taint.value
    return toleration.operator == "Exists"


def is_tolerated(taint: Taint, tolerations: Iterable[Toleration]) -> bool:
    return any(tolerates(toleration, taint) for toleration in tolerations)


def first_untolerated(
    taints: Sequence[Taint], tolerations: Sequence[Toleration], effects: frozenset[str] = REJECTING_EFFECTS
) -> Taint | None:
    """The first taint with one of `effects` that no toleration covers."""
    for taint in taints:
        if taint.effect in effects and not is_tolerated(taint, tolerations):
            return taint
    return None
