"""Hint cases: would this event bring back a pod that this plugin rejected?

And the table of events each plugin registers for (`registered-events.json`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scheduler_core.configuration import default_configuration
from scheduler_core.conformance.mismatch import Mismatch
from scheduler_core.framework.interface import EventRegistration, Plugin
from scheduler_core.objects.decode import decode
from scheduler_core.objects.label_keys import merge_label_keys
from scheduler_core.objects.model import KubernetesObject
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.queue.events import expanded_actions
from scheduler_core.scheduler import Scheduler
from scheduler_core.simulation.simulated_clock import SimulatedClock

Json = Mapping[str, Any]

NOT_REGISTERED = "NotRegistered"
QUEUE_BY_DEFAULT = "Queue(default)"


def run_case(case: Json) -> list[Mismatch]:
    """Everything that differs."""
    scheduler = Scheduler(default_configuration(), SimulatedClock(), seed=1)
    scheduler.restore([_decode(manifest) for manifest in case["objects"]])
    plugin = next((each for each in _plugins(scheduler) if each.name == case["plugin"]), None)
    if plugin is None:
        return [Mismatch(case=case["name"], subject=case["plugin"], what="plugin", expected="to exist", got="missing")]
    got = list(_answers(plugin, case)) or [NOT_REGISTERED]
    if got == case["expect"]:
        return []
    subject = f"{case['plugin']} {case['event']}/{case['action']}"
    return [Mismatch(case=case["name"], subject=subject, what="hint", expected=case["expect"], got=got)]


def run_registered_events(case: Json) -> list[Mismatch]:
    """The whole table is one case."""
    scheduler = Scheduler(default_configuration(), SimulatedClock(), seed=1)
    registered = {plugin.name: _registrations(plugin) for plugin in _plugins(scheduler)}
    return [
        Mismatch(case="registered-events", subject=name, what="events", expected=wanted, got=registered.get(name))
        for name, wanted in case.items()
        if _sorted(wanted) != registered.get(name)
    ]


def _plugins(scheduler: Scheduler) -> list[Plugin]:
    return next(iter(scheduler.profiles.values())).all_plugins()


def _answers(plugin: Plugin, case: Json) -> Iterator[str]:
    pod = _decode(case["pod"])
    if not isinstance(pod, Pod):
        raise TypeError(f"expected a Pod, got {type(pod).__name__}")
    old, new = (_decode(case[key]) if case.get(key) else None for key in ("old", "new"))
    for registration in plugin.events_to_register():
        if registration.resource != case["event"] or not _covers(registration, case["action"]):
            continue
        yield QUEUE_BY_DEFAULT if registration.hint is None else registration.hint(PodInfo(pod), old, new).hint.value


def _covers(registration: EventRegistration, action: str) -> bool:
    return action in expanded_actions(registration.resource, registration.actions)


def _registrations(plugin: Plugin) -> list[tuple[str, list[str], bool]]:
    return sorted((each.resource, sorted(each.actions), each.hint is not None) for each in plugin.events_to_register())


def _sorted(wanted: list[Json]) -> list[tuple[str, list[str], bool]]:
    return sorted((each["resource"], sorted(each["actions"]), each["queueingHint"]) for each in wanted)


def _decode(manifest: Json) -> KubernetesObject:
    return decode(merge_label_keys(manifest) if manifest["kind"] == "Pod" else manifest)
