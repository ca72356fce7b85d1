"""What the scheduler leaves in the database: enough for another worker to go on where this one stopped."""

from playground.scheduling.models.binding import Binding
from playground.scheduling.models.cel_plugin import CelPlugin
from playground.scheduling.models.configuration import Profile, SchedulerConfiguration
from playground.scheduling.models.decision import Decision
from playground.scheduling.models.history import ClusterEventRecord, PodHistory
from playground.scheduling.models.lease import SchedulerLease
from playground.scheduling.models.metrics import SchedulerMetrics
from playground.scheduling.models.queued_pod import QueuedPod
from playground.scheduling.models.scheduler import ClusterNumbers, ClusterScheduler, SchedulerReplica
from playground.scheduling.models.state import SchedulerState

__all__ = [
    "Binding",
    "CelPlugin",
    "ClusterEventRecord",
    "ClusterNumbers",
    "ClusterScheduler",
    "Decision",
    "PodHistory",
    "Profile",
    "QueuedPod",
    "SchedulerConfiguration",
    "SchedulerLease",
    "SchedulerMetrics",
    "SchedulerReplica",
    "SchedulerState",
]
