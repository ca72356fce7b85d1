"""A GPU sharing scheduler in small, after the manner of HAMi: a webhook and an extender.

.../mutate                    AdmissionReview: pods that ask for shared GPU memory go to gpu-scheduler
.../{cluster}/filter          nodes none of whose cards has room are out
.../{cluster}/prioritize      the node whose card is filled best is best
.../{cluster}/bind            chooses the card, notes it on the pod, binds
"""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from playground.clusters.models import Node, Pod
from playground.clusters.selectors import cluster_get, object_get
from playground.clusters.services.pods import PodBinding, pod_bind_many
from playground.clusters.services.transaction import cluster_transaction
from playground.common.database import chunks
from playground.common.errors import ApiError, BadRequest
from playground.samples.gpu_cards import CARD, Card, best_card, cards_of, memory_wanted, refusal, score
from playground.samples.requests import Json, json_endpoint

SCHEDULER = "gpu-scheduler"


# The webhook


@json_endpoint
def mutate(review: Json) -> Json:
    request = review.get("request")
    if not isinstance(request, dict) or not isinstance(request.get("object"), dict):
        raise BadRequest("expected an AdmissionReview with request.object")
    response = {"uid": request.get("uid", ""), "allowed": True, **_patch(request["object"])}
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}


def _patch(pod: Mapping[str, Any]) -> Json:
    """A pod that names a scheduler of its own knows what it does."""
    if not memory_wanted(pod) or pod["spec"].get("schedulerName") != "default-scheduler":
        return {}
    operations = [{"op": "replace", "path": "/spec/schedulerName", "value": SCHEDULER}]
    return {"patchType": "JSONPatch", "patch": base64.b64encode(json.dumps(operations).encode()).decode()}


# The extender


@json_endpoint
def filter_nodes(arguments: Json, slug: str) -> Json:
    wanted, names = memory_wanted(_pod(arguments)), _names(arguments)
    failed: dict[str, str] = {}
    unresolvable: dict[str, str] = {}
    for name, cards in _cards(slug, names).items():
        why = refusal(cards, wanted)
        if why and all(card.size < wanted for card in cards):
            unresolvable[name] = f"no card as large as {wanted} GiB"
        elif why:
            failed[name] = why
    left = [name for name in names if name not in failed and name not in unresolvable]
    return {"NodeNames": left, "FailedNodes": failed, "FailedAndUnresolvableNodes": unresolvable, "Error": ""}


@json_endpoint
def prioritize(arguments: Json, slug: str) -> list[Json]:
    wanted, names = memory_wanted(_pod(arguments)), _names(arguments)
    return [{"Host": name, "Score": score(cards, wanted)} for name, cards in _cards(slug, names).items()]


@json_endpoint
def bind(arguments: Json, slug: str) -> Json:
    """Errors are an answer here: the scheduler takes the pod back and tries again later."""
    try:
        _bind(slug, *(str(arguments.get(key, "")) for key in ("PodNamespace", "PodName", "PodUID", "Node")))
    except ApiError as error:
        return {"Error": error.message}
    return {"Error": ""}


def _bind(slug: str, namespace: str, name: str, uid: str, node: str) -> None:
    cluster = cluster_get(slug)
    # The cluster is locked from the look at the cards to the binding: no card is given twice.
    with cluster_transaction(cluster.pk) as tx:
        pod = object_get(cluster.pk, "Pod", namespace, name)
        wanted = memory_wanted(pod) if pod is not None else 0
        card = best_card(_cards(slug, [node])[node], wanted)
        if card is None:
            raise BadRequest(f"{node}: {refusal(_cards(slug, [node])[node], wanted)}")
        binding = PodBinding(
            namespace=namespace, name=name, uid=uid, node_name=node, annotations={CARD: str(card.index)}
        )
        (result,) = pod_bind_many(tx, bindings=[binding])
        if isinstance(result, ApiError):
            raise result


def _pod(arguments: Json) -> Json:
    pod = arguments.get("Pod")
    if not isinstance(pod, dict):
        raise BadRequest("expected the arguments of an extender, with Pod and NodeNames")
    return pod


def _names(arguments: Json) -> list[str]:
    names = arguments.get("NodeNames")
    if not isinstance(names, list):
        raise BadRequest("expected NodeNames: configure the extender with nodeCacheCapable: true")
    return [name for name in names if isinstance(name, str)]


def _cards(slug: str, names: list[str]) -> dict[str, list[Card]]:
    """The cards of each of the nodes, as the cluster is now."""
    cluster = cluster_get(slug)
    pods: defaultdict[str, list[Json]] = defaultdict(list)
    nodes: dict[str, Json] = {}
    for some in chunks(names):
        bound = Pod.objects.filter(cluster=cluster, node_name__in=some)
        for node_name, manifest in bound.values_list("node_name", "manifest"):
            pods[node_name].append(manifest)
        nodes.update(Node.objects.filter(cluster=cluster, name__in=some).values_list("name", "manifest"))
    return {name: cards_of(nodes.get(name, {}), pods[name]) for name in names}
