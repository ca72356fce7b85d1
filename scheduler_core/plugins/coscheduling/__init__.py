"""Coscheduling: the pods of a PodGroup are bound together, or none of them is."""

from scheduler_core.plugins.coscheduling.plugin import Coscheduling

__all__ = ["Coscheduling"]
