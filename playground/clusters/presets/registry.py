"""The presets: ids, what they show, and how their manifests are made.

A preset is a function from the cluster's name to manifests; the sample shop is
a YAML file beside this one, applied as anybody would apply it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from playground.clusters.kind_config import CONTROL_PLANE, WORKER, KindConfig, KindNode, node_manifests
from playground.clusters.presets import (
    extender_labs,
    gang_labs,
    gpu_share_lab,
    own_plugins_lab,
    queue_labs,
    scheduler_labs,
)
from playground.clusters.presets.nodes import node_manifest as _node

Manifest = dict[str, Any]

ZONE = "topology.kubernetes.io/zone"
REGION = "topology.kubernetes.io/region"
ZONES = ("north-a", "north-b", "north-c")
SHOP = Path(__file__).with_name("sample_shop.yaml")


@dataclass(frozen=True, kw_only=True)
class Preset:
    id: str
    title: str
    description: str
    # Cluster name -> manifests, in order of creation.
    manifests: Callable[[str], list[Manifest]]
    # YAML applied after them.
    yaml: Path | None = None
    # Settings of the cluster that differ from their defaults.
    settings: Mapping[str, Any] = field(default_factory=dict)
    # A KubeSchedulerConfiguration; None: the scheduler's defaults.
    configuration: Mapping[str, Any] | None = None
    # The same, made of the cluster's slug: for extenders that have it in their address.
    configuration_of: Callable[[str], Mapping[str, Any]] | None = None
    # Plugins written in CEL, which the configuration names.
    cel_plugins: Sequence[Mapping[str, str]] = ()
    # How many processes run it.
    replicas: int = 1
    # Schedulers deployed beside it: name -> KubeSchedulerConfiguration.
    further_schedulers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @cached_property
    def nodes(self) -> int:
        return sum(1 for manifest in self.manifests("demo") if manifest["kind"] == "Node")

    @cached_property
    def pods(self) -> int:
        own = [_pod_count(manifest) for manifest in self.manifests("demo")]
        return sum(own) + (0 if self.yaml is None else _replicas_in(self.yaml))


def _pod_count(manifest: Manifest) -> int:
    """What there is of it at a time."""
    spec = manifest.get("spec") or {}
    return 1 if manifest["kind"] == "Pod" else int(spec.get("replicas", spec.get("parallelism", 0)))


def _replicas_in(path: Path) -> int:
    from playground.clusters.manifests import read_documents

    return sum(_pod_count(document.value) for document in read_documents(path.read_text(encoding="utf-8")))


def _no_nodes(name: str) -> list[Manifest]:
    return []


def _one_and_three(name: str) -> list[Manifest]:
    nodes = (KindNode(role=CONTROL_PLANE), *(KindNode(role=WORKER) for _ in range(3)))
    return node_manifests(KindConfig(name=name, nodes=nodes), name)


def _zone(zone: str) -> dict[str, str]:
    return {ZONE: zone, REGION: "north"}


def _three_zones(name: str) -> list[Manifest]:
    return [
        _node(f"{name}-{zone[-1]}{number}", "4", "16Gi", {**_zone(zone), "disk": "ssd" if number == 1 else "hdd"})
        for number in (1, 2)
        for zone in ZONES
    ]


def _gpu_pool(name: str) -> list[Manifest]:
    gpus = {"nvidia.com/gpu": "4"}
    taint = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
    labels = {"accelerator": "nvidia"}
    pool = [_node(f"{name}-gpu-{number}", "16", "64Gi", labels, taints=[taint], resources=gpus) for number in (1, 2)]
    return [*(_node(f"{name}-cpu-{number}", "8", "32Gi", {}) for number in (1, 2, 3)), *pool]


def _tainted(name: str) -> list[Manifest]:
    team = {"key": "team", "value": "data", "effect": "NoSchedule"}
    spot = {"key": "lifecycle", "value": "spot", "effect": "PreferNoSchedule"}
    return [
        _node(f"{name}-open", "4", "8Gi", {}),
        _node(f"{name}-data", "4", "8Gi", {"team": "data"}, taints=[team]),
        _node(f"{name}-spot", "4", "8Gi", {"lifecycle": "spot"}, taints=[spot]),
        _node(f"{name}-cordoned", "4", "8Gi", {}, unschedulable=True),
    ]


def _almost_full(name: str) -> list[Manifest]:
    """Three nodes with half a CPU left each, taken by pods of low priority."""
    nodes = [_node(f"{name}-n{number}", "4", "8Gi", {}) for number in (1, 2, 3)]
    fillers = [_filler(f"filler-{node}-{i}", f"{name}-n{node}") for node in (1, 2, 3) for i in range(7)]
    return [*nodes, *fillers]


def _filler(name: str, node: str) -> Manifest:
    resources = {"requests": {"cpu": "500m", "memory": "512Mi"}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": "filler"}},
        "spec": {
            "nodeName": node,
            "priorityClassName": "low-priority",
            "containers": [{"name": "main", "image": "registry.example/filler:1.0", "resources": resources}],
        },
    }


def _many(count: int) -> Callable[[str], list[Manifest]]:
    def manifests(name: str) -> list[Manifest]:
        width = len(str(count))
        return [
            _node(f"{name}-{number:0{width}}", "4", "32Gi", _zone(ZONES[number % len(ZONES)]))
            for number in range(1, count + 1)
        ]

    return manifests


PRESETS: Sequence[Preset] = (
    Preset(id="empty", title="Empty", description="No node yet: add your own.", manifests=_no_nodes),
    Preset(
        id="kind-1-3",
        title="One control plane, three workers",
        description="What kind makes of a file with one control-plane node and three workers.",
        manifests=_one_and_three,
    ),
    Preset(
        id="sample-shop",
        title="Sample shop",
        description="A shop of a dozen Deployments with their Services, on one control plane and three workers.",
        manifests=_one_and_three,
        yaml=SHOP,
    ),
    Preset(
        id="three-zones",
        title="Three zones",
        description="Two nodes in each of three zones; one of each pair has an SSD.",
        manifests=_three_zones,
    ),
    Preset(
        id="gpu-pool",
        title="GPU pool",
        description="Three ordinary nodes, and two tainted ones with four GPUs each.",
        manifests=_gpu_pool,
    ),
    Preset(
        id="tainted",
        title="Taints",
        description="An open node, one kept for a team, a spot node to be avoided, and a cordoned one.",
        manifests=_tainted,
    ),
    Preset(
        id="almost-full",
        title="Almost full",
        description="Half a CPU left on each of three nodes, the rest taken by pods of low priority.",
        manifests=_almost_full,
    ),
    Preset(
        id="starvation-lab",
        title="Starvation lab",
        description=(
            "A pod of high priority that fits no node, and a Job of small pods behind it. Look at activeQ and the "
            "attempts of `giant`: every pod that ends wakes it, it goes first and fails again; yet the small ones "
            "run, since a pod that failed backs off instead of standing in the way."
        ),
        manifests=queue_labs.starvation,
        settings={"job_seconds": 3.0},
    ),
    Preset(
        id="backoff-lab",
        title="Backoff lab",
        description=(
            "A pod that fails again and again while others come and go. Look at how long `patient` stays in backoffQ: "
            "each attempt doubles it, from 1 up to 10 seconds. Switch the feature gate SchedulerPopFromBackoffQ on "
            "(settings): it is tried at once whenever activeQ is empty, and its attempts rise much faster."
        ),
        manifests=queue_labs.backoff,
        settings={"job_seconds": 2.0},
    ),
    Preset(
        id="hint-lab",
        title="Hint lab",
        description=(
            "Ten pods that wait, for five different reasons. Add one node with the label disk=ssd, as the Large node "
            "of the palette has it, and look at Moves, beside the queue's title: the two that want an SSD wake, and "
            "the two whose claim is missing, since VolumeRestrictions has no hint about new nodes; for each of the "
            "others a hint says why not. Switch the feature gate SchedulerQueueingHints off in the cluster's settings "
            "and add another: all that waited for any node wake, in vain."
        ),
        manifests=queue_labs.hints,
    ),
    Preset(
        id="slow-api-server",
        title="Slow API server",
        description=(
            "A binding takes 5 seconds. Look at the pods that are being bound: they are assumed, so their room is "
            "taken at once, and of the four pods of `rush` two wait instead of being placed into the same room."
        ),
        manifests=queue_labs.slow_api_server,
        settings={"binding_latency_seconds": 5.0},
    ),
    Preset(
        id="slow-api-server-without-assume",
        title="Slow API server, no assume cache",
        description=(
            "The same with the assume cache switched off. Look at the pods of `rush`: all four are placed, since none "
            "of them counts before it is bound; the kubelets refuse two with OutOfcpu, and their controller makes "
            "new ones. This is what AssumePod prevents."
        ),
        manifests=queue_labs.slow_api_server,
        settings={"binding_latency_seconds": 5.0, "assume_cache": False},
    ),
    Preset(
        id="gang-lab",
        title="Gang lab: one too few",
        description=(
            "A Deployment of 2 pods whose PodGroup wants at least 3, and a scheduler with the Coscheduling plugin. "
            "Look at why the pods stay Pending although there is room: their message counts them. Scale `trainer` to "
            "3: the new pod waits at Permit, brings its siblings along, and all three are bound at once."
        ),
        manifests=gang_labs.too_few,
        configuration=gang_labs.COSCHEDULING,
    ),
    Preset(
        id="gangs-starving",
        title="Two gangs starving each other",
        description=(
            "Two gangs of 4 pods, room for 4, and the default scheduler, which knows no gangs. Look at the board: each "
            "gang got half of what it needs, so neither can work and neither gives way. Compare it with the preset "
            '"Two gangs, one at a time".'
        ),
        manifests=gang_labs.starving,
    ),
    Preset(
        id="gangs-coscheduling",
        title="Two gangs, one at a time",
        description=(
            "The same two gangs with PodGroups and the Coscheduling plugin. Look at `blue`: its pods waited at Permit "
            "until all 4 were placed and run now, while no pod of `red` holds any room. Delete the pods of `blue`, or "
            "add two nodes: `red` runs whole."
        ),
        manifests=gang_labs.whole,
        configuration=gang_labs.COSCHEDULING,
    ),
    Preset(
        id="gpu-share-lab",
        title="Shared GPUs",
        description=(
            "A webhook sends pods that ask for gpushare.example/gpu-mem to the profile gpu-scheduler, and an extender "
            "packs them onto cards of 16 GiB. Look at `large`, which needs 8: each node has that much free, but not on "
            "one card, and the message says so. Scale `trainer` down to 3, and `large` runs."
        ),
        manifests=gpu_share_lab.manifests,
        configuration_of=gpu_share_lab.configuration,
    ),
    Preset(
        id="extender-lab",
        title="Extender lab",
        description=(
            "A scheduler that asks an HTTP extender about licences and power. Look at why `solver` stays Pending: the "
            "reason is the extender's own, counted like a plugin's. `model` may go to two nodes only, and the score of "
            "the extender takes it to the one with green power. Every call is in the decision, with its answer."
        ),
        manifests=extender_labs.licences,
        configuration=extender_labs.LICENCE_EXTENDER,
    ),
    Preset(
        id="slow-extender-lab",
        title="Slow extender",
        description=(
            "An extender that answers after 3 seconds and is given 1. Look at a decision: the call failed, and since "
            "the extender is ignorable the pod was scheduled without it. Set `ignorable: false` in the scheduler's "
            "configuration and create another pod: SchedulerError, and it backs off. Other clusters wait for neither."
        ),
        manifests=extender_labs.slow,
        configuration=extender_labs.SLOW_EXTENDER,
    ),
    Preset(
        id="own-plugins-lab",
        title="Plugins of one's own",
        description=(
            "A scheduler with two plugins in Python and one in CEL. Look at the scores of a `web` pod: InstanceType "
            "takes it to the c5 machine, and LifecyclePreference takes the pods of `batch`, which prefer spot, to the "
            "m5. `wide` stays Pending though the GPU node has room: the CEL filter KeepGPUNodes keeps that for pods "
            "like `training`. Write the filter anew, as `true`, and `wide` runs."
        ),
        manifests=own_plugins_lab.manifests,
        configuration=own_plugins_lab.CONFIGURATION,
        cel_plugins=own_plugins_lab.CEL_PLUGINS,
    ),
    Preset(
        id="two-schedulers-race",
        title="Two schedulers race",
        description=(
            "Room for one pod on the node, and two schedulers that each have one to place. Look at both "
            "decisions: each scheduler has a cache of its own and finds the room free, and the API server takes "
            "both bindings. The kubelet refuses the second pod (OutOfcpu), which stays Failed; its Deployment "
            "makes a new one, and that one waits, since by then the room is seen to be taken."
        ),
        manifests=scheduler_labs.race,
        settings={"binding_latency_seconds": 3.0},
        further_schedulers={"second-scheduler": scheduler_labs.SECOND_SCHEDULER},
    ),
    Preset(
        id="two-profiles",
        title="Two profiles, one scheduler",
        description=(
            "The same pods and the same room, but both scheduler names are profiles of one scheduler. Look at the "
            "queue: there is one queue and one cache for both, so the pod that comes second finds the room "
            "assumed and waits; nothing fails."
        ),
        manifests=scheduler_labs.race,
        settings={"binding_latency_seconds": 3.0},
        configuration=scheduler_labs.TWO_PROFILES,
    ),
    Preset(
        id="leader-election-lab",
        title="Leader election",
        description=(
            "Two processes of one scheduler: kube-scheduler-0 leads, -1 stands by. Look at who holds the Lease "
            "kube-system/kube-scheduler. Kill the leader (tab Schedulers, or POST "
            "schedulers/kube-scheduler/replicas/0/kill/) and make a pod: nobody tries it until the Lease has run out "
            "after 15 seconds; then one that stood by takes over with a new queue. "
            "A second scheduler with the default configuration, `another-scheduler`, wants the same Lease: it waits "
            "while the first one's processes hold it, and may be the one that takes it over."
        ),
        manifests=scheduler_labs.leader_election,
        replicas=2,
        further_schedulers={"another-scheduler": scheduler_labs.DEFAULTS},
    ),
    Preset(id="nodes-100", title="100 nodes", description="100 nodes in three zones.", manifests=_many(100)),
    Preset(id="nodes-1000", title="1,000 nodes", description="1,000 nodes in three zones.", manifests=_many(1000)),
)
