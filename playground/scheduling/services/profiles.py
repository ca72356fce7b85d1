"""Changing what a cluster's scheduler runs with.

A document that cannot be run is refused with the path of each mistake and
changes nothing. One that can takes effect with the next slice: the engine is
built anew around its queue, and pods that wait are looked at again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import F

from playground.clusters.models import Cluster
from playground.clusters.services.clusters import cluster_tell
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.errors import Cause, Invalid
from playground.scheduling.engine.extender_calls import extender_problems
from playground.scheduling.engine.registry import registry_of
from playground.scheduling.models import Profile, SchedulerConfiguration
from playground.scheduling.models.scheduler import FIRST
from playground.scheduling.selectors.schedulers import scheduler_get, schedulers_of
from playground.scheduling.services.processes import processes_restart
from playground.scheduling.translation.configuration import Document, default_document, document_of, rows_of
from playground.scheduling.translation.effective import ConfigurationChange, configuration_changes
from playground.scheduling.translation.leader_election import leader_election
from scheduler_core.configuration import (
    Configuration,
    ConfigurationError,
    Extender,
    FieldProblem,
    LeaderElection,
    decode_configuration,
)
from scheduler_core.framework.registry import Registry
from scheduler_core.profiles import build_check
from scheduler_core.queue.scheduling_queue import DEFAULT_GATES

MOST_PROFILES = 50
MOST_EXTENDERS = 10
# Feature gates that change what the engine does, and whether they are on by themselves.
FEATURE_GATES: Mapping[str, bool] = {
    "DynamicResourceAllocation": True,
    "SchedulerAsyncPreemption": True,
    **DEFAULT_GATES,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenConfiguration:
    """A configuration as people wrote it."""

    # 0: the defaults, nobody wrote anything.
    revision: int
    document: Document
    # Those that differ from their default.
    feature_gates: dict[str, bool]
    # The plugins that the document may name.
    registry: Registry

    def decoded(self) -> Configuration:
        """Raises Invalid with everything that is wrong."""
        return configuration_check(document=self.document, registry=self.registry, feature_gates=self.feature_gates)


def configuration_get(*, cluster: Cluster, scheduler: str = FIRST) -> WrittenConfiguration:
    """As it was written; the defaults where nothing was."""
    row = SchedulerConfiguration.objects.filter(scheduler__cluster=cluster, scheduler__name=scheduler).first()
    registry = registry_of(cluster.pk)
    if row is None:
        return WrittenConfiguration(revision=0, document=default_document(), feature_gates={}, registry=registry)
    return WrittenConfiguration(
        revision=row.revision, document=document_of(row), feature_gates=row.feature_gates, registry=registry
    )


def configuration_replace(
    *,
    cluster: Cluster,
    document: Any,
    feature_gates: Mapping[str, Any] | None = None,
    scheduler: str = FIRST,
    dry_run: bool = False,
) -> tuple[WrittenConfiguration, list[ConfigurationChange]]:
    """Run with `document` from the next cycle on; answers what becomes different. Raises Invalid.

    Feature gates stay as they are unless given. With `dry_run` everything is checked and nothing written.
    """
    before = configuration_get(cluster=cluster, scheduler=scheduler)
    gates = before.feature_gates if feature_gates is None else checked_gates(feature_gates)
    wanted = replace(before, document=document, feature_gates=gates)
    configuration = wanted.decoded()
    extenders_check(configuration.extenders)
    changes = configuration_changes(before.decoded(), configuration)
    if dry_run:
        return wanted, changes
    with cluster_transaction(cluster.pk) as tx:
        # Once more under the lock: a plugin that it names may have been deleted meanwhile.
        replace(wanted, registry=registry_of(cluster.pk)).decoded()
        configuration_write(tx, wanted=wanted, scheduler=scheduler)
    return configuration_get(cluster=cluster, scheduler=scheduler), changes


def configuration_of_preset(cluster_id: int, document: Mapping[str, Any]) -> None:
    """What a preset wants its scheduler to run with, checked like anybody's. Raises Invalid."""
    configuration_replace(cluster=Cluster.objects.get(pk=cluster_id), document=document)


def configuration_write(tx: ClusterTransaction, *, wanted: WrittenConfiguration, scheduler: str = FIRST) -> None:
    """Store a configuration that was found to be valid. Raises NotFound."""
    deployed = scheduler_get(cluster_id=tx.cluster.pk, name=scheduler)
    row = SchedulerConfiguration.objects.filter(scheduler=deployed).first()
    row = row or SchedulerConfiguration(scheduler=deployed, revision=0)
    election = leader_election(wanted.document)
    replicas_check(count=deployed.replicas.count(), election=election)
    if leader_election(row.document) != election:
        # Processes read it when they start.
        processes_restart(tx, scheduler=deployed)
    row.revision += 1
    row.document, profiles = rows_of(wanted.document)
    row.feature_gates = wanted.feature_gates
    row.save()
    row.profiles.all().delete()
    for profile in profiles:
        profile.configuration = row
    Profile.objects.bulk_create(profiles)
    cluster_tell(tx)


def configurations_touch(tx: ClusterTransaction) -> None:
    """Something that the documents name became different: whatever was built from them is built anew."""
    written = SchedulerConfiguration.objects.filter(scheduler__cluster=tx.cluster)
    written.update(revision=F("revision") + 1)
    for scheduler in schedulers_of(cluster_id=tx.cluster.pk).filter(configuration=None):
        wanted = configuration_get(cluster=tx.cluster, scheduler=scheduler.name)
        configuration_write(tx, wanted=wanted, scheduler=scheduler.name)
    cluster_tell(tx)


def configuration_check(
    *, document: Any, registry: Registry, feature_gates: Mapping[str, bool] | None = None
) -> Configuration:
    """The document decoded. Raises Invalid with everything that is wrong."""
    try:
        configuration = decode_configuration(document, registry, feature_gates)
        build_check(configuration, registry)
    except ConfigurationError as error:
        raise Invalid(str(error), [_cause(problem) for problem in error.problems]) from None
    if len(configuration.profiles) > MOST_PROFILES:
        message = f"Too many: {len(configuration.profiles)}: must have at most {MOST_PROFILES} items"
        raise Invalid(f"profiles: {message}", [Cause(path="profiles", message=message)])
    return configuration


def extenders_check(extenders: Sequence[Extender]) -> None:
    """Whether this server would call them, and not for too long. Raises Invalid."""
    causes = [
        Cause(path=f"extenders[{i}].{field}", message=message)
        for i, extender in enumerate(extenders[:MOST_EXTENDERS])
        for field, message in extender_problems(extender)
    ]
    if len(extenders) > MOST_EXTENDERS:
        message = f"Too many: {len(extenders)}: must have at most {MOST_EXTENDERS} items"
        causes.append(Cause(path="extenders", message=message))
    if causes:
        raise Invalid("; ".join(f"{cause.path}: {cause.message}" for cause in causes), causes)


def replicas_check(*, count: int, election: LeaderElection) -> None:
    """Raises Invalid for processes that would all schedule, each as if it were alone."""
    if count > 1 and not election.leader_elect:
        path = "leaderElection.leaderElect"
        message = (
            f"must be true for a scheduler with {count} replicas, or all of them would schedule; "
            "set replicas to 1, or deploy another scheduler"
        )
        raise Invalid(f"{path}: {message}", [Cause(path=path, message=message)])


def _cause(problem: FieldProblem) -> Cause:
    return Cause(path=problem.where, message=f"{problem.message} ({problem.hint})" if problem.hint else problem.message)


def checked_gates(gates: Mapping[str, Any]) -> dict[str, bool]:
    """Raises Invalid naming each gate that is unknown or neither on nor off."""
    causes = [
        Cause(path=f"feature_gates.{name}", message=f"unknown feature gate; known are {', '.join(FEATURE_GATES)}")
        for name in gates
        if name not in FEATURE_GATES
    ]
    causes += [
        Cause(path=f"feature_gates.{name}", message="must be true or false")
        for name, value in gates.items()
        if not isinstance(value, bool)
    ]
    if causes:
        raise Invalid("; ".join(f"{cause.path}: {cause.message}" for cause in causes), causes)
    return dict(gates)
