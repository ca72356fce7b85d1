"""The scheduler: events in, reports out."""

from scheduler_core.scheduler.placements import AssumedPod
from scheduler_core.scheduler.scheduler import Scheduler

__all__ = ["AssumedPod", "Scheduler"]
