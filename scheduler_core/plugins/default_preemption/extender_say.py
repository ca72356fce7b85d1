"""Extenders that preempt have a say: they may take candidates away, or name other victims."""

from __future__ import annotations

from scheduler_core.framework.extenders import Extenders, ExtenderVictims
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.default_preemption.selection import Candidates, NodeVictims, as_candidates
from scheduler_core.snapshot.snapshot import Snapshot


def after_extenders(
    extenders: Extenders | None, pod: PodInfo, snapshot: Snapshot, candidates: Candidates
) -> Candidates:
    """The candidates that are left. Raises ExtenderError."""
    if extenders is None or not extenders.preempts(pod):
        return candidates
    asked = [
        ExtenderVictims(snapshot.names[row], candidates.victims(i), int(candidates.violations[i]))
        for i, row in enumerate(candidates.rows.tolist())
    ]
    left = extenders.process_preemption(pod, snapshot, asked)
    return as_candidates([_node_victims(snapshot, each) for each in left])


def _node_victims(snapshot: Snapshot, each: ExtenderVictims) -> NodeVictims:
    row = snapshot.row_of(each.node_name)
    return NodeVictims(row=row, victims=tuple(each.victims), violations=each.pdb_violations)
