"""What a fork of a cluster has to know of its kubelets: the steps its pods are in.

Steps are no objects and have no history, so they follow from the pods: one that
was being brought up is brought up anew from its volumes on, one that ends by
itself ends when it would have. Pods that nobody has looked at, and those that
are being deleted, are found by the kubelets themselves.
"""

from __future__ import annotations

from playground.clusters import clock
from playground.clusters.models import Cluster, Pod
from playground.clusters.settings import cluster_settings
from playground.controllers.models import KubeletStep
from playground.controllers.translation import kubelet_settings, step_row
from scheduler_core.kubelet.pod_life import PodStep, resumed
from scheduler_core.objects.manifest import Manifest

CHUNK = 1_000


def kubelet_steps_make(source: Cluster, fork: Cluster) -> None:
    now, settings = clock.now(fork), kubelet_settings(cluster_settings(fork))
    bound = Pod.objects.filter(cluster=fork, deletion_at=None).exclude(node_name="")
    found: list[tuple[Manifest, PodStep]] = []
    for pod in bound.filter(phase__in=("Pending", "Running")).values_list("manifest", flat=True).iterator(CHUNK):
        step = resumed(pod, settings=settings, now=now)
        if step is not None:
            found.append((pod, step))
    KubeletStep.objects.bulk_create([step_row(fork.pk, pod, step) for pod, step in found], batch_size=CHUNK)
