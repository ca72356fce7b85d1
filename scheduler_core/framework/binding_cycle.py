"""The binding cycle: PreBind, Bind, PostBind for a pod that was placed.

It needs no cache and no snapshot, so any worker can run it, any number at a
time: what the scheduling cycle left for it comes along as `binding_data`, and
every write goes through the `BindingApi`. It may be run again after a crash;
plugins and the API answer a write that was made before with Success. What it
reports goes back to the scheduler (`Scheduler.binding_finished`), which undoes
the placement on failure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scheduler_core.framework.answers import status_answer
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.diagnosis import Diagnosis, fit_error
from scheduler_core.framework.extenders import Extender, ExtenderCaller, ExtenderError, ExtenderSpec
from scheduler_core.framework.interface import BindingApi, ExtensionPoint
from scheduler_core.framework.recorder import Stopwatch, status_report
from scheduler_core.framework.runtime import Framework, failed, raised
from scheduler_core.framework.status import SKIP, SUCCESS, Code, Status
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import BindingReport, BindingStepReport, ExtenderCall, PodRef


def run_binding_cycle(
    framework: Framework, pod: PodInfo, node_name: str, binding_data: Mapping[str, Any], api: BindingApi
) -> BindingReport:
    """Never raises: a plugin that does is told as Error."""
    cycle = BindingCycle(framework, pod, node_name, CycleState(dict(binding_data)), api)
    status = cycle.pre_bind()
    if status.is_success:
        status = cycle.bind()
    if status.is_success:
        cycle.post_bind()
    return cycle.report(status)


def _message(status: Status) -> str:
    if status.is_success or status.is_wait:
        return status.message
    return fit_error(Diagnosis.of_one_node(status)) if status.is_rejected else status.message


class BindingCycle:
    """One pod's, for those who run it in parts: `pre_bind`, `bind` (or an extender in its place), `post_bind`."""

    def __init__(self, framework: Framework, pod: PodInfo, node_name: str, state: CycleState, api: BindingApi) -> None:
        self._framework = framework
        self._pod = pod
        self._node_name = node_name
        self._state = state
        # Where plugins write; replaced by who runs the parts in different transactions.
        self.api = api
        self.steps: list[BindingStepReport] = []

    def pre_bind(self) -> Status:
        """The first plugin that does not succeed ends it."""
        for name, plugin in self._framework.pre_bind:
            status = self._run(ExtensionPoint.PRE_BIND, name, plugin.pre_bind)
            if not status.is_success and not status.is_skip:
                return _told("PreBind", name, status)
        return SUCCESS

    def bind(self) -> Status:
        """The first plugin that does not skip has bound the pod, or failed to."""
        status = SKIP
        for name, plugin in self._framework.bind:
            status = self._run(ExtensionPoint.BIND, name, plugin.bind)
            if not status.is_skip:
                return status if status.is_success else _told("Bind", name, status)
        return Status(Code.ERROR, ("every Bind plugin skipped the pod",))

    def bind_by_extender(self, spec: ExtenderSpec, caller: ExtenderCaller, stopwatch: Stopwatch) -> Status:
        """The extender binds in place of the Bind plugins; if an ignorable one fails, go on with `bind`."""
        calls: list[ExtenderCall] = []
        extender = Extender(spec, caller, stopwatch, calls.append)
        try:
            extender.bind(self._pod, self._node_name)
            status = SUCCESS
        except ExtenderError as failure:
            calls[-1].error = str(failure)
            status = Status(Code.ERROR, (str(failure),), extender.url)
        told = status_report(status)
        self.steps.append(
            BindingStepReport(point=ExtensionPoint.BIND.value, plugin=extender.url, status=told, call=calls[-1])
        )
        return status

    def post_bind(self) -> None:
        """Only informs: the pod is bound whatever happens here."""
        for name, plugin in self._framework.post_bind:
            self._run(ExtensionPoint.POST_BIND, name, plugin.post_bind)

    def report(self, status: Status) -> BindingReport:
        """How it ended."""
        pod = self._pod
        return BindingReport(
            pod=PodRef(namespace=pod.namespace, name=pod.name, uid=pod.uid),
            node=self._node_name,
            status=status_report(status),
            steps=self.steps,
            message=_message(status),
        )

    def _run(self, point: ExtensionPoint, name: str, call: Callable[..., Status | None]) -> Status:
        try:
            answer = call(self._state, self._pod, self._node_name, self.api)
            status = SUCCESS if point is ExtensionPoint.POST_BIND else status_answer(answer)
        except Exception as exception:  # noqa: BLE001 a broken plugin must not stop the binding of others
            status = raised(name, exception)
        self.steps.append(BindingStepReport(point=point.value, plugin=name, status=status_report(status)))
        return status


def _told(point: str, plugin: str, status: Status) -> Status:
    if status.is_rejected or status.is_wait:
        # Wait: what PreBind asked for is on its way; the cycle is run again later.
        return status.of(plugin)
    return failed(f'running {point} plugin "{plugin}"', plugin, status)
