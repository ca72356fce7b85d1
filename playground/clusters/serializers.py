"""The bodies of /api/ as DRF checks them and OpenAPI describes them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from playground.clusters.models import Cluster
from playground.clusters.pictures import ClusterPicture
from playground.common.struct_schema import serializer_of


class ClusterSummarySerializer(serializers.Serializer[Any]):
    """A cluster: its version, its clock, its size."""

    id = serializers.CharField(help_text="The slug used in every URL.")
    name = serializers.CharField()
    version = serializers.IntegerField(help_text="The newest version of its feed.")
    state = serializers.ChoiceField(choices=Cluster.ClockState.choices)
    speed = serializers.FloatField(help_text="Cluster seconds per wall second.")
    clock_at = serializers.FloatField(help_text="Cluster time (seconds since the epoch) at clock_wall.")
    clock_wall = serializers.FloatField(help_text="Wall clock, seconds since the epoch.")
    seed = serializers.IntegerField()
    nodes = serializers.IntegerField()
    pods = serializers.IntegerField()


class ListedClusterSerializer(ClusterSummarySerializer):
    """With a small picture to draw."""

    picture = serializer_of(ClusterPicture)()


class NewClusterSerializer(serializers.Serializer[Any]):
    """What a new cluster is made of; everything may be left out."""

    name = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    preset = serializers.CharField(max_length=50, required=False, default="", help_text="An id of /api/presets/.")
    kind_config = serializers.CharField(
        required=False, default="", trim_whitespace=False, help_text="A YAML file of kind.x-k8s.io/v1alpha4 Cluster."
    )
    seed = serializers.IntegerField(required=False, default=None, allow_null=True, min_value=0, max_value=2**53)
    settings = serializers.DictField(
        required=False,
        default=dict,
        help_text="Latencies, failures and the assume cache, as under settings/.",
    )


class PresetSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    nodes = serializers.IntegerField()
    pods = serializers.IntegerField()
    group = serializers.CharField(help_text="Title of the group it stands in.")
    watch = serializers.CharField(help_text="What to do and what to look at, in a line.")


class TemplateSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    kind = serializers.ChoiceField(choices=["Pod", "Node"])
    manifest = serializers.DictField()


class ApplySerializer(serializers.Serializer[Any]):
    yaml = serializers.CharField(trim_whitespace=False, allow_blank=True, help_text="A stream of manifests.")


class ApplyErrorSerializer(serializers.Serializer[Any]):
    path = serializers.CharField(help_text='The field, such as spec.containers[0].image; "" is the whole document.')
    message = serializers.CharField()
    line = serializers.IntegerField(allow_null=True, help_text="In the text that was sent, counted from 1.")


class ApplyResultSerializer(serializers.Serializer[Any]):
    """What became of one document."""

    document = serializers.IntegerField(help_text="Counted from 1.")
    kind = serializers.CharField()
    namespace = serializers.CharField()
    name = serializers.CharField()
    result = serializers.ChoiceField(choices=["created", "configured", "unchanged", "error"])
    error = ApplyErrorSerializer(allow_null=True)
    # DRF has an attribute of this name on serializers, and gives way to a field.
    errors = ApplyErrorSerializer(  # type: ignore[assignment]
        many=True, help_text="Everything that is wrong with the document."
    )
    warnings = serializers.ListField(
        child=serializers.CharField(), help_text="What admission webhooks say though nothing is wrong."
    )


class ApplyAnswerSerializer(serializers.Serializer[Any]):
    results = ApplyResultSerializer(many=True)


class ErrorDetailSerializer(serializers.Serializer[Any]):
    path = serializers.CharField()
    message = serializers.CharField()
    document = serializers.IntegerField(required=False)


class ErrorBodySerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    details = ErrorDetailSerializer(many=True)


class ErrorSerializer(serializers.Serializer[Any]):
    """Every error under /api/."""

    error = ErrorBodySerializer()
