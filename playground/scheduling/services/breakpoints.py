"""Breakpoints of a cluster: set, listed, removed, and hit.

    breakpoint_set(cluster_id=, on=, ...) -> Breakpoint
    breakpoints_of(cluster) -> list[Breakpoint]
    breakpoint_remove(cluster_id=, id=) / breakpoints_clear(cluster_id=)
    breakpoint_hit(tx, hit=, attempts=)         by the slice that hit it, in its transaction

They are a small list in the cluster's row, which every slice reads anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from playground.clusters.models import Cluster
from playground.clusters.services.clusters import cluster_pause
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.errors import Cause, Invalid, NotFound
from playground.live.messages import BreakpointHit
from playground.scheduling.engine.breakpoints import Breakpoint, attempt_key

MOST_BREAKPOINTS = 50


def breakpoints_of(cluster: Cluster) -> list[Breakpoint]:
    return msgspec.convert(cluster.breakpoints, list[Breakpoint])


def breakpoint_set(*, cluster_id: int, **wanted: Any) -> Breakpoint:
    """One that is there already is answered as it is. Raises Invalid for what is never hit, and for one too many."""
    _check(wanted)
    with cluster_transaction(cluster_id) as tx:
        known = breakpoints_of(tx.cluster)
        for each in known:
            if _same(each, wanted):
                return each
        if len(known) >= MOST_BREAKPOINTS:
            raise Invalid(f"there are {len(known)} breakpoints already; remove some first")
        tx.cluster.last_breakpoint += 1
        made = Breakpoint(id=tx.cluster.last_breakpoint, **wanted)
        _store(tx.cluster, [*known, made])
    return made


def _check(wanted: dict[str, Any]) -> None:
    """What a kind of breakpoint has to name."""
    if wanted["on"] == "pod" and not wanted.get("name"):
        raise _required("name", "the pod before whose cycle to stop; * stands for any letters")
    if wanted["on"] == "plugin" and not (wanted.get("plugin") or wanted.get("point")):
        raise _required("plugin", "a plugin, or an extension point, at which to stop")


def _required(path: str, what: str) -> Invalid:
    message = f"Required value: {what}"
    return Invalid(f"{path}: {message}", [Cause(path=path, message=message, reason="FieldValueRequired")])


def _same(known: Breakpoint, wanted: dict[str, Any]) -> bool:
    """Asked for twice, it is one."""
    fresh = replace(known, hits=0, passed="")
    return fresh == Breakpoint(id=known.id, **wanted)


def breakpoint_remove(*, cluster_id: int, id: int) -> None:
    with cluster_transaction(cluster_id) as tx:
        known = breakpoints_of(tx.cluster)
        left = [each for each in known if each.id != id]
        if len(left) == len(known):
            raise NotFound(f"breakpoint {id} not found")
        _store(tx.cluster, left)


def breakpoints_clear(*, cluster_id: int) -> None:
    with cluster_transaction(cluster_id) as tx:
        _store(tx.cluster, [])


def breakpoint_hit(tx: ClusterTransaction, *, hit: BreakpointHit, attempts: int) -> None:
    """Count it and pause the cluster; one that was removed meanwhile stops nobody."""
    known = breakpoints_of(tx.cluster)
    if all(each.id != hit.id for each in known):
        return
    passed = attempt_key(hit.pod.uid, attempts) if hit.on == "pod" else ""
    after = [replace(each, hits=each.hits + 1, passed=passed) if each.id == hit.id else each for each in known]
    _store(tx.cluster, after)
    cluster_pause(tx, paused_by=hit)


def _store(cluster: Cluster, breakpoints: Sequence[Breakpoint]) -> None:
    cluster.breakpoints = msgspec.to_builtins(breakpoints)
    cluster.save(update_fields=["breakpoints", "last_breakpoint"])
