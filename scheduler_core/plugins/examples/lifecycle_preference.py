"""LifecyclePreference: a pod that says so is rather put on spot nodes, or on nodes on demand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import IntArray, Plugin, Rows
from scheduler_core.framework.status import SKIP, SUCCESS, Status
from scheduler_core.objects.label_selector import is_qualified_name
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.args import PluginArgs
from scheduler_core.snapshot.snapshot import Snapshot

# Of the pod; its value is that of the node's label: spot, on-demand.
PREFERENCE_LABEL = "lifecycle-preference"
MAX_SCORE = 100


class LifecyclePreferenceArgs(PluginArgs, frozen=True, kw_only=True):
    # The label of nodes that says how they are paid for.
    node_label: str = "lifecycle"

    def validate(self) -> Iterator[tuple[str, str]]:
        if not is_qualified_name(self.node_label):
            yield "nodeLabel", f"{self.node_label!r} is not the key of a label"


class LifecyclePreference(Plugin):
    """100 where the node is what the pod prefers. Pods without a preference are left alone."""

    name = "LifecyclePreference"
    args_type = LifecyclePreferenceArgs
    scores_stay_in_range = True

    def pre_score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> Status:
        return SUCCESS if PREFERENCE_LABEL in pod.labels else SKIP

    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        label = self.args.node_label
        wanted = snapshot.label_code(label, pod.labels.get(PREFERENCE_LABEL, ""))
        # -1 is no value of any node, and also what a node without the label has.
        is_wanted = (snapshot.label_codes(label)[rows] == wanted) & (wanted >= 0)
        return np.where(is_wanted, MAX_SCORE, 0).astype(np.int64)
