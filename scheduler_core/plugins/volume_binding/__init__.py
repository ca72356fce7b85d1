"""VolumeBinding: a pod goes where its volumes are, or can be.

A claim that is bound ties the pod to the nodes its volume can be used on. An
unbound claim of a class that binds at once keeps the pod waiting. A claim of a
class that waits for its first consumer is decided together with the node:
Filter looks, node by node, for a volume that exists and fits, else whether one
could be provisioned there. Reserve keeps the choice, PreBind writes it, and the
volume controllers do the rest.

    claims.py       the claims of a pod, sorted by what is to be done
    matching.py     volumes and provisioning over all nodes at once
    assumed.py      choices that are not in the objects yet
    plugin.py       the extension points and the events
"""

from scheduler_core.plugins.volume_binding.plugin import VolumeBinding

__all__ = ["VolumeBinding"]
