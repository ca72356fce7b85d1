"""Who still has something to do in a cluster.

Every app that works on a cluster in the background registers a check (in
`AppConfig.ready`). A script that wants to read the end of a story asks them
all: only when none answers work is the cluster idle. What waits for a change
from outside (an unschedulable pod, a gated one) is not work; what will go on by
itself in a while (a backoff, an image pull) is.
"""

from __future__ import annotations

from collections.abc import Callable

from playground.clusters.models import Cluster

# Answers what is still to be done, in words for people ("3 pods to start"); empty: nothing.
# Called often: a few indexed queries at the most.
IdleCheck = Callable[[Cluster], list[str]]

_checks: dict[str, IdleCheck] = {}


def register(name: str, check: IdleCheck) -> None:
    """Add the check of one background worker; `name` is shown: "scheduler", "controllers", "kubelet"."""
    _checks[name] = check


def work_left(cluster: Cluster) -> dict[str, list[str]]:
    """What each worker still has to do; empty when the cluster is idle."""
    answers = {name: check(cluster) for name, check in _checks.items()}
    return {name: left for name, left in answers.items() if left}
