"""Which sort of resource a name stands for."""

from __future__ import annotations

from scheduler_core.objects.requests import CPU, EPHEMERAL_STORAGE, HUGE_PAGES_PREFIX, MEMORY

_NATIVE_DOMAIN = "kubernetes.io/"
_ATTACHABLE_PREFIX = "attachable-volumes-"
_QUOTA_PREFIX = "requests."

# Named by a field of its own in Kubernetes; they always count.
CORE_RESOURCES = (CPU, MEMORY, EPHEMERAL_STORAGE)


def is_extended(name: str) -> bool:
    """A resource somebody's device plugin offers, such as `nvidia.com/gpu`."""
    return "/" in name and _NATIVE_DOMAIN not in name and not name.startswith(_QUOTA_PREFIX)


def is_scalar(name: str) -> bool:
    """Counted per node beside the core resources; any other name is no resource of a node."""
    return (
        is_extended(name)
        or name.startswith((HUGE_PAGES_PREFIX, _ATTACHABLE_PREFIX))
        or ("/" in name and _NATIVE_DOMAIN in name)
    )
