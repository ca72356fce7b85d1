"""Taints that tell what is wrong with a node: cordoned, not ready, out of reach, under pressure.

They follow the node's spec and its conditions; other taints of the node are
left alone, except that every `NoExecute` one gets the time it was first seen:
from then on the patience of pods that tolerate it for a while is counted.
"""

from __future__ import annotations

from typing import ClassVar

from scheduler_core.controllers.interface import DONE, ReconcileResult, Store
from scheduler_core.objects.manifest import Manifest, ObjectKey, condition_of, with_spec
from scheduler_core.objects.timestamps import format_timestamp

_Key = tuple[str, str]
UNSCHEDULABLE: _Key = ("node.kubernetes.io/unschedulable", "NoSchedule")
NOT_READY = "node.kubernetes.io/not-ready"
UNREACHABLE = "node.kubernetes.io/unreachable"
# Conditions that a healthy node does not have.
_TROUBLE = {
    "MemoryPressure": "node.kubernetes.io/memory-pressure",
    "DiskPressure": "node.kubernetes.io/disk-pressure",
    "PIDPressure": "node.kubernetes.io/pid-pressure",
    "NetworkUnavailable": "node.kubernetes.io/network-unavailable",
}
_OURS = frozenset({UNSCHEDULABLE[0], NOT_READY, UNREACHABLE, *_TROUBLE.values()})


class NodeTaintController:
    kind: ClassVar[str] = "Node"

    def reconcile(self, store: Store, key: ObjectKey, now: float) -> ReconcileResult:
        node = store.get(*key)
        if node is None:
            return DONE
        before = list((node.get("spec") or {}).get("taints") or ())
        after = _with_ours(before, _wanted(node), now)
        if after != before:
            store.update(with_spec({"spec": {}, **node}, taints=after))
        return DONE


def _wanted(node: Manifest) -> list[_Key]:
    wanted: list[_Key] = []
    if (node.get("spec") or {}).get("unschedulable"):
        wanted.append(UNSCHEDULABLE)
    ready = condition_of(node, "Ready")
    # A node that says nothing of its health is taken for a healthy one: nobody sends heartbeats here.
    if ready is not None and ready["status"] != "True":
        taint = NOT_READY if ready["status"] == "False" else UNREACHABLE
        wanted += [(taint, "NoSchedule"), (taint, "NoExecute")]
    for condition_type, taint in _TROUBLE.items():
        found = condition_of(node, condition_type)
        if found is not None and found["status"] == "True":
            wanted.append((taint, "NoSchedule"))
    return wanted


def _with_ours(taints: list[Manifest], wanted: list[_Key], now: float) -> list[Manifest]:
    kept = [taint for taint in taints if taint["key"] not in _OURS or (taint["key"], taint["effect"]) in wanted]
    there = {(taint["key"], taint["effect"]) for taint in kept}
    added = [{"key": key, "effect": effect} for key, effect in wanted if (key, effect) not in there]
    return [_timed(taint, now) for taint in (*kept, *added)]


def _timed(taint: Manifest, now: float) -> Manifest:
    if taint["effect"] != "NoExecute" or taint.get("timeAdded"):
        return taint
    return {**taint, "timeAdded": format_timestamp(now)}
