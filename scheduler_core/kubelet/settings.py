"""How long a kubelet takes for things, in seconds of cluster time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KubeletSettings:
    # Pulling the images of a pod that are not on its node yet.
    pull_seconds: float = 2.0
    # Creating and starting its containers; init containers take as long each.
    start_seconds: float = 0.5
    # From the end of a deleted pod's grace period to its removal. Containers use their whole grace period.
    stop_seconds: float = 0.5
    # How long a Job's containers run that do not say it themselves (annotation `run-seconds`).
    job_seconds: float = 10.0
