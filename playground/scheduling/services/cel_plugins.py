"""Scheduler plugins that are written in the browser, or over REST, for one cluster.

    cel_plugins_list(cluster)                 cel_plugin_get(cluster, name)
    cel_plugin_create(cluster, values)        cel_plugin_replace(cluster, name, values)
    cel_plugin_delete(cluster, name)          cel_plugin_check(cluster, values, pod)

A plugin is stored only if it compiles, if its name is nobody else's, and if
every profile that names it still can. The configuration's revision rises with
each change, so that engines are built anew with the plugin as it is now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from playground.clusters.models import Cluster
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.errors import AlreadyExists, Cause, Conflict, Invalid, NotFound, Subject
from playground.scheduling.engine.observer import Observers, observers
from playground.scheduling.engine.registry import definition_of, installed_registry, registry_of
from playground.scheduling.models import CelPlugin, Profile
from playground.scheduling.selectors.schedulers import scheduler_get, schedulers_of
from playground.scheduling.services.profiles import configuration_get, configurations_touch
from scheduler_core.framework.registry import Registry
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.cel import (
    CelNodePreview,
    CelPluginDefinition,
    DefinitionProblem,
    cel_plugin_entry,
    definition_problems,
    preview,
)

MOST_CEL_PLUGINS = 50

# What would be the path of something else.
RESERVED = frozenset({"check"})
# What people write of a plugin, and nothing else.
FIELDS = CelPluginDefinition.__struct_fields__


class CelCheck(msgspec.Struct, kw_only=True):
    """What a definition comes to."""

    # Nothing was evaluated where there are any.
    problems: list[DefinitionProblem]
    # One for each node, where a pod was given.
    nodes: list[CelNodePreview] = []


def cel_plugins_list(*, cluster: Cluster) -> list[CelPluginDefinition]:
    return [definition_of(row) for row in CelPlugin.objects.filter(cluster=cluster)]


def cel_plugin_get(*, cluster: Cluster, name: str) -> CelPluginDefinition:
    return definition_of(_row(cluster, name))


def cel_plugin_create(*, cluster: Cluster, values: Mapping[str, Any]) -> CelPluginDefinition:
    """Raises Invalid with every mistake, AlreadyExists."""
    definition = _checked(_definition(values))
    with cluster_transaction(cluster.pk) as tx:
        cel_plugin_add(tx, definition=definition)
    return definition


def cel_plugin_of_preset(cluster_id: int, values: Mapping[str, str]) -> None:
    """One that a preset brings, checked like anybody's. Raises Invalid."""
    cel_plugin_create(cluster=Cluster.objects.get(pk=cluster_id), values=values)


def cel_plugin_add(tx: ClusterTransaction, *, definition: CelPluginDefinition) -> None:
    """Store a definition that was checked. Raises AlreadyExists, Invalid."""
    rows = CelPlugin.objects.filter(cluster=tx.cluster)
    if definition.name in installed_registry() or rows.filter(name=definition.name).exists():
        raise AlreadyExists(f'there is a plugin "{definition.name}" already; give this one another name')
    if rows.count() >= MOST_CEL_PLUGINS:
        message = f"a cluster has at most {MOST_CEL_PLUGINS} CEL plugins; delete one that no profile names"
        raise Invalid(message, [Cause(path="name", message=message)])
    CelPlugin.objects.create(cluster=tx.cluster, **msgspec.structs.asdict(definition))
    configurations_touch(tx)


def cel_plugin_replace(*, cluster: Cluster, name: str, values: Mapping[str, Any]) -> CelPluginDefinition:
    """Raises Invalid, NotFound, and Conflict where a profile needs what would be gone."""
    definition = _checked(_definition({"name": name, **values}))
    if definition.name != name:
        message = f"a plugin's name stays: {name!r}; make another one and delete this"
        raise Invalid(f"name: {message}", [Cause(path="name", message=message)])
    with cluster_transaction(cluster.pk) as tx:
        row = _row(cluster, name)
        _check_profiles(cluster, {**registry_of(cluster.pk), name: cel_plugin_entry(definition)}, name)
        row.filter, row.score, row.message = definition.filter, definition.score, definition.message
        row.save()
        configurations_touch(tx)
    return definition


def cel_plugin_delete(*, cluster: Cluster, name: str) -> None:
    """Raises NotFound, and Conflict where a profile names it."""
    with cluster_transaction(cluster.pk) as tx:
        row = _row(cluster, name)
        profiles = list(_profiles_naming(cluster, name))
        if profiles:
            named = ", ".join(profiles)
            raise Conflict(f'the plugin "{name}" is enabled in profile {named}; take it out there first (profiles/)')
        row.delete()
        configurations_touch(tx)


def cel_plugin_check(
    *, cluster: Cluster, values: Mapping[str, Any], pod: PodInfo | None, observers: Observers = observers
) -> CelCheck:
    """Without storing anything: what is wrong with a definition, and what it would say about each node."""
    definition = _definition({"name": "Unnamed", **values})
    problems = definition_problems(definition)
    if problems or pod is None:
        return CelCheck(problems=problems)
    # What is on the nodes is the same for every scheduler, but for pods that another one is about to bind.
    with observers.looking(cluster, scheduler_get(cluster_id=cluster.pk).pk) as observer:
        snapshot = observer.scheduler.cache.snapshot
        snapshot.refresh()
        return CelCheck(problems=[], nodes=preview(definition, pod, snapshot))


def _definition(values: Mapping[str, Any]) -> CelPluginDefinition:
    """Raises Invalid naming each field that is unknown or no text."""
    causes = [
        Cause(path=name, message=f"unknown field; known are {', '.join(FIELDS)}")
        for name in values
        if name not in FIELDS
    ]
    causes += [
        Cause(path=name, message="must be a text")
        for name, value in values.items()
        if name in FIELDS and not isinstance(value, str)
    ]
    if "name" not in values:
        causes.append(Cause(path="name", message="Required value", reason="FieldValueRequired"))
    if causes:
        raise _invalid(causes)
    return CelPluginDefinition(**values)


def _checked(definition: CelPluginDefinition) -> CelPluginDefinition:
    causes = [
        Cause(path=problem.field, message=problem.message, line=problem.line or None, column=problem.column or None)
        for problem in definition_problems(definition)
    ]
    if definition.name in RESERVED:
        causes.append(Cause(path="name", message=f"{definition.name!r} is reserved; give it another name"))
    if causes:
        raise _invalid(causes)
    return definition


def _invalid(causes: Sequence[Cause]) -> Invalid:
    return Invalid("; ".join(f"{cause.path}: {cause.message}{_place(cause)}" for cause in causes), causes)


def _place(cause: Cause) -> str:
    return f" (line {cause.line}, column {cause.column})" if cause.line else ""


def _row(cluster: Cluster, name: str) -> CelPlugin:
    row = CelPlugin.objects.filter(cluster=cluster, name=name).first()
    if row is None:
        raise NotFound(f'CEL plugin "{name}" not found', subject=Subject(name=name, kind="cel-plugins"))
    return row


def _profiles_naming(cluster: Cluster, name: str) -> Iterator[str]:
    for profile in Profile.objects.filter(configuration__scheduler__cluster=cluster):
        sets = [each for each in profile.plugins.values() if isinstance(each, Mapping)]
        enabled = (ref for plugin_set in sets for ref in plugin_set.get("enabled") or ())
        if any(ref.get("name") == name for ref in enabled):
            yield profile.scheduler_name


def _check_profiles(cluster: Cluster, registry: Registry, name: str) -> None:
    """A profile may have enabled the plugin at a point of which it is to lose the expression."""
    try:
        for scheduler in schedulers_of(cluster_id=cluster.pk):
            replace(configuration_get(cluster=cluster, scheduler=scheduler.name), registry=registry).decoded()
    except Invalid as problem:
        raise Conflict(
            f'a profile could not use the plugin "{name}" any more: {problem.message}', problem.causes
        ) from None
