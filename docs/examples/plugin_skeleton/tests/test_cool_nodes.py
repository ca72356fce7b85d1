"""What CoolNodes is for, in the real scheduler, and what it owes the scheduler."""

from __future__ import annotations

from cool_nodes import CoolNodes, CoolNodesArgs

from scheduler_core.configuration import decode_configuration
from scheduler_core.framework.registering import registry_entry
from scheduler_core.objects.change import ObjectChange
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.report import CycleReport
from scheduler_core.scheduler import Scheduler
from scheduler_core.testing import FakeClock, check_plugin, make_node, make_pod

CONFIGURATION = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [
        {
            "plugins": {"multiPoint": {"enabled": [{"name": "CoolNodes", "weight": 5}]}},
            "pluginConfig": [{"name": "CoolNodes", "args": {"maxTemperature": 50}}],
        }
    ],
}


def cycle_with_nodes(**temperatures: str) -> CycleReport:
    registry = {**DEFAULT_REGISTRY, "CoolNodes": registry_entry(CoolNodes)}
    scheduler = Scheduler(decode_configuration(CONFIGURATION, registry), FakeClock(), seed=1, registry=registry)
    nodes = [make_node(name).cpu("4").label("temperature", degrees).node() for name, degrees in temperatures.items()]
    scheduler.restore(nodes)
    scheduler.handle(ObjectChange(event="ADDED", object=make_pod("p").pod()))
    report = scheduler.schedule_one()
    assert report is not None
    return report


def test_keeps_the_promises_of_a_plugin() -> None:
    hot = make_node("hot").label("temperature", "90").node()
    check_plugin(CoolNodes, nodes=[hot])
    check_plugin(CoolNodes, args=CoolNodesArgs(max_temperature=10), nodes=[hot])


def test_the_coldest_node_wins() -> None:
    assert cycle_with_nodes(mild="30", cold="5", warm="45").node == "cold"


def test_warm_nodes_are_rejected_with_a_reason() -> None:
    report = cycle_with_nodes(hot="51", hotter="80")

    assert report.outcome == "unschedulable"
    assert report.message.startswith("0/2 nodes are available: 2 node(s) were too warm.")
