"""The frameworks of a scheduler's profiles, for binding cycles.

A binding cycle needs plugins and nothing of the cluster, so any worker makes
them from the configuration and keeps them as long as that stays the same.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from playground.clusters.models import Cluster
from playground.scheduling.engine.clock import ClusterClock
from playground.scheduling.engine.configuration import RunningConfiguration, running_configuration, running_revision
from playground.scheduling.engine.following import scheduler_by_id
from playground.scheduling.models import ClusterScheduler
from scheduler_core.framework.extenders import ExtenderSpec, binder_of
from scheduler_core.framework.runtime import Framework
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.profiles import build_binding_frameworks

# Schedulers whose frameworks a process keeps.
MOST_BINDERS = 16
# PreBind plugins that have something to do only if the scheduling cycle left them something.
IDLE_WITHOUT_DATA = frozenset({"VolumeBinding", "DynamicResources"})
# Seconds of cluster time that a binding cycle may wait; kube-scheduler's bindTimeoutSeconds.
DEFAULT_PATIENCE = 600.0


class Binder:
    """What binds the pods of one scheduler."""

    def __init__(self, row: ClusterScheduler, configuration: RunningConfiguration) -> None:
        self.revision = configuration.revision
        self._clock = ClusterClock(row.cluster)
        self._frameworks = build_binding_frameworks(
            configuration.document, configuration.registry, self._clock.now, configuration.feature_gates
        )
        self._extenders = configuration.document.extenders
        self._patience = {
            profile.scheduler_name: getattr(profile.args.get("VolumeBinding"), "bind_timeout_seconds", DEFAULT_PATIENCE)
            for profile in configuration.document.profiles
        }

    def use_clock_of(self, cluster: Cluster) -> None:
        """The cluster's row as it is now, locked: its clock may have been turned since the last time."""
        self._clock.cluster = cluster

    def framework(self, scheduler_name: str) -> Framework:
        """The profile's; a pod whose profile was taken away meanwhile is bound by the first one."""
        return self._frameworks.get(scheduler_name) or next(iter(self._frameworks.values()))

    @property
    def calls_out(self) -> bool:
        """Whether an extender may bind in place of the plugins."""
        return any(extender.bind_verb for extender in self._extenders)

    def extender_of(self, pod: PodInfo) -> ExtenderSpec | None:
        """The extender that binds this pod."""
        return binder_of(self._extenders, pod)

    def patience(self, scheduler_name: str) -> float:
        """Seconds of cluster time after which a cycle that waits has failed."""
        return float(self._patience.get(scheduler_name, DEFAULT_PATIENCE))

    def binds_by_default_only(self, scheduler_name: str, binding_data: Mapping[str, Any]) -> bool:
        """Whether the cycle of a pod is nothing but DefaultBinder."""
        framework = self.framework(scheduler_name)
        pre_bind = {name for name, _ in framework.pre_bind}
        binds = [name for name, _ in framework.bind]
        return not (binding_data or pre_bind - IDLE_WITHOUT_DATA or framework.post_bind) and binds == ["DefaultBinder"]


class Binders:
    """The binders of this process, the least used ones given up."""

    def __init__(self, most: int = MOST_BINDERS) -> None:
        self._most = most
        self._binders: OrderedDict[int, Binder] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, scheduler_id: int) -> Binder:
        """For the configuration as it is now. Raises NotFound."""
        revision = running_revision(scheduler_id)
        with self._lock:
            binder = self._binders.get(scheduler_id)
        if binder is None or binder.revision != revision:
            # Outside the lock: nobody else waits. Two threads that build it at once do no harm.
            row = scheduler_by_id(scheduler_id)
            binder = Binder(row, running_configuration(row))
        with self._lock:
            self._keep(scheduler_id, binder)
        return binder

    def _keep(self, scheduler_id: int, binder: Binder) -> None:
        self._binders[scheduler_id] = binder
        self._binders.move_to_end(scheduler_id)
        while len(self._binders) > self._most:
            self._binders.popitem(last=False)


binders = Binders()
