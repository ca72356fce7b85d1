"""From a document to a Configuration.

The steps and their order are kube-scheduler's, so that of several mistakes the
same one is reported: strict decoding, defaults, validation of the whole, then
building the profiles one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scheduler_core.configuration.argument_validation import validate_late
from scheduler_core.configuration.arguments import decode_arguments, with_defaults
from scheduler_core.configuration.defaults import default_plugins, merged
from scheduler_core.configuration.document import (
    API_GROUP,
    API_VERSION,
    KIND,
    ConfigurationDocument,
    ExtenderDocument,
    LeaderElectionDocument,
    ProfileDocument,
    TlsConfig,
)
from scheduler_core.configuration.durations import parse_duration
from scheduler_core.configuration.effective import effective_plugins
from scheduler_core.configuration.errors import ConfigurationError, FieldProblem
from scheduler_core.configuration.model import (
    Configuration,
    Extender,
    ExtenderTls,
    LeaderElection,
    ManagedResource,
    Profile,
)
from scheduler_core.configuration.strict import decode_strictly
from scheduler_core.configuration.validation import validate
from scheduler_core.framework.registry import Registry
from scheduler_core.objects.pod import DEFAULT_SCHEDULER_NAME
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.plugins.args import NodeResourcesFitArgs

# Seconds; where an extender says nothing.
DEFAULT_EXTENDER_TIMEOUT = 5.0

_GONE = "the plugins SelectorSpread and NodePreferAvoidPods are gone (use PodTopologySpread and taints)"
_WEIGHTS = "default weights are TaintToleration 3, NodeAffinity 2, PodTopologySpread 2, InterPodAffinity 2"
_OLD_VERSIONS: Mapping[str, str] = {
    "v1beta1": f"NodeLabel and ServiceAffinity are gone (use NodeAffinity), {_GONE}, {_WEIGHTS}",
    "v1beta2": f"{_GONE}, {_WEIGHTS}",
    "v1beta3": _GONE,
}


def default_configuration(
    registry: Registry = DEFAULT_REGISTRY, feature_gates: Mapping[str, bool] | None = None
) -> Configuration:
    """What kube-scheduler runs with when it is given no file."""
    return decode_configuration({"apiVersion": API_VERSION, "kind": KIND}, registry, feature_gates)


def decode_configuration(
    value: Any,
    registry: Registry = DEFAULT_REGISTRY,
    feature_gates: Mapping[str, bool] | None = None,
    source: str = "",
) -> Configuration:
    """The configuration a decoded YAML document describes. `source`, its text, is quoted in errors.

    Raises ConfigurationError.
    """
    _check_type(value, source)
    document = _defaulted(decode_strictly(ConfigurationDocument, value))
    _check_durations(document)
    arguments = [_decode_all_arguments(profile, i, registry) for i, profile in enumerate(document.profiles)]
    problems = list(validate(document, arguments))
    if problems:
        raise ConfigurationError(problems)
    return _configuration(document, arguments, registry, feature_gates or {})


def _check_type(value: Any, source: str) -> None:
    """Kind and version, before anything else is looked at."""
    if not isinstance(value, Mapping):
        raise ConfigurationError.because(f"expected an object with apiVersion and kind, got {type(value).__name__}")
    for field in ("apiVersion", "kind"):
        if not value.get(field):
            quoted = f" in '{source}'" if source else ""
            raise ConfigurationError.because(f"Object '{field}' is missing{quoted}", at=field)
    version, kind = str(value["apiVersion"]), str(value["kind"])
    if version != API_VERSION or kind != KIND:
        text = f'no kind "{kind}" is registered for version "{version}"'
        raise ConfigurationError.because(f"{text}: {_what_to_change(version)}", at="apiVersion")


def _what_to_change(version: str) -> str:
    group, _, number = version.partition("/")
    if group == API_GROUP and number in _OLD_VERSIONS:
        return f"write apiVersion: {API_VERSION}; coming from {number}, {_OLD_VERSIONS[number]}"
    return f"write apiVersion: {API_VERSION} and kind: {KIND}"


def _defaulted(document: ConfigurationDocument) -> ConfigurationDocument:
    """One profile need not be named, and there is always one."""
    profiles = document.profiles or (ProfileDocument(),)
    if len(profiles) == 1 and profiles[0].scheduler_name is None:
        profiles = (msgspec.structs.replace(profiles[0], scheduler_name=DEFAULT_SCHEDULER_NAME),)
    return msgspec.structs.replace(document, profiles=profiles)


def _check_durations(document: ConfigurationDocument) -> None:
    election = document.leader_election
    texts = {
        "leaderElection.leaseDuration": election.lease_duration,
        "leaderElection.renewDeadline": election.renew_deadline,
        "leaderElection.retryPeriod": election.retry_period,
        **{f"extenders[{i}].httpTimeout": each.http_timeout for i, each in enumerate(document.extenders)},
    }
    problems = []
    for path, text in texts.items():
        try:
            parse_duration(text)
        except ValueError as failure:
            problems.append(FieldProblem(path, str(failure), "write a number with a unit, such as 15s or 1m30s"))
    if problems:
        raise ConfigurationError(problems)


def _decode_all_arguments(profile: ProfileDocument, i: int, registry: Registry) -> list[Any]:
    return [
        decode_arguments(config, registry, f"profiles[{i}].pluginConfig[{j}]")
        for j, config in enumerate(profile.plugin_config)
    ]


def _configuration(
    document: ConfigurationDocument,
    arguments: Sequence[Sequence[Any]],
    registry: Registry,
    feature_gates: Mapping[str, bool],
) -> Configuration:
    extenders = tuple(map(_extender, document.extenders))
    profiles = [
        _profile(f"profiles[{i}]", profile, args, registry, feature_gates, extenders)
        for i, (profile, args) in enumerate(zip(document.profiles, arguments, strict=True))
    ]
    return Configuration(
        parallelism=document.parallelism,
        percentage_of_nodes_to_score=document.percentage_of_nodes_to_score,
        pod_initial_backoff_seconds=document.pod_initial_backoff_seconds,
        pod_max_backoff_seconds=document.pod_max_backoff_seconds,
        leader_election=_leader_election(document.leader_election),
        profiles=tuple(profiles),
        extenders=extenders,
    )


def _profile(
    path: str,
    document: ProfileDocument,
    arguments: Sequence[Any],
    registry: Registry,
    feature_gates: Mapping[str, bool],
    extenders: Sequence[Extender],
) -> Profile:
    name = document.scheduler_name or ""
    plugins = merged(default_plugins(registry, feature_gates), document.plugins)
    given = {config.name: args for config, args in zip(document.plugin_config, arguments, strict=True)}
    needed = {ref.name for field in plugins.__struct_fields__ for ref in getattr(plugins, field).enabled}
    try:
        _check_late([each for each in given if each in needed], given)
        effective = effective_plugins(name, plugins, registry)
    except ConfigurationError as failure:
        prefix = f"initializing profiles: creating profile for scheduler name {name}: "
        raise ConfigurationError(failure.problems_at(path), prefix + _plugin_prefix(failure)) from None
    names = dict.fromkeys(each for enabled in effective.names.values() for each in enabled)
    return Profile(
        scheduler_name=name,
        percentage_of_nodes_to_score=document.percentage_of_nodes_to_score,
        plugins=effective.names,
        weights=effective.weights,
        args={each: _arguments(each, given, registry, extenders) for each in names},
    )


class _LateError(ConfigurationError):
    """Arguments a plugin refused when it was built."""

    def __init__(self, plugin: str, problems: Sequence[FieldProblem]) -> None:
        super().__init__(problems)
        self.plugin = plugin


def _check_late(names: Sequence[str], given: Mapping[str, Any]) -> None:
    for name in names:
        problems = validate_late(given[name])
        if problems:
            raise _LateError(name, problems)


def _plugin_prefix(failure: ConfigurationError) -> str:
    return f'initializing plugin "{failure.plugin}": ' if isinstance(failure, _LateError) else ""


def _arguments(name: str, given: Mapping[str, Any], registry: Registry, extenders: Sequence[Extender]) -> Any:
    args = given[name] if name in given else with_defaults(registry[name].args())
    ignored = {each.name for extender in extenders for each in extender.managed_resources if each.ignored_by_scheduler}
    if ignored and isinstance(args, NodeResourcesFitArgs):
        # What extenders look after comes before what the arguments say.
        return msgspec.structs.replace(args, ignored_resources=tuple(sorted(ignored)))
    return args


def decode_leader_election(written: Mapping[str, Any]) -> LeaderElection:
    """The part alone, of a document that was found to be valid."""
    return _leader_election(msgspec.convert(written, LeaderElectionDocument))


def _leader_election(document: LeaderElectionDocument) -> LeaderElection:
    return LeaderElection(
        leader_elect=document.leader_elect,
        lease_duration=parse_duration(document.lease_duration),
        renew_deadline=parse_duration(document.renew_deadline),
        retry_period=parse_duration(document.retry_period),
        resource_lock=document.resource_lock,
        resource_name=document.resource_name,
        resource_namespace=document.resource_namespace,
    )


def _extender_tls(document: TlsConfig) -> ExtenderTls:
    files = {"certFile": document.cert_file, "keyFile": document.key_file, "caFile": document.ca_file}
    return ExtenderTls(
        insecure=document.insecure,
        server_name=document.server_name,
        ca_data=document.ca_data,
        cert_data=document.cert_data,
        key_data=document.key_data,
        files=tuple(field for field, file in files.items() if file),
    )


def _extender(document: ExtenderDocument) -> Extender:
    return Extender(
        url_prefix=document.url_prefix,
        filter_verb=document.filter_verb,
        preempt_verb=document.preempt_verb,
        prioritize_verb=document.prioritize_verb,
        bind_verb=document.bind_verb,
        weight=document.weight,
        enable_https=document.enable_https,
        tls=_extender_tls(document.tls_config) if document.tls_config else None,
        http_timeout=parse_duration(document.http_timeout) or DEFAULT_EXTENDER_TIMEOUT,
        node_cache_capable=document.node_cache_capable,
        managed_resources=tuple(
            ManagedResource(each.name, each.ignored_by_scheduler) for each in document.managed_resources
        ),
        ignorable=document.ignorable,
    )
