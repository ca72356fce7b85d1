"""The plugins over columns say the same as the plain reference, for any small cluster."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.objects.decode import decode
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from tests.scheduler_core.plugins import reference
from tests.scheduler_core.plugins.harness import Bench

ZONE = "topology.kubernetes.io/zone"
KEYS = (reference.HOST, ZONE, "rack")
APPS = ("web", "db")


def optional(strategy: st.SearchStrategy[Any], absent: Any) -> st.SearchStrategy[Any]:
    return st.one_of(st.just(absent), strategy)


taints = st.builds(
    lambda key, value, effect: {"key": key, "value": value, "effect": effect},
    st.sampled_from("ab"),
    st.sampled_from(["", "x"]),
    st.sampled_from(["NoSchedule", "NoExecute", "PreferNoSchedule"]),
)
tolerations = st.builds(
    lambda fields, operator: {**fields, **operator},
    st.fixed_dictionaries(
        {}, optional={"key": st.sampled_from("ab"), "effect": st.sampled_from(["NoSchedule", "PreferNoSchedule"])}
    ),
    st.sampled_from([{"operator": "Exists"}, {"operator": "Equal", "value": "x"}, {}]),
)
selectors = st.one_of(
    st.builds(lambda app: {"matchLabels": {"app": app}}, st.sampled_from(APPS)),
    st.builds(
        lambda operator, apps: {"matchExpressions": [{"key": "app", "operator": operator, "values": apps}]},
        st.sampled_from(["In", "NotIn"]),
        st.lists(st.sampled_from(APPS), min_size=1, max_size=2, unique=True),
    ),
)
requirements = st.one_of(
    st.builds(
        lambda key, operator, values: {"key": key, "operator": operator, "values": values},
        st.sampled_from([ZONE, "rack"]),
        st.sampled_from(["In", "NotIn"]),
        st.lists(st.sampled_from(["z1", "z2", "1", "7"]), min_size=1, max_size=2, unique=True),
    ),
    st.builds(
        lambda key, operator: {"key": key, "operator": operator},
        st.sampled_from([ZONE, "rack"]),
        st.sampled_from(["Exists", "DoesNotExist"]),
    ),
    st.builds(
        lambda operator, value: {"key": "rack", "operator": operator, "values": [value]},
        st.sampled_from(["Gt", "Lt"]),
        st.sampled_from(["0", "5", "-3"]),
    ),
)
node_terms = st.builds(
    lambda expressions: {"matchExpressions": expressions}, st.lists(requirements, min_size=1, max_size=2)
)
constraints = st.builds(
    lambda key, skew, action, selector, more: {
        "topologyKey": key,
        "maxSkew": skew,
        "whenUnsatisfiable": action,
        "labelSelector": selector,
        **more,
    },
    st.sampled_from(KEYS),
    st.integers(1, 3),
    st.sampled_from(["DoNotSchedule", "ScheduleAnyway"]),
    selectors,
    st.fixed_dictionaries(
        {},
        optional={
            "nodeAffinityPolicy": st.sampled_from(["Honor", "Ignore"]),
            "nodeTaintsPolicy": st.sampled_from(["Honor", "Ignore"]),
        },
    ),
)
pod_terms = st.builds(
    lambda key, selector, more: {"topologyKey": key, "labelSelector": selector, **more},
    st.sampled_from(KEYS),
    selectors,
    st.fixed_dictionaries({}, optional={"namespaces": st.just(["default", "other"])}),
)
weighted_terms = st.builds(
    lambda term, weight: {"podAffinityTerm": term, "weight": weight}, pod_terms, st.integers(1, 100)
)


def affinity_lists(kind: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(kind, max_size=2)


pod_affinities = st.builds(
    lambda required, preferred: {
        "requiredDuringSchedulingIgnoredDuringExecution": required,
        "preferredDuringSchedulingIgnoredDuringExecution": preferred,
    },
    affinity_lists(pod_terms),
    affinity_lists(weighted_terms),
)


@st.composite
def nodes(draw: st.DrawFn, number: int) -> dict[str, Any]:
    labels = {reference.HOST: f"n{number}"}
    labels |= draw(st.fixed_dictionaries({}, optional={ZONE: st.sampled_from(["z1", "z2", "z3"])}))
    labels |= draw(st.fixed_dictionaries({}, optional={"rack": st.sampled_from(["1", "7", "-5", "x"])}))
    allocatable = {
        "cpu": f"{draw(st.integers(500, 4000))}m",
        "memory": str(draw(st.integers(512, 4096)) << 20),
        "pods": str(draw(st.integers(1, 6))),
    }
    return {
        "kind": "Node",
        "metadata": {"name": f"n{number}", "labels": labels},
        "spec": {"taints": draw(st.lists(taints, max_size=2))},
        "status": {"allocatable": allocatable},
    }


@st.composite
def pods(draw: st.DrawFn, name: str, node: str = "") -> dict[str, Any]:
    requests = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "cpu": st.integers(1, 2000).map(lambda amount: f"{amount}m"),
                "memory": st.integers(1, 2048).map(lambda amount: str(amount << 20)),
            },
        )
    )
    ports = draw(st.lists(st.sampled_from([(80, ""), (80, "10.0.0.1"), (80, "10.0.0.2"), (81, "")]), max_size=1))
    container = {
        "name": "c",
        "resources": {"requests": requests},
        "ports": [{"containerPort": port, "hostPort": port, "hostIP": ip} for port, ip in ports],
    }
    affinity = draw(
        st.fixed_dictionaries({}, optional={"podAffinity": pod_affinities, "podAntiAffinity": pod_affinities})
    )
    if not node:
        required = draw(optional(st.lists(node_terms, min_size=1, max_size=2), None))
        if required is not None:
            affinity["nodeAffinity"] = {
                "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": required}
            }
    spec = {
        "containers": [container],
        "nodeName": node,
        "affinity": affinity,
        "tolerations": draw(st.lists(tolerations, max_size=2)),
        "topologySpreadConstraints": [] if node else draw(st.lists(constraints, max_size=2)),
    }
    metadata = {
        "name": name,
        "namespace": draw(st.sampled_from(["default", "other"])),
        "labels": draw(st.fixed_dictionaries({}, optional={"app": st.sampled_from(APPS)})),
    }
    return {"kind": "Pod", "metadata": metadata, "spec": spec}


@st.composite
def clusters(draw: st.DrawFn) -> tuple[list[Any], list[Any], Any]:
    """Nodes, the pods on them, and the pod to be placed."""
    all_nodes = [draw(nodes(i)) for i in range(draw(st.integers(1, 5)))]
    where = [draw(st.sampled_from(all_nodes))["metadata"]["name"] for _ in range(draw(st.integers(0, 6)))]
    return all_nodes, [draw(pods(f"e{i}", node)) for i, node in enumerate(where)], draw(pods("new"))


def info(manifest: Any) -> PodInfo:
    pod = decode(manifest)
    assert isinstance(pod, Pod)
    return PodInfo(pod)


FILTERS = {
    "TaintToleration": reference.taints_fit,
    "NodeAffinity": reference.affinity_fits,
    "NodePorts": reference.ports_fit,
    "NodeResourcesFit": reference.resources_fit,
    "PodTopologySpread": reference.spread_fits,
    "InterPodAffinity": reference.pod_affinity_fits,
}
SCORES = {
    "TaintToleration": reference.taint_scores,
    "NodeResourcesFit": reference.least_allocated_scores,
    "NodeResourcesBalancedAllocation": reference.balance_scores,
    "PodTopologySpread": reference.spread_scores,
    "InterPodAffinity": reference.pod_affinity_scores,
}


@pytest.mark.parametrize("name", FILTERS)
@settings(max_examples=50, deadline=None)
@given(cluster=clusters())
def test_filter(name: str, cluster: tuple[list[Any], list[Any], Any]) -> None:
    all_nodes, placed, pod = cluster
    bench = Bench(*all_nodes, *placed)
    answers = bench.filter(bench.plugin(name), info(pod))
    expected = {reference.name(node): FILTERS[name](node, all_nodes, placed, pod) for node in all_nodes}
    assert {node: status.is_success for node, status in answers.items()} == expected


@pytest.mark.parametrize("name", SCORES)
@settings(max_examples=50, deadline=None)
@given(cluster=clusters(), data=st.data())
def test_score(name: str, cluster: tuple[list[Any], list[Any], Any], data: st.DataObject) -> None:
    all_nodes, placed, pod = cluster
    feasible = data.draw(st.lists(st.sampled_from(all_nodes), min_size=1, unique_by=reference.name))
    bench = Bench(*all_nodes, *placed)
    scores = bench.score(bench.plugin(name), info(pod), [reference.name(node) for node in feasible])
    expected = SCORES[name](feasible, all_nodes, placed, pod)
    assert (None if scores is None else list(scores.values())) == expected


@pytest.mark.parametrize("name", ["PodTopologySpread", "InterPodAffinity"])
@settings(max_examples=50, deadline=None)
@given(cluster=clusters(), data=st.data())
def test_counts_stay_true_while_pods_are_taken_off_and_put_back(
    name: str, cluster: tuple[list[Any], list[Any], Any], data: st.DataObject
) -> None:
    all_nodes, placed, pod = cluster
    bench, plugin, own = Bench(*all_nodes, *placed), None, info(pod)
    plugin, state = bench.plugin(name), CycleState()
    skipped = bench.pre_filter(plugin, own, state).status.is_skip
    # What is tried is tried with a clone, taken before anything changes.
    state = state.clone()
    gone = data.draw(st.lists(st.sampled_from(placed), unique_by=reference.name)) if placed else []
    with bench.snapshot.trial() as trial:
        for each in gone:
            row = bench.snapshot.row_of(each["spec"]["nodeName"])
            victim = next(there for there in bench.snapshot.pods_on(row) if there.name == reference.name(each))
            trial.remove_pod(row, victim)
            if not skipped:
                plugin.remove_pod(state, own, victim, row)  # type: ignore[attr-defined]
        kept = [each for each in placed if each not in gone]
        if not skipped:
            answers = bench.filter(plugin, own, state)
            expected = {reference.name(node): FILTERS[name](node, all_nodes, kept, pod) for node in all_nodes}
            assert {node: status.is_success for node, status in answers.items()} == expected


@settings(max_examples=20, deadline=None)
@given(cluster=clusters(), data=st.data())
def test_one_plugin_stays_right_while_pods_come_and_go(
    cluster: tuple[list[Any], list[Any], Any], data: st.DataObject
) -> None:
    """What plugins keep between cycles never shows."""
    all_nodes, placed, pod = cluster
    bench, own = Bench(*all_nodes), info(pod)
    plugins = {name: bench.plugin(name) for name in FILTERS}
    there: list[Any] = []
    for each in [*placed, *data.draw(st.permutations(placed))]:
        record = bench.record(each["spec"]["nodeName"])
        if each in there:
            there.remove(each)
            bench.snapshot.remove_pod(record, info(each))
        else:
            there.append(each)
            bench.snapshot.add_pod(record, info(each))
        for name, plugin in plugins.items():
            answers = bench.filter(plugin, own)
            expected = {reference.name(node): FILTERS[name](node, all_nodes, there, pod) for node in all_nodes}
            assert {node: status.is_success for node, status in answers.items()} == expected, name
