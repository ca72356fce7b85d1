"""A Job's pods: how they are made, and what of them has been counted already.

A pod that has ended is counted once, in the Job's status, and marked as
counted in the same transaction; so its count outlives it.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from scheduler_core.controllers.names import generated_name
from scheduler_core.controllers.pod_template import pod_from_template, with_pod_labels
from scheduler_core.objects.manifest import Manifest, annotations_of, uid_of, with_metadata

INDEX = "batch.kubernetes.io/job-completion-index"
COUNTED = "scheduling-playground/counted"


def job_pod(job: Manifest, index: int | None, generator: Random) -> Manifest:
    name = job["metadata"]["name"]
    base = f"{name}-" if index is None else f"{name}-{index}-"
    pod = pod_from_template(job, name=generated_name(base, generator), generate_name=base)
    labels = {"batch.kubernetes.io/job-name": name, "batch.kubernetes.io/controller-uid": uid_of(job)}
    pod = with_pod_labels(pod, **labels, **{"job-name": name, "controller-uid": uid_of(job)})
    if index is None:
        return pod
    annotations = {**annotations_of(pod), INDEX: str(index)}
    return with_pod_labels(with_metadata(pod, annotations=annotations), **{INDEX: str(index)})


def index_of(pod: Manifest) -> int | None:
    text = annotations_of(pod).get(INDEX, "")
    return int(text) if text.isascii() and text.isdigit() else None


def is_counted(pod: Manifest) -> bool:
    return COUNTED in annotations_of(pod)


def counted(pod: Manifest) -> Manifest:
    return with_metadata(pod, annotations={**annotations_of(pod), COUNTED: "true"})


def parse_indexes(text: str) -> set[int]:
    """`0-2,5`, as `status.completedIndexes` has it."""
    indexes: set[int] = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        indexes.update(range(int(first), int(last or first) + 1))
    return indexes


def format_indexes(indexes: Iterable[int]) -> str:
    runs: list[list[int]] = []
    for index in sorted(indexes):
        if runs and index == runs[-1][1] + 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
