"""A configuration that can be run: decoded, defaulted, validated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scheduler_core.framework.interface import ExtensionPoint


@dataclass(frozen=True, kw_only=True)
class Profile:
    """One scheduler that pods may name in spec.schedulerName."""

    scheduler_name: str
    # None: as the configuration says.
    percentage_of_nodes_to_score: int | None
    # Every extension point, plugins in the order in which they run.
    plugins: Mapping[ExtensionPoint, tuple[str, ...]]
    # Of the Score plugins.
    weights: Mapping[str, int]
    # Decoded arguments of every enabled plugin.
    args: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class LeaderElection:
    leader_elect: bool
    # Seconds.
    lease_duration: float
    renew_deadline: float
    retry_period: float
    resource_lock: str
    resource_name: str
    resource_namespace: str


class ManagedResource(NamedTuple):
    """An extended resource an extender looks after."""

    name: str
    # NodeResourcesFit leaves it to the extender.
    ignored_by_scheduler: bool


@dataclass(frozen=True, kw_only=True)
class ExtenderTls:
    """How an extender's certificate is checked, and what it is shown. Data is PEM in base64."""

    insecure: bool
    server_name: str
    ca_data: str
    cert_data: str
    key_data: str
    # Fields that name files instead: "caFile", "certFile", "keyFile".
    files: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Extender:
    """An HTTP service asked beside the plugins; "" for a verb it does not have."""

    url_prefix: str
    filter_verb: str
    preempt_verb: str
    prioritize_verb: str
    bind_verb: str
    weight: int
    enable_https: bool
    tls: ExtenderTls | None
    # Seconds.
    http_timeout: float
    # It knows the nodes: names are enough.
    node_cache_capable: bool
    managed_resources: tuple[ManagedResource, ...]
    # A failure of it is passed over.
    ignorable: bool


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """What a scheduler runs with."""

    # Kept for fidelity; the engine decides without threads.
    parallelism: int
    # 0: adapts to the size of the cluster.
    percentage_of_nodes_to_score: int
    pod_initial_backoff_seconds: int
    pod_max_backoff_seconds: int
    leader_election: LeaderElection
    # In the order of the document.
    profiles: tuple[Profile, ...]
    extenders: tuple[Extender, ...]

    def profile(self, scheduler_name: str) -> Profile | None:
        """The profile that pods with this spec.schedulerName use."""
        return next((each for each in self.profiles if each.scheduler_name == scheduler_name), None)
