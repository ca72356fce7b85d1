"""What the types of the document cannot say, beyond plugin arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from scheduler_core.configuration.argument_validation import NOT_QUALIFIED, validate_arguments
from scheduler_core.configuration.document import (
    ClientConnection,
    ConfigurationDocument,
    ExtenderDocument,
    LeaderElectionDocument,
    PluginRef,
    PluginSet,
    ProfileDocument,
)
from scheduler_core.configuration.durations import parse_duration
from scheduler_core.configuration.errors import FieldProblem, duplicate, invalid, required
from scheduler_core.objects.label_selector import is_qualified_name

# Arguments of one profile by plugin name.
Arguments = Mapping[str, Any]

# Bounds a configuration well beyond any real one.
MAX_PROFILES = 100

_NATIVE_PREFIX = "kubernetes.io/"


def validate(document: ConfigurationDocument, arguments: Sequence[Sequence[Any]]) -> Iterator[FieldProblem]:
    """All problems; `arguments[i][j]` are the decoded ones of `profiles[i].pluginConfig[j]`."""
    yield from _client_connection(document.client_connection)
    yield from _leader_election(document.leader_election)
    if document.parallelism <= 0:
        yield invalid("parallelism", document.parallelism, "should be an integer value greater than zero")
    yield from _profiles(document.profiles, arguments)
    yield from _percentage("percentageOfNodesToScore", document.percentage_of_nodes_to_score)
    yield from _backoff(document.pod_initial_backoff_seconds, document.pod_max_backoff_seconds)
    yield from _extenders(document.extenders)


def _client_connection(connection: ClientConnection) -> Iterator[FieldProblem]:
    if connection.burst < 0:
        yield invalid("clientConnection.burst", connection.burst, "must be non-negative")


def _leader_election(election: LeaderElectionDocument) -> Iterator[FieldProblem]:
    written = {
        "leaseDuration": election.lease_duration,
        "renewDeadline": election.renew_deadline,
        "retryPeriod": election.retry_period,
    }
    if not election.leader_elect:
        return
    seconds = {name: parse_duration(text) for name, text in written.items()}
    for name, text in written.items():
        if seconds[name] <= 0:
            yield invalid(f"leaderElection.{name}", text, "must be greater than zero")
    if seconds["leaseDuration"] < seconds["renewDeadline"]:
        yield invalid("leaderElection.leaseDuration", written["renewDeadline"], "must be greater than `RenewDeadline`")
    if seconds["renewDeadline"] < seconds["retryPeriod"]:
        yield invalid("leaderElection.renewDeadline", written["retryPeriod"], "must be greater than `RetryPeriod`")
    for name in ("resource_lock", "resource_name", "resource_namespace"):
        if not getattr(election, name):
            field = f"resource{name.removeprefix('resource_').capitalize()}"
            yield required(f"leaderElection.{field}", f"{field} is required")
    if election.resource_lock != "leases":
        yield invalid("leaderElection.resourceLock", election.resource_lock, 'resourceLock value must be "leases"')


def _profiles(profiles: Sequence[ProfileDocument], arguments: Sequence[Sequence[Any]]) -> Iterator[FieldProblem]:
    if not profiles:
        yield required("profiles")
        return
    if len(profiles) > MAX_PROFILES:
        yield invalid("profiles", len(profiles), f"must be at most {MAX_PROFILES}")
    first: dict[str, int] = {}
    for i, profile in enumerate(profiles):
        yield from _profile(profile, arguments[i], f"profiles[{i}]")
        name = profile.scheduler_name or ""
        if name in first:
            hint = f'profiles[{first[name]}] is called "{name}", too; a pod chooses its profile by this name'
            # kube-scheduler prints no more of the value than this.
            yield duplicate(f"profiles[{i}].schedulerName", {}, hint)
        first[name] = i
    yield from _common_queue_sort(profiles, arguments)


def _profile(profile: ProfileDocument, arguments: Sequence[Any], path: str) -> Iterator[FieldProblem]:
    if not profile.scheduler_name:
        yield required(f"{path}.schedulerName")
    yield from _percentage(f"{path}.percentageOfNodesToScore", profile.percentage_of_nodes_to_score)
    seen: set[str] = set()
    for j, config in enumerate(profile.plugin_config):
        if config.name in seen:
            yield duplicate(f"{path}.pluginConfig[{j}]", config.name)
        seen.add(config.name)
        yield from validate_arguments(arguments[j], f"{path}.pluginConfig[{j}].args")


def _percentage(path: str, value: int | None) -> Iterator[FieldProblem]:
    if value is not None and not 0 <= value <= 100:
        yield invalid(path, value, "not in valid range [0-100]")


def _common_queue_sort(
    profiles: Sequence[ProfileDocument], arguments: Sequence[Sequence[Any]]
) -> Iterator[FieldProblem]:
    """One queue has one order, so all profiles must ask for the same."""
    common = profiles[0].plugins.queue_sort
    if len(common.enabled) > 1:
        yield invalid(
            "profiles[0].plugins.queueSort.Enabled", len(common.enabled), "only one queue sort plugin can be enabled"
        )
    name = common.enabled[0].name if common.enabled else ""
    common_args = _arguments_of(name, profiles[0], arguments[0])
    for i, profile in enumerate(profiles[1:], start=1):
        if profile.plugins.queue_sort != common:
            shown = _as_go_prints(profile.plugins.queue_sort)
            yield invalid(f"profiles[{i}].plugins.queueSort", shown, "must be the same for all profiles")
        args = _arguments_of(name, profile, arguments[i])
        if name and args != common_args:
            shown_args = msgspec.to_builtins(args)
            yield invalid(f"profiles[{i}].pluginConfig.args", shown_args, "queueSort must be the same for all profiles")


def _arguments_of(name: str, profile: ProfileDocument, arguments: Sequence[Any]) -> Any:
    for config, args in zip(profile.plugin_config, arguments, strict=True):
        if name and config.name == name:
            return args
    return None


def _as_go_prints(plugins: PluginSet) -> dict[str, Any]:
    def listed(refs: tuple[PluginRef, ...]) -> list[dict[str, Any]] | None:
        return [{"Name": ref.name, "Weight": ref.weight} for ref in refs] or None

    return {"Enabled": listed(plugins.enabled), "Disabled": listed(plugins.disabled)}


def _backoff(initial: int, maximum: int) -> Iterator[FieldProblem]:
    if initial <= 0:
        yield invalid("podInitialBackoffSeconds", initial, "must be greater than 0")
    if maximum < initial:
        yield invalid("podMaxBackoffSeconds", maximum, "must be greater than or equal to PodInitialBackoffSeconds")


def _extenders(extenders: Sequence[ExtenderDocument]) -> Iterator[FieldProblem]:
    managed: set[str] = set()
    for i, extender in enumerate(extenders):
        if extender.prioritize_verb and extender.weight <= 0:
            yield invalid(f"extenders[{i}].weight", extender.weight, "must have a positive weight applied to it")
        for j, resource in enumerate(extender.managed_resources):
            path = f"extenders[{i}].managedResources[{j}].name"
            yield from _extended_resource(path, resource.name)
            if resource.name in managed:
                yield invalid(path, resource.name, "duplicate extender managed resource name")
            managed.add(resource.name)
    binders = sum(1 for extender in extenders if extender.bind_verb)
    if binders > 1:
        found = f"found {binders} extenders implementing bind"
        yield invalid("extenders", found, "only one extender can implement bind")


def _extended_resource(path: str, name: str) -> Iterator[FieldProblem]:
    if not is_qualified_name(name):
        yield invalid(path, name, NOT_QUALIFIED)
    elif "/" not in name or _NATIVE_PREFIX in name or name.startswith("requests."):
        yield invalid(path, name, "is an invalid extended resource name")
