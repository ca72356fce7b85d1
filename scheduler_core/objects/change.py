"""What happened to one object: the only input of the scheduler."""

from __future__ import annotations

from typing import Literal

import msgspec

from scheduler_core.objects.model import KubernetesObject


class ObjectChange(msgspec.Struct, frozen=True, kw_only=True):
    """One object was added, modified or deleted."""

    event: Literal["ADDED", "MODIFIED", "DELETED"]
    # As it is now; as it was last, when deleted.
    object: KubernetesObject
    # As it was before. May be left out: what the scheduler itself remembers is used then.
    old: KubernetesObject | None = None
