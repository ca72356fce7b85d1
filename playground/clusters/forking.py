"""What a fork of a cluster takes along beside its objects: each app says so for its own tables.

    forking.register("scheduling", copy)        in AppConfig.ready

`copy(source, fork)` runs in the fork's transaction, after its objects are
there. Tables that nobody copies start anew.
"""

from __future__ import annotations

from collections.abc import Callable

from playground.clusters.models import Cluster

Copy = Callable[[Cluster, Cluster], None]

_copies: dict[str, Copy] = {}


def register(name: str, copy: Copy) -> None:
    _copies[name] = copy


def copy_all(source: Cluster, fork: Cluster) -> None:
    for copy in _copies.values():
        copy(source, fork)
