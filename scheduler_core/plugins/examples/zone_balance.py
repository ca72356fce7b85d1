"""ZoneBalance: the zone that has the fewest pods like this one is the best.

PodTopologySpread does the same for pods that ask for it; here every pod is
spread, by its own labels.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import IntArray, Plugin, Rows
from scheduler_core.objects.node import ZONE_LABEL
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.pod_counts import LabelClass
from scheduler_core.snapshot.snapshot import Snapshot

MAX_SCORE = 100


class ZoneBalance(Plugin):
    """Scores all nodes at once; those in no zone come last."""

    name = "ZoneBalance"

    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        """Pods of this namespace and with these labels in the node's zone."""
        zones = snapshot.label_codes(ZONE_LABEL)
        # Code -1, no zone, is counted as the last one.
        in_zone = np.bincount(zones + 1, weights=_pods_alike(pod, snapshot), minlength=1).astype(np.int64)
        in_zone[0] = in_zone.max() + 1
        return in_zone[zones[rows] + 1]

    def normalize(self, state: CycleState, pod: PodInfo, scores: IntArray) -> IntArray:
        """The fewer the better: the least is 100, the most 0; all the same is 100."""
        if not len(scores):
            return scores
        fewest, most = scores.min(), scores.max()
        if fewest == most:
            return np.full_like(scores, MAX_SCORE)
        normalized: IntArray = MAX_SCORE * (most - scores) // (most - fewest)
        return normalized


def _pods_alike(pod: PodInfo, snapshot: Snapshot) -> IntArray:
    def alike(pods: LabelClass) -> bool:
        return not pods.terminating and pods.namespace == pod.namespace and dict(pods.labels) == pod.labels

    return snapshot.counted_pods((ZoneBalance.name, pod.label_key), alike).astype(np.int64)
