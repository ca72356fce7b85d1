"""What every plugin must do, checked in one call of its own tests.

    check_plugin(MyPlugin)                      with its default arguments
    check_plugin(MyPlugin, args=MyArgs(...))    with others

It runs the plugin on a few small clusters, empty and full ones, and looks at
what the scheduler would stumble over later: answers of another shape or type,
answers that depend on which nodes are asked about together, a snapshot that is
not as it was before, other answers to the same question, events that nobody
knows. What the plugin is for, it cannot know: that is what your own tests say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from scheduler_core.cache.cache import Cache
from scheduler_core.framework.answers import filter_answer, pre_filter_answer, score_answer, status_answer
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.handle import FrameworkHandle
from scheduler_core.framework.interface import (
    ExtensionPoint,
    FilterPlugin,
    Plugin,
    PreFilterPlugin,
    PreScorePlugin,
    ScoreExtensions,
    ScorePlugin,
    implements,
)
from scheduler_core.framework.registering import registry_entry
from scheduler_core.framework.runtime import Framework
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.profiles import detached_handle
from scheduler_core.queue.events import FINE_UPDATES
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.testing.builders import make_node, make_pod

MAX_SCORE = 100
_BASIC_ACTIONS = frozenset({"Add", "Delete", "Update", "*"})


def check_plugin(plugin: type[Plugin], args: Any = None, nodes: Sequence[Node] = (), pods: Sequence[Pod] = ()) -> None:
    """Raises AssertionError or what the plugin raises. `nodes` and `pods` (waiting ones) are tried beside our own."""
    entry = registry_entry(plugin)
    for cluster in _clusters(nodes):
        made = entry.plugin(entry.args() if args is None else args, _handle(cluster))
        _check_events(made)
        for pod in (*_waiting_pods(), *pods):
            _check_filter(made, PodInfo(pod), cluster.snapshot)
            _check_score(made, PodInfo(pod), cluster.snapshot)


def _check_events(plugin: Plugin) -> None:
    for registration in (*plugin.events_to_register(), *plugin.further_events()):
        known = _BASIC_ACTIONS | set(FINE_UPDATES.get(registration.resource, ()))
        unknown = set(registration.actions) - known
        told = f"{plugin.name} registers {registration.resource} {sorted(unknown)}"
        assert not unknown, f"{told}; known are {sorted(known)}"


def _check_filter(plugin: Plugin, pod: PodInfo, snapshot: Snapshot) -> None:
    if not isinstance(plugin, FilterPlugin) or not implements(type(plugin), ExtensionPoint.FILTER):
        return
    state = CycleState()
    if isinstance(plugin, PreFilterPlugin):
        before = pre_filter_answer(plugin.pre_filter(state, pod, snapshot))
        if not before.status.is_success:
            return
    together = _rejections(plugin, state, pod, snapshot, np.arange(snapshot.n))
    assert together == _rejections(plugin, state, pod, snapshot, slice(0, snapshot.n)), "a slice is answered otherwise"
    one_by_one = [_rejections(plugin, state, pod, snapshot, np.array([row]))[0] for row in range(snapshot.n)]
    assert together == one_by_one, f"{plugin.name}: a node's answer depends on which others are asked about"


def _rejections(plugin: FilterPlugin, state: CycleState, pod: PodInfo, snapshot: Snapshot, rows: Any) -> list[Any]:
    before = _fingerprint(snapshot)
    count = len(snapshot.all_rows[rows])
    verdicts = filter_answer(plugin.filter(state, pod, snapshot, rows), count)
    assert _fingerprint(snapshot) == before, "filter changed the snapshot"
    for status in verdicts.statuses:
        assert status.is_rejected, f"a rejection has the code {status.code.text}"
        assert status.reasons, "a rejection has no reason"
    codes = np.zeros(count, dtype=np.int16) if verdicts.codes is None else verdicts.codes
    return [None if code == 0 else verdicts.statuses[code - 1] for code in codes.tolist()]


def _check_score(plugin: Plugin, pod: PodInfo, snapshot: Snapshot) -> None:
    if not isinstance(plugin, ScorePlugin) or not implements(type(plugin), ExtensionPoint.SCORE):
        return
    state, rows = CycleState(), snapshot.all_rows
    if isinstance(plugin, PreScorePlugin) and status_answer(plugin.pre_score(state, pod, snapshot, rows)).is_skip:
        return
    before = _fingerprint(snapshot)
    scores = score_answer(plugin.score(state, pod, snapshot, rows), snapshot.n)
    again = score_answer(plugin.score(state, pod, snapshot, rows), snapshot.n)
    assert scores.tolist() == again.tolist(), f"{plugin.name} scores the same nodes differently the second time"
    assert _fingerprint(snapshot) == before, "score changed the snapshot"
    if isinstance(plugin, ScoreExtensions):
        scores = score_answer(plugin.normalize(state, pod, scores), snapshot.n)
    assert all(0 <= score <= MAX_SCORE for score in scores.tolist()), f"{plugin.name}: a score is not in 0..100"


def _fingerprint(snapshot: Snapshot) -> Any:
    # Summed up: to ask about a resource that nobody has makes the columns longer by a row of zeros.
    sums = (snapshot.requested.sum(axis=0).tolist(), snapshot.free.sum(axis=0).tolist())
    return snapshot.node_generation, snapshot.pod_generation, sums


def _clusters(nodes: Sequence[Node]) -> Iterator[Cache]:
    """No node, one, and several that differ in whatever plugins look at."""
    yield _cluster({}, ())
    yield _cluster({"alone": make_node("alone").node()}, ())
    several = [make_node("plain").cpu("4").memory("8Gi").node(), make_node("full").cpu("1").zone("north-a").node()]
    several.append(make_node("odd").label("disk", "ssd").taint("team", "data").zone("north-b").cpu("8").node())
    bound = [make_pod(f"bound-{i}").labels(app="web").requests(cpu="500m").on("full").pod() for i in range(2)]
    yield _cluster({node.name: node for node in (*several, *nodes)}, tuple(bound))


def _cluster(nodes: Mapping[str, Node], pods: Sequence[Pod]) -> Cache:
    cache = Cache()
    for node in nodes.values():
        cache.add_node(node)
    for pod in pods:
        cache.set_pod(PodInfo(pod))
    cache.snapshot.refresh()
    return cache


def _waiting_pods() -> tuple[Pod, ...]:
    return (
        make_pod("bare").pod(),
        make_pod("small").labels(app="web").requests(cpu="100m", memory="64Mi").pod(),
        make_pod("important")
        .priority(1000)
        .requests(cpu="2")
        .toleration(key="team", operator="Equal", value="data")
        .pod(),
    )


def _handle(cache: Cache) -> FrameworkHandle:
    handle = detached_handle(cache, lambda: 0.0)
    handle.framework = Framework("default-scheduler", {}, {})
    return handle
