"""DefaultBinder: writes the Binding."""

from __future__ import annotations

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import BindingApi, Plugin
from scheduler_core.framework.status import Status
from scheduler_core.objects.pod_info import PodInfo


class DefaultBinder(Plugin):
    """Binds by the API's binding subresource."""

    name = "DefaultBinder"

    def bind(self, state: CycleState, pod: PodInfo, node_name: str, api: BindingApi) -> Status:
        return api.bind(pod.namespace, pod.name, pod.pod.metadata.uid, node_name)
