"""The objects beside pods and nodes, for plugins that need them: claims, classes, budgets, services, namespaces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.model import KubernetesObject


class ObjectStore:
    """Objects by kind, namespace and name; the kind is the name of the object's type."""

    def __init__(self) -> None:
        self._by_kind: dict[str, dict[tuple[str, str], KubernetesObject]] = {}
        self._generations: dict[str, int] = {}

    def get(self, kind: str, namespace: str | None, name: str) -> Any | None:
        return self._by_kind.get(kind, {}).get((namespace or "", name))

    def list(self, kind: str, namespace: str | None = None) -> Iterable[Any]:
        objects = self._by_kind.get(kind, {}).values()
        return [each for each in objects if namespace is None or each.namespace == namespace]

    def generation(self, kind: str) -> int:
        """Rises with every change of an object of the kind; what a plugin worked out holds until then."""
        return self._generations.get(kind, 0)

    def put(self, new: KubernetesObject) -> KubernetesObject | None:
        """Stores the object and gives back the one it replaces."""
        kind = type(new).__name__
        objects = self._by_kind.setdefault(kind, {})
        key = (new.namespace, new.name)
        old = objects.get(key)
        objects[key] = new
        self._generations[kind] = self.generation(kind) + 1
        return old

    def remove(self, gone: KubernetesObject) -> KubernetesObject | None:
        kind = type(gone).__name__
        self._generations[kind] = self.generation(kind) + 1
        return self._by_kind.get(kind, {}).pop((gone.namespace, gone.name), None)
