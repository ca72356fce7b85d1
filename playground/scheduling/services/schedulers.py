"""Schedulers of a cluster: deployed, scaled, taken away.

scheduler_deploy_first(cluster)                             with every new cluster
scheduler_deploy(tx, name=, replicas=, document=, feature_gates=)
scheduler_scale(tx, name=, replicas=)
scheduler_remove(tx, name=)
scheduler_process(tx, name=, number=, action=)              stop, kill, start
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Max

from playground.clusters import clock
from playground.clusters.models import Cluster
from playground.clusters.services.clusters import cluster_tell
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.errors import AlreadyExists, BadRequest, Cause, Invalid, NotFound, Subject
from playground.scheduling.engine.registry import registry_of
from playground.scheduling.models import ClusterScheduler, SchedulerReplica
from playground.scheduling.models.scheduler import FIRST
from playground.scheduling.selectors.schedulers import scheduler_get, schedulers_of
from playground.scheduling.services.lease import lease_revoke
from playground.scheduling.services.lease_object import election_of
from playground.scheduling.services.numbers import numbers_share
from playground.scheduling.services.processes import process_kill, process_start, process_stop
from playground.scheduling.services.profiles import (
    WrittenConfiguration,
    checked_gates,
    configuration_write,
    extenders_check,
    replicas_check,
)
from playground.scheduling.translation.configuration import default_document
from playground.scheduling.translation.identity import identity_of

MOST_SCHEDULERS = 8
MOST_REPLICAS = 5
NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
NAME_LENGTH = 50

_ACTIONS: Mapping[str, Callable[..., None]] = {"start": process_start, "stop": process_stop, "kill": process_kill}
ACTIONS = tuple(_ACTIONS)


def scheduler_deploy_first(cluster: Cluster) -> None:
    """The scheduler that every cluster has from the start. Call in the transaction that makes the cluster."""
    replicas_deploy(ClusterScheduler.objects.create(cluster=cluster, name=FIRST, ordinal=0), count=1)


def schedulers_of_preset(cluster_id: int, replicas: int, further: Mapping[str, Mapping[str, Any]]) -> None:
    """What a preset wants beside a configuration, checked like anybody's. Raises Invalid."""
    with cluster_transaction(cluster_id) as tx:
        scheduler_scale(tx, name=FIRST, replicas=replicas)
        for name, document in further.items():
            scheduler_deploy(tx, name=name, document=document)


def replicas_deploy(scheduler: ClusterScheduler, *, count: int) -> None:
    """So many processes, running from now on; those that are there stay. Nobody is told."""
    now = clock.now(scheduler.cluster)
    for number in range(scheduler.replicas.count(), count):
        replica = SchedulerReplica(scheduler=scheduler, number=number, starts=1, since=now)
        replica.identity = identity_of(replica)
        replica.save()


def scheduler_deploy(
    tx: ClusterTransaction,
    *,
    name: str,
    replicas: int = 1,
    document: Any = None,
    feature_gates: Mapping[str, Any] | None = None,
) -> ClusterScheduler:
    """One more. Without a document it runs with the defaults. Raises Invalid, AlreadyExists."""
    _check_name(tx, name)
    _check_count(replicas)
    wanted = WrittenConfiguration(
        revision=0,
        document=default_document() if document is None else document,
        feature_gates=checked_gates(feature_gates or {}),
        registry=registry_of(tx.cluster.pk),
    )
    configuration = wanted.decoded()
    extenders_check(configuration.extenders)
    replicas_check(count=replicas, election=configuration.leader_election)
    _count_together(tx)
    last = schedulers_of(cluster_id=tx.cluster.pk).aggregate(last=Max("ordinal"))["last"]
    scheduler = ClusterScheduler.objects.create(cluster=tx.cluster, name=name, ordinal=last + 1)
    if document is not None or feature_gates:
        configuration_write(tx, wanted=wanted, scheduler=name)
    replicas_deploy(scheduler, count=replicas)
    cluster_tell(tx)
    return scheduler


def scheduler_scale(tx: ClusterTransaction, *, name: str, replicas: int) -> ClusterScheduler:
    """Start more processes, or stop those with the highest numbers. Raises Invalid, NotFound."""
    scheduler = scheduler_get(cluster_id=tx.cluster.pk, name=name)
    _check_count(replicas)
    replicas_check(count=replicas, election=election_of(scheduler))
    for replica in SchedulerReplica.objects.filter(scheduler=scheduler, number__gte=replicas):
        replica.scheduler = scheduler
        process_stop(tx, replica=replica)
        replica.delete()
    replicas_deploy(scheduler, count=replicas)
    # Where none ran, one does now.
    ClusterScheduler.objects.filter(pk=scheduler.pk, leader="").update(standing_by="")
    cluster_tell(tx)
    return scheduler


def scheduler_remove(tx: ClusterTransaction, *, name: str) -> None:
    """Its processes stop in order. What it decided is still told. Raises BadRequest for the first one, NotFound."""
    scheduler = scheduler_get(cluster_id=tx.cluster.pk, name=name)
    if scheduler.is_first:
        raise BadRequest(f'"{name}" belongs to the cluster and cannot be removed; stop its processes instead')
    for replica in SchedulerReplica.objects.filter(scheduler=scheduler):
        replica.scheduler = scheduler
        process_stop(tx, replica=replica)
    scheduler.delete()
    cluster_tell(tx)


def scheduler_process(tx: ClusterTransaction, *, name: str, number: int, action: str) -> ClusterScheduler:
    """Start, stop or kill one process; one that is as it should be already stays so. Raises NotFound."""
    scheduler = scheduler_get(cluster_id=tx.cluster.pk, name=name)
    if action not in _ACTIONS:
        raise NotFound(f'a process cannot be told to "{action}"; it can {", ".join(ACTIONS)}')
    replica = SchedulerReplica.objects.filter(scheduler=scheduler, number=number).first()
    if replica is None:
        message = f'scheduler "{name}" has no replica {number}; it has {scheduler.replicas.count()}, counted from 0'
        raise NotFound(message, subject=Subject(name=f"{name}-{number}", kind="replicas"))
    replica.scheduler = scheduler
    _ACTIONS[action](tx, replica=replica)
    cluster_tell(tx)
    return scheduler


def _count_together(tx: ClusterTransaction) -> None:
    """Numbers of decisions are shared out from now on: what is decided at this moment by one alone is taken back."""
    for pk in schedulers_of(cluster_id=tx.cluster.pk).values_list("pk", flat=True):
        lease_revoke(scheduler_id=pk)
    numbers_share(tx)


def _check_name(tx: ClusterTransaction, name: str) -> None:
    if len(name) > NAME_LENGTH or not NAME.fullmatch(name):
        message = f"must be a DNS label of at most {NAME_LENGTH} characters (a-z, 0-9, -), such as second-scheduler"
        raise Invalid(f"name: {message}", [Cause(path="name", message=f"Invalid value: {name[:100]!r}: {message}")])
    names = list(schedulers_of(cluster_id=tx.cluster.pk).values_list("name", flat=True))
    if name in names:
        message = f'scheduler "{name}" already exists; choose another name'
        raise AlreadyExists(message, [Cause(path="name", message=message)], Subject(name=name, kind="schedulers"))
    if len(names) >= MOST_SCHEDULERS:
        message = f"the cluster has {len(names)} schedulers, more are not allowed; remove one first"
        raise Invalid(f"name: {message}", [Cause(path="name", message=message)])


def _check_count(replicas: int) -> None:
    if not 1 <= replicas <= MOST_REPLICAS:
        message = f"must be between 1 and {MOST_REPLICAS}; stop a process to run none"
        raise Invalid(f"replicas: {message}", [Cause(path="replicas", message=f"Invalid value: {replicas}: {message}")])
