"""ImageLocality: prefer nodes that already have the pod's images.

An image counts by its size, scaled by the share of nodes that have it: what is
on one node only would draw all pods there. The sum is mapped from
23 MiB .. 1000 MiB times the number of containers to 0..100.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import Handle, IntArray, Plugin, Rows
from scheduler_core.framework.memo import GenerationMemo
from scheduler_core.framework.normalize import MAX_NODE_SCORE
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot

MIB = 1024 * 1024
# Less than this does not count at all.
MIN_THRESHOLD = 23 * MIB
MAX_CONTAINER_THRESHOLD = 1000 * MIB


class ImageLocality(Plugin):
    """Scores by the bytes that need not be pulled."""

    name = "ImageLocality"
    scores_stay_in_range = True

    def __init__(self, args: object, handle: Handle) -> None:
        super().__init__(args, handle)
        # Of all nodes.
        self._scores: GenerationMemo[IntArray] = GenerationMemo()

    def score(self, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Rows) -> IntArray:
        scores = self._scores.get(snapshot.node_generation, pod.class_key)
        if scores is None:
            scores = self._scores.put(snapshot.node_generation, pod.class_key, _all_scores(pod, snapshot))
        return scores[rows]


def _all_scores(pod: PodInfo, snapshot: Snapshot) -> IntArray:
    spec = pod.pod.spec
    sums = np.zeros(snapshot.n, dtype=np.int64)
    containers = (*spec.init_containers, *spec.containers)
    for container in containers:
        image = snapshot.image(with_tag(container.image))
        if image is not None:
            rows = image.rows()
            sums[rows] += int(float(image.size) * (len(rows) / snapshot.n))
    highest = MAX_CONTAINER_THRESHOLD * len(containers)
    if highest <= MIN_THRESHOLD:
        return np.zeros_like(sums)
    return MAX_NODE_SCORE * (sums.clip(MIN_THRESHOLD, highest) - MIN_THRESHOLD) // (highest - MIN_THRESHOLD)


def with_tag(image: str) -> str:
    """The image's name with `:latest` where it has no tag."""
    return image if image.rfind(":") > image.rfind("/") else f"{image}:latest"
