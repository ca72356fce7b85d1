"""The controllers: what turns a Deployment into pods.

`interface` is the contract, `manager` decides who looks at what, every other
module with a kind's name is that kind's controller. `all_controllers` is the
registry: a new controller is one module and one line here.
"""

from __future__ import annotations

from random import Random

from scheduler_core.controllers.daemon_set import DaemonSetController
from scheduler_core.controllers.deployment import DeploymentController
from scheduler_core.controllers.disruption import DisruptionController
from scheduler_core.controllers.interface import Controller
from scheduler_core.controllers.job import JobController
from scheduler_core.controllers.node_drain import NodeDrainController
from scheduler_core.controllers.node_lifecycle import NodeLifecycleController
from scheduler_core.controllers.node_taints import NodeTaintController
from scheduler_core.controllers.pod_garbage_collector import PodGarbageCollector
from scheduler_core.controllers.pod_group import PodGroupController
from scheduler_core.controllers.replica_set import ReplicaSetController, ReplicationControllerController
from scheduler_core.controllers.resource_claims import ClaimReleaseController, GeneratedClaimController
from scheduler_core.controllers.stateful_set import StatefulSetController
from scheduler_core.controllers.taint_eviction import TaintEvictionController
from scheduler_core.controllers.volumes.claim_binder import ClaimBinder
from scheduler_core.controllers.volumes.ephemeral import EphemeralVolumeController
from scheduler_core.controllers.volumes.volume_phase import VolumePhaseController


def all_controllers(generator: Random) -> list[Controller]:
    """Every controller; names of pods are drawn from `generator`."""
    return [
        DeploymentController(),
        ReplicaSetController(generator),
        ReplicationControllerController(generator),
        StatefulSetController(),
        DaemonSetController(generator),
        JobController(generator),
        NodeLifecycleController(),
        NodeTaintController(),
        TaintEvictionController(),
        PodGarbageCollector(),
        NodeDrainController(),
        DisruptionController(),
        PodGroupController(),
        ClaimBinder(),
        VolumePhaseController(),
        EphemeralVolumeController(),
        GeneratedClaimController(generator),
        ClaimReleaseController(),
    ]
