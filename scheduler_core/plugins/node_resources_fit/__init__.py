"""NodeResourcesFit: a node needs room for what the pod requests.

Filter compares real requests with what is free; the pod count is a resource
like any other. Every resource that is short is told. Where the node could not
hold the pod even when empty, removing other pods cannot help, and preemption is
told so. Score is by one of three strategies (`scoring_strategies`).
"""

from scheduler_core.plugins.node_resources_fit.plugin import NodeResourcesFit

__all__ = ["NodeResourcesFit"]
