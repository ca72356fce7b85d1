"""A workload's selector, compiled once per spelling."""

from __future__ import annotations

import json
from functools import lru_cache

from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.label_selector import NOTHING, LabelSelector, Selector, compile_selector
from scheduler_core.objects.manifest import Manifest


@lru_cache(maxsize=4096)
def _compiled(spelling: str) -> Selector:
    return compile_selector(decode_as(LabelSelector, json.loads(spelling)))


def selector_of(workload: Manifest) -> Selector:
    """The pods a workload calls its own. An empty selector would claim every pod: it selects none."""
    selector = workload["spec"].get("selector")
    if not selector:
        return NOTHING
    if workload["kind"] == "ReplicationController":
        selector = {"matchLabels": selector}
    compiled = _compiled(json.dumps(selector, sort_keys=True))
    return NOTHING if compiled.is_empty else compiled


def budget_selector(budget: Manifest) -> Selector:
    """The pods a PodDisruptionBudget covers: an empty selector covers all of its namespace, none covers none."""
    selector = (budget.get("spec") or {}).get("selector")
    return NOTHING if selector is None else _compiled(json.dumps(selector, sort_keys=True))
