"""What is special about a DaemonSet's pods: each is meant for one node.

The pod is pinned by node affinity to a node's name, so that it goes through the
scheduler like any other, and tolerates what a node may suffer from: daemons are
wanted there most of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from scheduler_core.controllers.pod_template import generated_pod, with_pod_labels
from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.manifest import Manifest, node_name_of
from scheduler_core.objects.node import Node
from scheduler_core.objects.pod import Pod
from scheduler_core.objects.taints import NO_EXECUTE, REJECTING_EFFECTS, first_untolerated
from scheduler_core.snapshot.node_selection import required_node_affinity

REVISION_HASH = "controller-revision-hash"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_TOLERATED: Mapping[str, str] = {
    "node.kubernetes.io/not-ready": "NoExecute",
    "node.kubernetes.io/unreachable": "NoExecute",
    "node.kubernetes.io/disk-pressure": "NoSchedule",
    "node.kubernetes.io/memory-pressure": "NoSchedule",
    "node.kubernetes.io/pid-pressure": "NoSchedule",
    "node.kubernetes.io/unschedulable": "NoSchedule",
}
_HOST_NETWORK_ONLY: Mapping[str, str] = {"node.kubernetes.io/network-unavailable": "NoSchedule"}


class Wanted(NamedTuple):
    """Whether a node should get a daemon pod, and whether it may keep one."""

    to_run: bool
    to_keep: bool


def tolerations(spec: Manifest) -> list[Manifest]:
    """The pod's own, and the ones every daemon has."""
    tolerated = {**_TOLERATED, **(_HOST_NETWORK_ONLY if spec.get("hostNetwork") else {})}
    own: list[Manifest] = list(spec.get("tolerations") or ())
    added = [{"key": key, "operator": "Exists", "effect": effect} for key, effect in tolerated.items()]
    return own + [each for each in added if each not in own]


def decoded_template(daemon_set: Manifest) -> Pod:
    """The pod the template describes, with a daemon's tolerations."""
    template = daemon_set["spec"]["template"]
    metadata = {**(template.get("metadata") or {}), "name": daemon_set["metadata"]["name"]}
    spec = {**template["spec"], "tolerations": tolerations(template["spec"])}
    return decode_as(Pod, {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})


def wanted_on(pod: Pod, node: Node) -> Wanted:
    if pod.spec.node_name and pod.spec.node_name != node.name:
        return Wanted(False, False)
    if not required_node_affinity(pod).matches(node):
        return Wanted(False, False)
    taints, tolerated = node.spec.taints, pod.spec.tolerations
    may_stay = first_untolerated(taints, tolerated, frozenset({NO_EXECUTE})) is None
    return Wanted(may_stay and first_untolerated(taints, tolerated, REJECTING_EFFECTS) is None, may_stay)


def daemon_pod(daemon_set: Manifest, node_name: str, revision: str, generator: Random) -> Manifest:
    pod = with_pod_labels(generated_pod(daemon_set, generator), **{REVISION_HASH: revision})
    spec = pod["spec"]
    affinity = {**(spec.get("affinity") or {}), "nodeAffinity": _pinned(spec, node_name)}
    return {**pod, "spec": {**spec, "affinity": affinity, "tolerations": tolerations(spec)}}


def _pinned(spec: Manifest, node_name: str) -> Manifest:
    """The template's node affinity, with the node's name in every required term."""
    own: Manifest = ((spec.get("affinity") or {}).get("nodeAffinity")) or {}
    field = {"key": "metadata.name", "operator": "In", "values": [node_name]}
    terms = (own.get(_REQUIRED) or {}).get("nodeSelectorTerms") or [{}]
    return {**own, _REQUIRED: {"nodeSelectorTerms": [{**term, "matchFields": [field]} for term in terms]}}


def node_of(pod: Manifest) -> str:
    """The node a daemon pod is on or meant for; "" where it does not say."""
    if node_name_of(pod):
        return node_name_of(pod)
    required = ((pod["spec"].get("affinity") or {}).get("nodeAffinity") or {}).get(_REQUIRED) or {}
    for term in required.get("nodeSelectorTerms") or ():
        for field in term.get("matchFields") or ():
            if field.get("key") == "metadata.name" and len(field.get("values") or ()) == 1:
                name: str = field["values"][0]
                return name
    return ""
