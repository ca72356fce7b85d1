"""What an extender is, who makes the calls, where manifests come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from scheduler_core.objects.node import Node
    from scheduler_core.objects.pod_info import PodInfo


class ManagedResourceSpec(Protocol):
    @property
    def name(self) -> str: ...


class ExtenderSpec(Protocol):
    """An entry of `extenders` in a KubeSchedulerConfiguration; "" for a verb it does not have."""

    @property
    def url_prefix(self) -> str: ...
    @property
    def filter_verb(self) -> str: ...
    @property
    def prioritize_verb(self) -> str: ...
    @property
    def preempt_verb(self) -> str: ...
    @property
    def bind_verb(self) -> str: ...
    @property
    def weight(self) -> int: ...
    @property
    def http_timeout(self) -> float:
        """Seconds."""
        ...

    @property
    def node_cache_capable(self) -> bool:
        """It knows the nodes: names are enough."""
        ...

    @property
    def managed_resources(self) -> Sequence[ManagedResourceSpec]: ...
    @property
    def ignorable(self) -> bool:
        """A failure of it is passed over."""
        ...


class ExtenderAnswer(NamedTuple):
    # HTTP status.
    status: int
    body: bytes


class ExtenderUnreachable(Exception):
    """No answer: refused, too late, too large, not allowed. The text is what the pod's event says."""


class ExtenderCaller(Protocol):
    """Makes the calls; the only part of all this that knows a network."""

    def post(self, extender: ExtenderSpec, url: str, body: bytes) -> ExtenderAnswer:
        """POST a JSON body, within the extender's `http_timeout`. Raises ExtenderUnreachable."""
        ...


class ManifestSource(Protocol):
    """Objects as JSON the way kube-scheduler sends them, with every field the engine itself does not read."""

    def pod(self, pod: PodInfo) -> bytes: ...
    def node(self, node: Node) -> bytes: ...
