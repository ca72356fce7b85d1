"""What a scheduler's process calls itself in a Lease."""

from __future__ import annotations

import hashlib
import uuid

from playground.scheduling.models import SchedulerReplica


def identity_of(replica: SchedulerReplica) -> str:
    """Its host's name and something nobody else has, another one after every start. The same story, the same name."""
    cluster = replica.scheduler.cluster
    text = f"{cluster.seed}/{cluster.slug}/{replica.name}/{replica.starts}"
    digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return f"{replica.name}_{uuid.UUID(bytes=digest, version=4)}"
