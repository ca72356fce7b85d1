"""Numbers of decisions where several schedulers make some.

A scheduler that was always alone counts by itself. From the moment there is a
second one, each reserves numbers before its cycles run, so that no number is
given twice and later decisions have higher ones. A number that was reserved and
not used is missing for good.
"""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.db.models import Max

from playground.clusters.services.transaction import ClusterTransaction
from playground.common.turns import turn_to_write
from playground.scheduling.engine.session import Numbers
from playground.scheduling.models import ClusterNumbers, SchedulerState


def numbers_share(tx: ClusterTransaction) -> None:
    """From now on numbers are reserved. Whoever counted alone must have lost its lease in this transaction."""
    numbers, _ = ClusterNumbers.objects.get_or_create(cluster=tx.cluster)
    if numbers.last_sequence is None:
        states = SchedulerState.objects.filter(scheduler__cluster=tx.cluster)
        numbers.last_sequence = states.aggregate(last=Max("last_sequence"))["last"] or 0
        numbers.save(update_fields=["last_sequence"])


def numbers_of(cluster_id: int) -> Numbers | None:
    """How a scheduler of the cluster gets its numbers; None: it counts alone."""
    shared = ClusterNumbers.objects.filter(pk=cluster_id, last_sequence__isnull=False).exists()
    return partial(_reserve, cluster_id) if shared else None


def _reserve(cluster_id: int, count: int) -> int:
    with turn_to_write(), transaction.atomic():
        numbers = ClusterNumbers.objects.select_for_update().get(pk=cluster_id)
        before = numbers.last_sequence or 0
        ClusterNumbers.objects.filter(pk=cluster_id).update(last_sequence=before + count)
    return before
