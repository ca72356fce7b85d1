"""What the plugins mean, said plainly: one node, one pod at a time, no NumPy.

Written from Kubernetes' documentation for small clusters, to be compared with.
Each function takes the whole cluster as manifests (`nodes`, `pods` that are on
nodes) and the pod.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

Manifest = Mapping[str, Any]

HOST = "kubernetes.io/hostname"


def labels(thing: Manifest) -> dict[str, str]:
    return dict(thing["metadata"].get("labels", {}))


def name(thing: Manifest) -> str:
    return str(thing["metadata"]["name"])


def pods_on(node: Manifest, pods: Sequence[Manifest]) -> list[Manifest]:
    return [pod for pod in pods if pod["spec"]["nodeName"] == name(node)]


# --- requirements ---


def satisfied(requirement: Manifest, has: Mapping[str, str]) -> bool:
    key, values = requirement["key"], requirement.get("values", [])
    match requirement["operator"]:
        case "In":
            return has.get(key) in values
        case "NotIn":
            return has.get(key) not in values
        case "Exists":
            return key in has
        case "DoesNotExist":
            return key not in has
    # A value is a label value, which never begins with a minus.
    if values[0].startswith("-") or not has.get(key, "").lstrip("-").isdigit():
        return False
    difference = int(has[key]) - int(values[0])
    return difference > 0 if requirement["operator"] == "Gt" else difference < 0


def selected(selector: Manifest | None, has: Mapping[str, str]) -> bool:
    if selector is None:
        return False
    pairs = all(has.get(key) == value for key, value in selector.get("matchLabels", {}).items())
    return pairs and all(satisfied(each, has) for each in selector.get("matchExpressions", []))


def node_affinity_matches(pod: Manifest, node: Manifest) -> bool:
    spec = pod["spec"]
    if any(labels(node).get(key) != value for key, value in spec.get("nodeSelector", {}).items()):
        return False
    required = spec.get("affinity", {}).get("nodeAffinity", {}).get("requiredDuringSchedulingIgnoredDuringExecution")
    if required is None:
        return True
    terms = required["nodeSelectorTerms"]
    return any(all(satisfied(each, labels(node)) for each in term["matchExpressions"]) for term in terms)


def tolerated(pod: Manifest, taint: Manifest, effects: Sequence[str] = ()) -> bool:
    for toleration in pod["spec"].get("tolerations", []):
        if effects and toleration.get("effect", "") not in ("", *effects):
            continue
        if toleration.get("effect") not in (None, taint["effect"]):
            continue
        if toleration.get("key") not in (None, taint["key"]):
            continue
        if toleration.get("operator") == "Exists" or toleration.get("value", "") == taint.get("value", ""):
            return True
    return False


def untolerated(pod: Manifest, node: Manifest) -> list[Manifest]:
    taints = node["spec"].get("taints", [])
    return [each for each in taints if each["effect"] != "PreferNoSchedule" and not tolerated(pod, each)]


# --- filters: True where the pod fits ---


def taints_fit(node: Manifest, nodes: Sequence[Manifest], pods: Sequence[Manifest], pod: Manifest) -> bool:
    return not untolerated(pod, node)


def affinity_fits(node: Manifest, nodes: Sequence[Manifest], pods: Sequence[Manifest], pod: Manifest) -> bool:
    return node_affinity_matches(pod, node)


def ports_of(pod: Manifest) -> list[tuple[int, str]]:
    ports = pod["spec"]["containers"][0].get("ports", [])
    return [(each["hostPort"], each.get("hostIP") or "0.0.0.0") for each in ports]


def ports_fit(node: Manifest, nodes: Sequence[Manifest], pods: Sequence[Manifest], pod: Manifest) -> bool:
    taken = [port for each in pods_on(node, pods) for port in ports_of(each)]
    return not any(
        port == other and (ip == theirs or "0.0.0.0" in (ip, theirs))
        for port, ip in ports_of(pod)
        for other, theirs in taken
    )


def cpu(pod: Manifest) -> int:
    requests = pod["spec"]["containers"][0].get("resources", {}).get("requests", {})
    return int(requests.get("cpu", "0m").removesuffix("m"))


def memory(pod: Manifest) -> int:
    requests = pod["spec"]["containers"][0].get("resources", {}).get("requests", {})
    return int(requests.get("memory", "0"))


def capacity(node: Manifest) -> tuple[int, int, int]:
    has = node["status"]["allocatable"]
    return int(has["cpu"].removesuffix("m")), int(has["memory"]), int(has["pods"])


def resources_fit(node: Manifest, nodes: Sequence[Manifest], pods: Sequence[Manifest], pod: Manifest) -> bool:
    here = pods_on(node, pods)
    millicores, size, places = capacity(node)
    return (
        len(here) < places
        and (not cpu(pod) or cpu(pod) <= millicores - sum(map(cpu, here)))
        and (not memory(pod) or memory(pod) <= size - sum(map(memory, here)))
    )


def counts_for(pod: Manifest, constraint: Manifest, node: Manifest) -> bool:
    if constraint.get("nodeAffinityPolicy", "Honor") == "Honor" and not node_affinity_matches(pod, node):
        return False
    return constraint.get("nodeTaintsPolicy", "Ignore") != "Honor" or not untolerated(pod, node)


def spread_constraints(pod: Manifest, action: str) -> list[Manifest]:
    every = pod["spec"].get("topologySpreadConstraints", [])
    return [each for each in every if each["whenUnsatisfiable"] == action]


def matching_in(constraint: Manifest, node: Manifest, pods: Sequence[Manifest], pod: Manifest) -> int:
    namespace = pod["metadata"]["namespace"]
    return sum(
        each["metadata"]["namespace"] == namespace and selected(constraint["labelSelector"], labels(each))
        for each in pods_on(node, pods)
    )


def domains_of(
    constraint: Manifest, keys: Sequence[str], nodes: Sequence[Manifest], pods: Sequence[Manifest], pod: Manifest
) -> dict[str, int]:
    found: dict[str, int] = {}
    for node in nodes:
        if all(key in labels(node) for key in keys) and counts_for(pod, constraint, node):
            domain = labels(node)[constraint["topologyKey"]]
            found[domain] = found.get(domain, 0) + matching_in(constraint, node, pods, pod)
    return found


def spread_fits(node: Manifest, nodes: Sequence[Manifest], pods: Sequence[Manifest], pod: Manifest) -> bool:
    constraints = spread_constraints(pod, "DoNotSchedule")
    keys = [each["topologyKey"] for each in constraints]
    for constraint in constraints:
        if constraint["topologyKey"] not in labels(node):
            return False
        domains = domains_of(constraint, keys, nodes, pods, pod)
        emptiest = min(domains.values(), default=0)
        if len(domains) < constraint.get("minDomains", 1):
            emptiest = 0
        own = selected(constraint["labelSelector"], labels(pod))
        if domains.get(labels(node)[constraint["topologyKey"]], 0) + own - emptiest > constraint["maxSkew"]:
            return False
    return True


def terms(pod: Manifest, kind: str, sort: str = "required") -> list[Manifest]:
    affinity = pod["spec"].get("affinity", {}).get(kind, {})
    return list(affinity.get(f"{sort}DuringSchedulingIgnoredDuringExecution", []))


def term_matches(term: Manifest, owner: Manifest, other: Manifest) -> bool:
    namespaces = term.get("namespaces") or [owner["metadata"]["namespace"]]
    return other["metadata"]["namespace"] in namespaces and selected(term["labelSelector"], labels(other))


def same_domain(key: str, one: Manifest, other: Manifest) -> bool:
    return key in labels(one) and labels(one)[key] == labels(other).get(key)


def pod_affinity_fits(node: Manifest, nodes: Sequence[Manifest], pods: Sequence[Manifest], pod: Manifest) -> bool:
    placed = [(each, other) for each in nodes for other in pods_on(each, pods)]
    for there, other in placed:
        for term in terms(other, "podAntiAffinity"):
            if term_matches(term, other, pod) and same_domain(term["topologyKey"], there, node):
                return False
        for term in terms(pod, "podAntiAffinity"):
            if term_matches(term, pod, other) and same_domain(term["topologyKey"], there, node):
                return False
    wanted = terms(pod, "podAffinity")
    if any(term["topologyKey"] not in labels(node) for term in wanted):
        return False
    friends = [there for there, other in placed if wanted and all(term_matches(term, pod, other) for term in wanted)]
    if all(any(same_domain(term["topologyKey"], there, node) for there in friends) for term in wanted):
        return True
    alone = not any(term["topologyKey"] in labels(there) for there in friends for term in wanted)
    return alone and all(term_matches(term, pod, pod) for term in wanted)


# --- scores: normalised, of the given feasible nodes ---


def taint_scores(feasible: Sequence[Manifest], nodes: Any, pods: Any, pod: Manifest) -> list[int]:
    def disliked(node: Manifest) -> int:
        taints = [each for each in node["spec"].get("taints", []) if each["effect"] == "PreferNoSchedule"]
        return sum(not tolerated(pod, each, ("PreferNoSchedule",)) for each in taints)

    raw = [disliked(node) for node in feasible]
    highest = max(raw)
    return [100 - 100 * each // highest if highest else 100 for each in raw]


def least_allocated_scores(
    feasible: Sequence[Manifest], nodes: Any, pods: Sequence[Manifest], pod: Manifest
) -> list[int]:
    def of(node: Manifest) -> int:
        asked = [pod, *pods_on(node, pods)]
        used = (sum(cpu(each) or 100 for each in asked), sum(memory(each) or 200 << 20 for each in asked))
        parts = [(has - use) * 100 // has if use <= has else 0 for has, use in zip(capacity(node), used, strict=False)]
        return sum(parts) // 2

    return [of(node) for node in feasible]


def balance_scores(
    feasible: Sequence[Manifest], nodes: Any, pods: Sequence[Manifest], pod: Manifest
) -> list[int] | None:
    def of(node: Manifest) -> int:
        asked = [pod, *pods_on(node, pods)]
        used = (sum(map(cpu, asked)), sum(map(memory, asked)))
        first, second = (min(use / has, 1.0) for has, use in zip(capacity(node), used, strict=False))
        return int((1 - abs((first - second) / 2)) * 100)

    return [of(node) for node in feasible] if cpu(pod) or memory(pod) else None


def spread_scores(
    feasible: Sequence[Manifest], nodes: Sequence[Manifest], pods: Sequence[Manifest], pod: Manifest
) -> list[int] | None:
    constraints = spread_constraints(pod, "ScheduleAnyway")
    if not constraints:
        return None
    keys = [each["topologyKey"] for each in constraints]
    complete = [node for node in feasible if all(key in labels(node) for key in keys)]
    raw = {name(node): 0.0 for node in complete}
    for constraint in constraints:
        key = constraint["topologyKey"]
        domains = domains_of(constraint, keys, nodes, pods, pod)
        sizes = len(complete) if key == HOST else len({labels(node)[key] for node in complete})
        for node in complete:
            count = matching_in(constraint, node, pods, pod) if key == HOST else domains.get(labels(node)[key], 0)
            raw[name(node)] += count * math.log(sizes + 2) + (constraint["maxSkew"] - 1)
    rounded = {each: math.floor(score + 0.5) for each, score in raw.items()}
    lowest, highest = min(rounded.values(), default=0), max(rounded.values(), default=0)

    def normal(node: Manifest) -> int:
        if name(node) not in rounded:
            return 0
        return 100 * (highest + lowest - rounded[name(node)]) // highest if highest else 100

    return [normal(node) for node in feasible]


def pod_affinity_scores(
    feasible: Sequence[Manifest], nodes: Sequence[Manifest], pods: Sequence[Manifest], pod: Manifest
) -> list[int] | None:
    placed = [(each, other) for each in nodes for other in pods_on(each, pods)]
    pulls: list[tuple[Manifest, str, int]] = []
    for there, other in placed:
        for sign, kind in ((1, "podAffinity"), (-1, "podAntiAffinity")):
            for own in terms(pod, kind, "preferred"):
                if term_matches(own["podAffinityTerm"], pod, other):
                    pulls.append((there, own["podAffinityTerm"]["topologyKey"], sign * own["weight"]))
            for theirs in terms(other, kind, "preferred"):
                if term_matches(theirs["podAffinityTerm"], other, pod):
                    pulls.append((there, theirs["podAffinityTerm"]["topologyKey"], sign * theirs["weight"]))
        for term in terms(other, "podAffinity"):
            if term_matches(term, other, pod):
                pulls.append((there, term["topologyKey"], 1))
    if not any(key in labels(there) for there, key, _ in pulls):
        return None
    raw = [sum(weight for there, key, weight in pulls if same_domain(key, there, node)) for node in feasible]
    lowest, highest = min(raw), max(raw)
    if lowest == highest:
        return [0] * len(raw)
    return [int(100 * ((each - lowest) / (highest - lowest))) for each in raw]
