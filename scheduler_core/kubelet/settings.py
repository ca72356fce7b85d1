"""How long a kubelet takes for things, in seconds of cluster time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

# A day: longer waits are a slip of the finger.
LONGEST_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class KubeletSettings:
    # Pulling the images of a pod that are not on its node yet.
    pull_seconds: float = 2.0
    # Creating and starting its containers; init containers take as long each.
    start_seconds: float = 1.0
    # How long containers take to stop when asked; None: the pod's whole grace period.
    stop_seconds: float | None = None
    # How long a Job's containers run that do not say it themselves (annotation `run-seconds`).
    job_seconds: float = 10.0

    @classmethod
    def decode(cls, values: Mapping[str, Any]) -> KubeletSettings:
        """From a cluster's settings. Raises ValueError, naming the field."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise ValueError(f"kubelet.{unknown[0]}: unknown setting; there are {', '.join(sorted(known))}")
        stop = values.get("stop_seconds")
        rest = {name: _seconds(name, value) for name, value in values.items() if name != "stop_seconds"}
        return cls(stop_seconds=None if stop is None else _seconds("stop_seconds", stop), **rest)


def _seconds(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"kubelet.{name}: must be a number of seconds, got {value!r}")
    if not 0 <= value <= LONGEST_SECONDS:
        raise ValueError(f"kubelet.{name}: must be between 0 and {LONGEST_SECONDS:g} seconds, got {value!r}")
    return float(value)
