"""The fields of a KubeSchedulerConfiguration document, version v1.

Absent and given are told apart (None) where a default depends on it.
"""

from __future__ import annotations

from typing import Any

import msgspec

API_GROUP = "kubescheduler.config.k8s.io"
API_VERSION = f"{API_GROUP}/v1"
KIND = "KubeSchedulerConfiguration"


class Document(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A part of the document."""


class PluginRef(Document, frozen=True, kw_only=True):
    name: str = ""
    # 0: the default weight.
    weight: int = 0


class PluginSet(Document, frozen=True, kw_only=True):
    """Changes to the plugins of one extension point."""

    enabled: tuple[PluginRef, ...] = ()
    # "*": all of the default ones.
    disabled: tuple[PluginRef, ...] = ()


class Plugins(Document, frozen=True, kw_only=True):
    """Changes to the default plugins; `multi_point` is for all extension points a plugin has."""

    pre_enqueue: PluginSet = PluginSet()
    queue_sort: PluginSet = PluginSet()
    pre_filter: PluginSet = PluginSet()
    filter: PluginSet = PluginSet()
    post_filter: PluginSet = PluginSet()
    pre_score: PluginSet = PluginSet()
    score: PluginSet = PluginSet()
    reserve: PluginSet = PluginSet()
    permit: PluginSet = PluginSet()
    pre_bind: PluginSet = PluginSet()
    bind: PluginSet = PluginSet()
    post_bind: PluginSet = PluginSet()
    multi_point: PluginSet = PluginSet()


class PluginConfig(Document, frozen=True, kw_only=True):
    name: str = ""
    args: dict[str, Any] | None = None


class ProfileDocument(Document, frozen=True, kw_only=True):
    scheduler_name: str | None = None
    percentage_of_nodes_to_score: int | None = None
    plugins: Plugins = Plugins()
    plugin_config: tuple[PluginConfig, ...] = ()


class LeaderElectionDocument(Document, frozen=True, kw_only=True):
    leader_elect: bool = True
    # Go durations.
    lease_duration: str = "15s"
    renew_deadline: str = "10s"
    retry_period: str = "2s"
    resource_lock: str = "leases"
    resource_name: str = "kube-scheduler"
    resource_namespace: str = "kube-system"


class ClientConnection(Document, frozen=True, kw_only=True):
    kubeconfig: str = ""
    accept_content_types: str = ""
    content_type: str = "application/vnd.kubernetes.protobuf"
    qps: float = 50.0
    burst: int = 100


class TlsConfig(Document, frozen=True, kw_only=True):
    insecure: bool = False
    server_name: str = ""
    cert_file: str = ""
    key_file: str = ""
    ca_file: str = ""
    cert_data: str = ""
    key_data: str = ""
    ca_data: str = ""


class ManagedResource(Document, frozen=True, kw_only=True):
    name: str = ""
    ignored_by_scheduler: bool = False


class ExtenderDocument(Document, frozen=True, kw_only=True):
    url_prefix: str = ""
    filter_verb: str = ""
    preempt_verb: str = ""
    prioritize_verb: str = ""
    weight: int = 0
    bind_verb: str = ""
    enable_https: bool = msgspec.field(default=False, name="enableHTTPS")
    tls_config: TlsConfig | None = None
    # A Go duration.
    http_timeout: str = "0s"
    node_cache_capable: bool = False
    managed_resources: tuple[ManagedResource, ...] = ()
    ignorable: bool = False


class ConfigurationDocument(Document, frozen=True, kw_only=True):
    api_version: str = API_VERSION
    kind: str = KIND
    parallelism: int = 16
    leader_election: LeaderElectionDocument = LeaderElectionDocument()
    client_connection: ClientConnection = ClientConnection()
    enable_profiling: bool = True
    enable_contention_profiling: bool = True
    percentage_of_nodes_to_score: int = 0
    pod_initial_backoff_seconds: int = 1
    pod_max_backoff_seconds: int = 10
    profiles: tuple[ProfileDocument, ...] = ()
    extenders: tuple[ExtenderDocument, ...] = ()
    delay_cache_until_active: bool = False
