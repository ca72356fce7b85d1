"""Answers kept as long as they hold.

Most plugins work out the same thing for every pod of a class: which nodes
tolerate it, which match its affinity. Such an answer holds until the nodes (or
the pods on them) change, which the snapshot's generations tell. A memo is
bounded, and losing an entry only costs time.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

V = TypeVar("V")

MAX_ENTRIES = 512


class GenerationMemo(Generic[V]):
    """Values by key, all dropped when the generation changes."""

    __slots__ = ("_generation", "_values")

    def __init__(self) -> None:
        self._generation: Hashable = None
        self._values: dict[Hashable, V] = {}

    def get(self, generation: Hashable, key: Hashable) -> V | None:
        """The value put for `key` in this generation."""
        if generation != self._generation:
            self._values.clear()
            self._generation = generation
            return None
        return self._values.get(key)

    def put(self, generation: Hashable, key: Hashable, value: V) -> V:
        if generation != self._generation or len(self._values) >= MAX_ENTRIES:
            self._values.clear()
            self._generation = generation
        self._values[key] = value
        return value


class ClassMemo(Generic[V]):
    """Values by key that depend on nothing but the key."""

    __slots__ = ("_values",)

    def __init__(self) -> None:
        self._values: dict[Hashable, V] = {}

    def get(self, key: Hashable) -> V | None:
        return self._values.get(key)

    def put(self, key: Hashable, value: V) -> V:
        if len(self._values) >= MAX_ENTRIES:
            self._values.clear()
        self._values[key] = value
        return value
