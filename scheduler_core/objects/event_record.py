"""An Event as a controller or a kubelet reports it; whoever stores it gives it a name and counts repetitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scheduler_core.objects.manifest import Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRecord:
    regarding: Manifest
    event_type: Literal["Normal", "Warning"]
    reason: str
    message: str
    # The reporting component: "replicaset-controller".
    source: str
    # How many like occurrences this one record stands for.
    count: int = 1
    # The node, for events of a kubelet.
    host: str = ""
    # `spec.containers{web}`, for events about a container.
    field_path: str = ""
