"""kube-scheduler's order of nodes: one of each zone in turn.

Zones take turns in the order in which they first appeared; within a zone nodes
stand in the order of their arrival. A zone that ran out is passed over. The
search for feasible nodes walks this order, so that a sample of the nodes is
spread over the zones.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, zip_longest

ZONE_LABELS = ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")
REGION_LABELS = ("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region")

ZoneKey = tuple[str, str]


def _first(labels: Mapping[str, str], keys: tuple[str, ...]) -> str:
    return next((labels[key] for key in keys if key in labels), "")


def zone_key(labels: Mapping[str, str]) -> ZoneKey:
    """Region and zone; empty strings where the node has no such label."""
    return _first(labels, REGION_LABELS), _first(labels, ZONE_LABELS)


class ZoneOrder:
    """Node names by zone."""

    def __init__(self) -> None:
        # Insertion order of the zones is their turn.
        self._zones: dict[ZoneKey, dict[str, None]] = {}
        self._zone_of: dict[str, ZoneKey] = {}

    def __len__(self) -> int:
        return len(self._zone_of)

    def place(self, name: str, labels: Mapping[str, str]) -> bool:
        """Add the node, or move it to its new zone. True: the order changed."""
        zone = zone_key(labels)
        if self._zone_of.get(name) == zone:
            return False
        self.remove(name)
        self._zones.setdefault(zone, {})[name] = None
        self._zone_of[name] = zone
        return True

    def remove(self, name: str) -> None:
        zone = self._zone_of.pop(name, None)
        if zone is None:
            return
        del self._zones[zone][name]
        if not self._zones[zone]:
            del self._zones[zone]

    def names(self) -> list[str]:
        """Every node name in search order."""
        rounds = zip_longest(*self._zones.values())
        return [name for name in chain.from_iterable(rounds) if name is not None]
