"""Which node has which container image.

As in kube-scheduler an image has one size, the one told by the first node that
had it, and is forgotten with its last node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scheduler_core.snapshot.node_row import NodeRow

if TYPE_CHECKING:
    from scheduler_core.objects.pod_info import PodInfo


class Image:
    """One image name."""

    __slots__ = ("name", "nodes", "size")

    def __init__(self, name: str, size: int) -> None:
        self.name = name
        # Bytes.
        self.size = size
        self.nodes: set[NodeRow] = set()

    def rows(self) -> NDArray[np.intp]:
        """Rows of the nodes that have it, ascending."""
        return np.sort(np.fromiter((node.row for node in self.nodes), dtype=np.intp, count=len(self.nodes)))


class ImageTable:
    """Images by name."""

    def __init__(self) -> None:
        self.by_name: dict[str, Image] = {}

    def node_set(self, record: NodeRow) -> None:
        for image in record.node.status.images:
            for name in image.names:
                self.by_name.setdefault(name, Image(name, image.size_bytes)).nodes.add(record)

    def node_cleared(self, record: NodeRow) -> None:
        for image in record.node.status.images:
            for name in image.names:
                self._drop(name, record)

    def _drop(self, name: str, record: NodeRow) -> None:
        image = self.by_name.get(name)
        if image is None:
            return
        image.nodes.discard(record)
        if not image.nodes:
            del self.by_name[name]

    def resize(self, capacity: int) -> None:
        """Keyed by node."""

    def permute(self, old_rows: NDArray[np.intp]) -> None:
        """Keyed by node."""

    def pod_added(self, record: NodeRow, pod: PodInfo) -> None:
        """The images of a pod are told by the node once they are pulled."""

    def pod_removed(self, record: NodeRow, pod: PodInfo) -> None:
        """The images of a pod are told by the node once they are pulled."""
