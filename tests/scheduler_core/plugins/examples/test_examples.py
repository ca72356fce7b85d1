"""The example plugins: each does what its name says, and keeps every plugin's promises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from scheduler_core.configuration import ConfigurationError, decode_configuration
from scheduler_core.framework.interface import Plugin, QueueingHint
from scheduler_core.framework.status import Code
from scheduler_core.objects.change import ObjectChange
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.plugins.examples import EXAMPLE_PLUGINS, EXAMPLE_REGISTRY
from scheduler_core.report import CycleReport
from scheduler_core.scheduler import Scheduler
from scheduler_core.testing import FakeClock, NodeBuilder, PodBuilder, check_plugin, make_node, make_pod
from tests.scheduler_core.plugins.harness import Bench

INSTANCE_TYPE = "node.kubernetes.io/instance-type"
GPU = "nvidia.com/gpu"

NODES = (
    make_node("gpu").resource(GPU, "4").cpu("8").node(),
    make_node("c5").label(INSTANCE_TYPE, "c5.large").zone("north-a").node(),
    make_node("spot").label("lifecycle", "spot").zone("north-b").node(),
    make_node("closed").label("maintenance", "true").node(),
)
PODS = (
    make_pod("thrifty").labels(**{"lifecycle-preference": "spot"}).pod(),
    make_pod("training").request(GPU, "1").pod(),
)


@pytest.mark.parametrize("plugin", EXAMPLE_PLUGINS, ids=lambda plugin: plugin.name)
def test_keeps_the_promises_of_a_plugin(plugin: type[Plugin]) -> None:
    check_plugin(plugin, nodes=NODES, pods=PODS)


def plugin(name: str, bench: Bench, **args: Any) -> Plugin:
    entry = EXAMPLE_REGISTRY[name]
    return entry.plugin(entry.args(**args), bench)  # type: ignore[arg-type]


def info(builder: PodBuilder) -> PodInfo:
    return PodInfo(builder.pod())


def test_instance_type_prefers_c5_to_m5_to_r5_to_any_other() -> None:
    types = {"c": "c5.large", "m": "m5.xlarge", "r": "r5.large", "t": "t3.micro", "c5n": "c5n.large"}
    bench = Bench(*(make_node(name).label(INSTANCE_TYPE, type_) for name, type_ in types.items()), make_node("none"))

    scores = bench.score(plugin("InstanceType", bench), info(make_pod("p")))

    assert scores == {"c": 100, "m": 66, "r": 33, "t": 0, "c5n": 0, "none": 0}


def test_instance_type_takes_other_families() -> None:
    bench = Bench(make_node("t").label(INSTANCE_TYPE, "t3.micro"), make_node("c").label(INSTANCE_TYPE, "c5.large"))

    assert bench.score(plugin("InstanceType", bench, families=("t3",)), info(make_pod("p"))) == {"t": 100, "c": 0}


def test_zone_balance_prefers_the_zone_with_the_fewest_pods_like_this() -> None:
    bench = Bench(
        make_node("a1").zone("a"),
        make_node("a2").zone("a"),
        make_node("b1").zone("b"),
        make_node("c1").zone("c"),
        make_node("nowhere"),
        *(make_pod(f"a{i}").labels(app="web").on("a1") for i in range(2)),
        make_pod("b").labels(app="web").on("b1"),
        make_pod("other").labels(app="db").on("c1"),
        make_pod("foreign", "shop").labels(app="web").on("c1"),
    )

    scores = bench.score(plugin("ZoneBalance", bench), info(make_pod("p").labels(app="web")))

    assert scores == {"a1": 33, "a2": 33, "b1": 66, "c1": 100, "nowhere": 0}


def test_zone_balance_has_no_preference_in_an_empty_cluster() -> None:
    bench = Bench(make_node("a1").zone("a"), make_node("b1").zone("b"))

    assert bench.score(plugin("ZoneBalance", bench), info(make_pod("p"))) == {"a1": 100, "b1": 100}


def test_lifecycle_preference_follows_the_label_of_the_pod() -> None:
    bench = Bench(
        make_node("s").label("lifecycle", "spot"), make_node("d").label("lifecycle", "on-demand"), make_node("none")
    )
    preference = plugin("LifecyclePreference", bench)

    def scores(**labels: str) -> Mapping[str, int] | None:
        return bench.score(preference, info(make_pod("p").labels(**labels)))

    assert scores(**{"lifecycle-preference": "spot"}) == {"s": 100, "d": 0, "none": 0}
    assert scores(**{"lifecycle-preference": "on-demand"}) == {"s": 0, "d": 100, "none": 0}
    assert scores(**{"lifecycle-preference": "none-such"}) == {"s": 0, "d": 0, "none": 0}
    assert scores(app="web") is None


def test_gpu_nodes_are_kept_for_gpu_pods() -> None:
    bench = Bench(make_node("gpu").resource(GPU, "4"), make_node("cpu"))
    reserve = plugin("ReserveGPUNodes", bench)

    plain = bench.filter(reserve, info(make_pod("plain")))
    assert plain["cpu"].is_success
    assert plain["gpu"].code is Code.UNSCHEDULABLE_AND_UNRESOLVABLE
    assert plain["gpu"].reasons == ("node(s) were kept for pods that ask for nvidia.com/gpu",)
    assert all(status.is_success for status in bench.filter(reserve, info(make_pod("t").request(GPU, "1"))).values())


def test_nodes_under_maintenance_take_no_new_pods() -> None:
    bench = Bench(make_node("closed").label("maintenance", "true"), make_node("open").label("maintenance", "false"))

    answers = bench.filter(plugin("NodeMaintenance", bench), info(make_pod("p")))

    assert answers["open"].is_success
    assert answers["closed"].reasons == ("node(s) were under maintenance",)


HINTS = [
    ("NodeMaintenance", make_node("n").label("maintenance", "true"), make_node("n")),
    ("ReserveGPUNodes", make_node("n").resource(GPU, "1"), make_node("n")),
]


@pytest.mark.parametrize(("name", "closed", "open_"), HINTS)
def test_hints_wake_pods_for_nodes_that_take_them_only(name: str, closed: NodeBuilder, open_: NodeBuilder) -> None:
    (registration,) = plugin(name, Bench()).events_to_register()
    assert registration.hint is not None
    pod = info(make_pod("p"))

    assert registration.hint(pod, None, closed.node()).hint is QueueingHint.QUEUE_SKIP
    assert registration.hint(pod, closed.node(), open_.node()).hint is QueueingHint.QUEUE


# In a profile

ARGUMENTS = [
    ("InstanceType", {"families": []}, "profiles[0].pluginConfig[0].args.families: Invalid value: name at least one"),
    ("InstanceType", {"families": ["c5", "c5"]}, "a family is named twice"),
    ("InstanceType", {"family": "c5"}, 'unknown field "family"'),
    ("LifecyclePreference", {"nodeLabel": "a b"}, "args.nodeLabel: Invalid value: 'a b' is not the key of a label"),
    ("ReserveGPUNodes", {"resourceName": 3}, "args.resourceName: expected str, got int"),
    ("NodeMaintenance", {"label": ""}, "args.label: Invalid value"),
]


@pytest.mark.parametrize(("name", "args", "told"), ARGUMENTS)
def test_wrong_arguments_are_told_with_their_place(name: str, args: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        configuration(name, args)

    assert told in str(refused.value)


def test_examples_run_among_the_default_plugins() -> None:
    registry = {**DEFAULT_REGISTRY, **EXAMPLE_REGISTRY}
    scheduler = Scheduler(configuration(*EXAMPLE_REGISTRY), FakeClock(), seed=1, registry=registry)
    scheduler.restore([make_node(name).cpu("4").label(INSTANCE_TYPE, type_).node() for name, type_ in BY_TYPE.items()])

    report = cycle_of(scheduler, make_pod("p"))

    assert report.node == "good"
    assert report.score is not None
    assert {"InstanceType", "ZoneBalance"} <= {column.plugin for column in report.score.plugins}


BY_TYPE = {"bad": "r5.large", "good": "c5.large", "unknown": "x1.large"}


def configuration(*names: str | dict[str, Any]) -> Any:
    plugins = [each for each in names if isinstance(each, str)]
    args = [{"name": plugins[0], "args": each} for each in names if isinstance(each, dict)]
    enabled = {"multiPoint": {"enabled": [{"name": name, "weight": 10} for name in plugins]}}
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "default-scheduler", "plugins": enabled, "pluginConfig": args}],
    }
    return decode_configuration(document, {**DEFAULT_REGISTRY, **EXAMPLE_REGISTRY})


def cycle_of(scheduler: Scheduler, builder: PodBuilder) -> CycleReport:
    scheduler.handle(ObjectChange(event="ADDED", object=builder.pod()))
    report = scheduler.schedule_one()
    assert report is not None
    return report
