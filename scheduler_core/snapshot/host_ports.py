"""Which host ports are taken on which node.

Keyed by (protocol, port) and then by address, because only the address
decides whether two uses of one port are in each other's way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scheduler_core.snapshot.node_row import NodeRow

if TYPE_CHECKING:
    from scheduler_core.objects.pod_info import PodInfo


class HostPortTable:
    """Uses of host ports by the pods on the nodes."""

    def __init__(self) -> None:
        # (protocol, port) -> address -> node -> pods using it
        self._users: dict[tuple[str, int], dict[str, Counter[NodeRow]]] = {}

    def users(self, protocol: str, port: int) -> Iterator[tuple[str, NDArray[np.intp]]]:
        """Each address on which the port is taken, with the rows where it is."""
        for address, nodes in self._users.get((protocol, port), {}).items():
            yield address, np.fromiter((node.row for node in nodes), dtype=np.intp, count=len(nodes))

    def pod_added(self, record: NodeRow, pod: PodInfo) -> None:
        for port in pod.host_ports:
            addresses = self._users.setdefault((port.protocol, port.port), {})
            addresses.setdefault(port.address, Counter())[record] += 1

    def pod_removed(self, record: NodeRow, pod: PodInfo) -> None:
        for port in pod.host_ports:
            self._drop(record, port.protocol, port.port, port.address)

    def _drop(self, record: NodeRow, protocol: str, port: int, address: str) -> None:
        addresses = self._users[protocol, port]
        nodes = addresses[address]
        nodes[record] -= 1
        if nodes[record]:
            return
        del nodes[record]
        if not nodes:
            del addresses[address]
        if not addresses:
            del self._users[protocol, port]

    def resize(self, capacity: int) -> None:
        """Keyed by node."""

    def permute(self, old_rows: NDArray[np.intp]) -> None:
        """Keyed by node."""

    def node_set(self, record: NodeRow) -> None:
        """Only pods take ports."""

    def node_cleared(self, record: NodeRow) -> None:
        """Only pods take ports."""
