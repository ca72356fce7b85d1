"""Nodes as people handle them: cordon, drain, fail, recover; many objects at once; moving a pod."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.clusters.answers import PROBLEM, an_object, described, json_answer
from playground.clusters.selectors import Manifest, cluster_get, object_get
from playground.clusters.services import many, nodes
from playground.clusters.services.objects import DeleteOptions
from playground.clusters.services.transaction import cluster_transaction
from playground.common.errors import NotFound, Subject
from playground.live.cards import card_of, drain_card
from playground.live.messages import DrainCard, NodeCard
from scheduler_core.controllers.drain_plan import DrainOptions
from scheduler_core.controllers.node_drain import Drain, DrainedPod, drain_of

_LONGEST_SECONDS = 10**6


class DrainAnswer(msgspec.Struct, kw_only=True):
    """The whole of it; the node's card has the short form."""

    node: str
    drain: DrainCard
    pods: list[DrainedPod]
    # What kubectl would print, the newest lines.
    log: list[str]


class NodePatchAnswer(msgspec.Struct, kw_only=True):
    results: list[many.NodePatchResult]


class DeleteAnswer(msgspec.Struct, kw_only=True):
    results: list[many.DeleteResult]


class CreatedNodes(msgspec.Struct, kw_only=True):
    names: list[str]


class DrainSerializer(serializers.Serializer[Any]):
    """kubectl's flags."""

    ignore_daemonsets = serializers.BooleanField(required=False, default=False)
    delete_emptydir_data = serializers.BooleanField(required=False, default=False)
    force = serializers.BooleanField(required=False, default=False)
    grace_period = serializers.IntegerField(
        required=False, default=-1, min_value=-1, max_value=_LONGEST_SECONDS, help_text="-1: each pod's own."
    )
    timeout = serializers.FloatField(
        required=False, default=0, min_value=0, max_value=_LONGEST_SECONDS, help_text="Of cluster time; 0: none."
    )


class NodeBatchPatchSerializer(serializers.Serializer[Any]):
    names = serializers.ListField(child=serializers.CharField(max_length=253), allow_empty=False)
    patch = serializers.DictField(help_text="A merge patch of metadata.labels, metadata.annotations, spec, status.")


class NodesFromTemplateSerializer(serializers.Serializer[Any]):
    manifest = serializers.DictField(help_text="A Node; its name, if any, is what the names begin with.")
    count = serializers.IntegerField(min_value=1, max_value=many.MOST_NODES)
    prefix = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class ObjectNameSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    namespace = serializers.CharField(required=False, default="", allow_blank=True)
    name = serializers.CharField(max_length=253)


class BatchDeleteSerializer(serializers.Serializer[Any]):
    objects = ObjectNameSerializer(many=True, allow_empty=False)
    grace_period = serializers.IntegerField(required=False, default=-1, min_value=-1, max_value=_LONGEST_SECONDS)


class MoveSerializer(serializers.Serializer[Any]):
    node = serializers.CharField(max_length=253)


def _checked(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    wanted = serializer(data=an_object(request.data))
    wanted.is_valid(raise_exception=True)
    return dict(wanted.validated_data)


def _grace(seconds: int) -> int | None:
    return None if seconds < 0 else seconds


class _NodeAction(APIView):
    """One change of one node, answered with its card."""

    change: Callable[..., Manifest]

    def _answer(self, slug: str, name: str) -> HttpResponse:
        with cluster_transaction(cluster_get(slug).pk) as tx:
            node = type(self).change(tx, name=name)
        return json_answer(card_of("Node", node))


_CARD = {200: described(NodeCard), 404: PROBLEM, 409: PROBLEM}


class CordonView(_NodeAction):
    change = staticmethod(nodes.node_cordon)

    @extend_schema(operation_id="nodes_cordon", request=None, responses=_CARD, summary="As kubectl cordon")
    def post(self, request: Request, slug: str, name: str) -> HttpResponse:
        return self._answer(slug, name)


class UncordonView(_NodeAction):
    change = staticmethod(nodes.node_uncordon)

    @extend_schema(
        operation_id="nodes_uncordon",
        request=None,
        responses=_CARD,
        summary="As kubectl uncordon; a drain that goes on ends",
    )
    def post(self, request: Request, slug: str, name: str) -> HttpResponse:
        return self._answer(slug, name)


class FailView(_NodeAction):
    change = staticmethod(nodes.node_fail)

    @extend_schema(
        operation_id="nodes_fail",
        request=None,
        responses=_CARD,
        summary="Let the node's kubelet stop, as when its machine lost power",
        description="50 s of cluster time later it is Ready=Unknown and tainted; 300 s later its pods are evicted.",
    )
    def post(self, request: Request, slug: str, name: str) -> HttpResponse:
        return self._answer(slug, name)


class RecoverView(_NodeAction):
    change = staticmethod(nodes.node_recover)

    @extend_schema(operation_id="nodes_recover", request=None, responses=_CARD, summary="Let its kubelet start again")
    def post(self, request: Request, slug: str, name: str) -> HttpResponse:
        return self._answer(slug, name)


class DrainView(APIView):
    @extend_schema(
        operation_id="nodes_drain_read",
        responses={200: described(DrainAnswer), 404: PROBLEM},
        summary="How far the newest drain of the node has come",
    )
    def get(self, request: Request, slug: str, name: str) -> HttpResponse:
        node = object_get(cluster_get(slug).pk, "Node", None, name)
        drain = None if node is None else drain_of(node)
        if drain is None:
            raise NotFound(
                f'node "{name}" is not, and was not lately, drained', subject=Subject(name=name, kind="nodes")
            )
        return json_answer(_drain_answer(name, drain))

    @extend_schema(
        operation_id="nodes_drain",
        request=DrainSerializer,
        responses={202: described(DrainAnswer), 404: PROBLEM, 409: PROBLEM, 422: PROBLEM},
        summary="As kubectl drain: cordon, then evict what is there, honouring disruption budgets",
        description="Goes on by itself; follow the node's card. A 409 names the pods in the way: the node is cordoned.",
    )
    def post(self, request: Request, slug: str, name: str) -> HttpResponse:
        wanted = _checked(DrainSerializer, request)
        options = DrainOptions(**{**wanted, "grace_period": _grace(wanted["grace_period"])})
        drain = nodes.node_drain(cluster_id=cluster_get(slug).pk, name=name, options=options)
        return json_answer(_drain_answer(name, drain), 202)

    @extend_schema(
        operation_id="nodes_drain_cancel",
        responses={200: described(DrainAnswer), 404: PROBLEM, 409: PROBLEM},
        summary="Evict no more; the node stays cordoned",
    )
    def delete(self, request: Request, slug: str, name: str) -> HttpResponse:
        with cluster_transaction(cluster_get(slug).pk) as tx:
            drain = nodes.node_drain_cancel(tx, name=name)
        return json_answer(_drain_answer(name, drain))


def _drain_answer(name: str, drain: Drain) -> DrainAnswer:
    return DrainAnswer(node=name, drain=drain_card(drain), pods=drain.pods, log=drain.log)


class NodeBatchPatchView(APIView):
    @extend_schema(
        operation_id="nodes_batch_patch",
        request=NodeBatchPatchSerializer,
        responses={200: described(NodePatchAnswer), 400: PROBLEM, 404: PROBLEM, 422: PROBLEM},
        summary="One merge patch for many nodes; the answer has the patches that undo it",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        wanted = _checked(NodeBatchPatchSerializer, request)
        return json_answer(NodePatchAnswer(results=many.node_patch_many(cluster_id=cluster_get(slug).pk, **wanted)))


class NodesFromTemplateView(APIView):
    @extend_schema(
        operation_id="nodes_create_many",
        request=NodesFromTemplateSerializer,
        responses={201: described(CreatedNodes), 400: PROBLEM, 404: PROBLEM, 422: PROBLEM},
        summary="Many nodes like one manifest, all or none",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        wanted = _checked(NodesFromTemplateSerializer, request)
        return json_answer(CreatedNodes(names=many.node_create_many(cluster_id=cluster_get(slug).pk, **wanted)), 201)


class BatchDeleteView(APIView):
    @extend_schema(
        operation_id="objects_batch_delete",
        request=BatchDeleteSerializer,
        responses={200: described(DeleteAnswer), 404: PROBLEM, 422: PROBLEM},
        summary="Delete many objects of any kinds; each is told its own result",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        wanted = _checked(BatchDeleteSerializer, request)
        options = DeleteOptions(grace_period_seconds=_grace(wanted["grace_period"]))
        results = many.object_delete_named(cluster_id=cluster_get(slug).pk, objects=wanted["objects"], options=options)
        return json_answer(DeleteAnswer(results=results))


class MoveView(APIView):
    @extend_schema(
        operation_id="pods_move",
        request=MoveSerializer,
        responses={200: described(many.MovedPod), 404: PROBLEM, 409: PROBLEM, 422: PROBLEM, 429: PROBLEM},
        summary="Evict a running pod and make a copy of it that may only run on another node",
    )
    def post(self, request: Request, slug: str, namespace: str, name: str) -> HttpResponse:
        wanted = _checked(MoveSerializer, request)
        moved = many.pod_move(cluster_id=cluster_get(slug).pk, namespace=namespace, name=name, node=wanted["node"])
        return json_answer(moved)
