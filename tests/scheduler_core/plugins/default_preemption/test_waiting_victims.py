"""A victim that is held at Permit is rejected there and not deleted."""

from __future__ import annotations

from scheduler_core.configuration import decode_configuration
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import PermitResult, Plugin
from scheduler_core.framework.registry import RegistryEntry
from scheduler_core.framework.status import Code, Status
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.plugins.args import NoArgs
from scheduler_core.scheduler import Scheduler
from scheduler_core.testing import FakeClock, make_node, make_pod
from tests.scheduler_core.acceptance.running_cluster import HEAD


class HoldsEverybody(Plugin):
    name = "HoldsEverybody"

    def permit(self, state: CycleState, pod: PodInfo, node_name: str) -> PermitResult:
        return PermitResult(Status(Code.WAIT), 60.0)


def test_a_waiting_victim_gives_up_its_place() -> None:
    registry = {**DEFAULT_REGISTRY, "HoldsEverybody": RegistryEntry(HoldsEverybody, NoArgs)}
    plugins = {"permit": {"enabled": [{"name": "HoldsEverybody"}]}}
    configuration = decode_configuration({**HEAD, "profiles": [{"plugins": plugins}]}, registry)
    scheduler = Scheduler(configuration, FakeClock(), seed=1, registry=registry)
    scheduler.handle(ObjectChange(event="ADDED", object=make_node("n1").node()))
    scheduler.handle(ObjectChange(event="ADDED", object=make_pod("low").requests(cpu="4").pod()))
    first = scheduler.schedule_one()
    assert first is not None
    assert first.outcome == "waiting"

    scheduler.handle(ObjectChange(event="ADDED", object=make_pod("high").priority(10).requests(cpu="4").pod()))
    report = scheduler.schedule_one()
    assert report is not None
    assert report.preemption is not None
    assert report.preemption.victims == []
    assert [victim.name for victim in report.preemption.waiting_victims] == ["low"]

    (rejected,) = scheduler.drain_permit_results()
    assert (rejected.pod.name, rejected.status.reasons) == ("low", ["preempted"])
    assert [queued.pod.name for queued in scheduler.queue.backing_off()] == ["high"]
