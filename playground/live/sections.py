"""Sections of the snapshot that other apps bring, so that live knows none of them.

    sections.register("queue", read)        in AppConfig.ready

`read(cluster_id)` answers that section's cards as they are now; it is called
inside the one transaction that reads the whole snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

SectionName = Literal["queue", "bindings", "decisions"]
SectionReader = Callable[[int], Sequence[Any]]

_readers: dict[SectionName, SectionReader] = {}


def register(name: SectionName, reader: SectionReader) -> None:
    """`reader` answers QueuedPodCards, BindingCards or DecisionSummaries (oldest first, at most 200)."""
    _readers[name] = reader


def read(name: SectionName, cluster_id: int) -> list[Any]:
    """The section's cards; none where no app brings it."""
    reader = _readers.get(name)
    return [] if reader is None else list(reader(cluster_id))
