"""What the plugins of one scheduling cycle leave for each other.

A plugin writes under its own name at PreFilter or PreScore and reads it back
at Filter or Score. `binding_data` is the part that travels to the binding
cycle, which runs in another process: JSON values only, keyed by plugin name.
"""

from __future__ import annotations

from typing import Any

# Under this key a plugin leaves uids of pods that are to go to activeQ when the cycle has found a node.
PODS_TO_ACTIVATE = "kubernetes.io/pods-to-activate"


class CycleState:
    """Scratch space of one pod's cycle; dropped when the cycle ends."""

    __slots__ = ("_data", "binding_data", "skip_filter_plugins", "skip_score_plugins")

    def __init__(self, binding_data: dict[str, Any] | None = None) -> None:
        self._data: dict[str, Any] = {}
        # Plugins whose PreFilter (PreScore) answered Skip.
        self.skip_filter_plugins: set[str] = set()
        self.skip_score_plugins: set[str] = set()
        # JSON values handed to the binding cycle.
        self.binding_data: dict[str, Any] = binding_data if binding_data is not None else {}

    def read(self, key: str) -> Any:
        """The value written under `key`. Raises KeyError when nothing was."""
        return self._data[key]

    def get(self, key: str, default: Any = None) -> Any:
        return self._data.get(key, default)

    def write(self, key: str, value: Any) -> None:
        self._data[key] = value

    def delete(self, key: str) -> None:
        self._data.pop(key, None)

    def clone(self) -> CycleState:
        """A copy to try something with. Values that can change must have a `clone` of their own."""
        copy = CycleState(dict(self.binding_data))
        copy._data = {key: value.clone() if hasattr(value, "clone") else value for key, value in self._data.items()}
        copy.skip_filter_plugins = set(self.skip_filter_plugins)
        copy.skip_score_plugins = set(self.skip_score_plugins)
        return copy
