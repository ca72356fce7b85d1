"""How the presets are laid out on the start page, and what to look at in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class PresetGroup(NamedTuple):
    id: str
    title: str
    # Preset id -> one line: what to do, and what to look at.
    watch: Mapping[str, str]


PRESET_GROUPS: Sequence[PresetGroup] = (
    PresetGroup(
        "first-steps",
        "First steps",
        {
            "kind-1-3": "Drop a pod on the board and watch it cross the queue and land on a worker.",
            "sample-shop": "A dozen Deployments at once: open any pod and read why its node won.",
            "almost-full": "Drop a Large pod: no room. Drop a High-priority pod: others have to go for it.",
        },
    ),
    PresetGroup(
        "shapes",
        "Shapes of clusters",
        {
            "empty": "A pod is tried again and again, in vain, until you add the first node.",
            "three-zones": "Drop Zone-spread pods one after the other and watch the zones fill evenly.",
            "gpu-pool": "Ordinary pods keep off the tainted GPU nodes; a pod with a toleration goes there.",
            "tainted": "Four nodes, four answers: drag a pod over them and read what each says.",
            "nodes-100": "Cells instead of cards; the search stops once enough nodes fit.",
            "nodes-1000": "The heat map; watch how few of the nodes a cycle looks at.",
        },
    ),
    PresetGroup(
        "queue",
        "Labs: the scheduling queue",
        {
            "starvation-lab": "One pod that never fits goes first again and again; the small ones still run.",
            "backoff-lab": "The stay in backoffQ doubles with each attempt, from 1 up to 10 seconds.",
            "hint-lab": "Add a Large node (disk=ssd): which of ten waiting pods wake, and which do not?",
            "slow-api-server": "While a binding takes 5 seconds its room is assumed, so nobody else is put there.",
            "slow-api-server-without-assume": "The same without AssumePod: four pods in a place for two.",
        },
    ),
    PresetGroup(
        "gangs",
        "Labs: gangs",
        {
            "gang-lab": "Two of three members wait; scale to 3 and all are bound at once.",
            "gangs-starving": "Two half-placed gangs hold each other's room, and neither can work.",
            "gangs-coscheduling": "The same two with Coscheduling: one runs whole, the other holds nothing.",
        },
    ),
    PresetGroup(
        "schedulers",
        "Labs: several schedulers",
        {
            "two-schedulers-race": "Two schedulers want the last slot; the kubelet refuses the second pod.",
            "two-profiles": "The same with two profiles of one scheduler: no race.",
            "leader-election-lab": "Kill the leader and watch when the Lease is taken over, and by whom.",
        },
    ),
    PresetGroup(
        "extending",
        "Labs: extenders, admission, own plugins",
        {
            "extender-lab": "A service decides about licences; its reason stands in the message like a plugin's.",
            "slow-extender-lab": "An extender that answers too late, ignorable or not.",
            "gpu-share-lab": "A webhook picks the scheduler, an extender packs the cards; watch the gaps.",
            "own-plugins-lab": "Plugins in Python and in CEL, in the score table beside the built-in ones.",
        },
    ),
)

# Of a preset that stands in none of them.
OTHERS = PresetGroup("others", "More", {})


def group_of(preset: str) -> PresetGroup:
    return next((group for group in PRESET_GROUPS if preset in group.watch), OTHERS)
