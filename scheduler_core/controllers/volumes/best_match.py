"""The volume for a claim: set aside for it, or the smallest on offer that will do.

Where a pod may run does not count here: a claim that is bound at once takes the
first volume that suits it, and the pod has to follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from scheduler_core.controllers.volumes.binding import class_of, is_for, is_free, spec_of
from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.label_selector import EVERYTHING, LabelSelector, Selector, compile_selector
from scheduler_core.objects.manifest import Manifest, is_deleting, labels_of
from scheduler_core.objects.quantity import value

# Sizes are written in few ways.
_bytes = lru_cache(maxsize=1024)(value)


def volume_bytes(volume: Manifest) -> int:
    return _bytes(str((spec_of(volume).get("capacity") or {}).get("storage", 0)))


def requested_bytes(claim: Manifest) -> int:
    requests = (spec_of(claim).get("resources") or {}).get("requests") or {}
    return _bytes(str(requests.get("storage", 0)))


def misfit(volume: Manifest, claim: Manifest) -> str:
    """Why the volume cannot serve the claim; "": it can."""
    offered, wanted = spec_of(volume), spec_of(claim)
    if requested_bytes(claim) > volume_bytes(volume):
        return "requested PV is too small"
    if (class_of(volume) or "") != (class_of(claim) or ""):
        return "storageClassName does not match"
    if (offered.get("volumeMode") or "Filesystem") != (wanted.get("volumeMode") or "Filesystem"):
        return "incompatible volumeMode"
    if not set(wanted.get("accessModes") or ()) <= set(offered.get("accessModes") or ()):
        return "incompatible accessMode"
    return ""


def best_match(claim: Manifest, volumes: Iterable[Manifest], *, only_set_aside: bool) -> Manifest | None:
    """None: there is no volume for the claim. `only_set_aside`: the scheduler chooses among the others."""
    candidates = [volume for volume in volumes if not is_deleting(volume)]
    for volume in candidates:
        if is_for(volume, claim) and not misfit(volume, claim):
            return volume
    if only_set_aside:
        return None
    selector = _selector(claim)
    fitting = [
        volume
        for volume in candidates
        if is_free(volume) and not misfit(volume, claim) and selector.matches(labels_of(volume))
    ]
    return min(fitting, key=lambda each: (volume_bytes(each), each["metadata"]["name"]), default=None)


def _selector(claim: Manifest) -> Selector:
    written = spec_of(claim).get("selector")
    return compile_selector(decode_as(LabelSelector, written)) if written else EVERYTHING
