"""Clusters with something in them: from a preset or from a kind file.

    cluster_create_from(name="", preset="", kind_config="", seed=None, settings=None) -> Cluster

All of it or nothing: a cluster whose content is refused is not left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from playground.clusters.kind_config import node_manifests, read_kind_config
from playground.clusters.models import Cluster
from playground.clusters.presets import configuring
from playground.clusters.presets.registry import PRESETS, Preset
from playground.clusters.presets.starter import starter_manifests
from playground.clusters.services.apply import stream_apply
from playground.clusters.services.asking_webhooks import write_asking_webhooks
from playground.clusters.services.clusters import cluster_create, cluster_delete, slug_of
from playground.clusters.services.objects import object_create, object_create_many
from playground.clusters.services.transaction import ClusterTransaction
from playground.common.database import chunks
from playground.common.errors import ApiError, BadRequest, Cause, Invalid

Manifest = dict[str, Any]


def cluster_create_from(
    *,
    name: str = "",
    preset: str = "",
    kind_config: str = "",
    seed: int | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Cluster:
    """A new cluster and its first objects. Without preset and file: only nodes are missing."""
    if preset and kind_config:
        message = "give either preset or kind_config, not both"
        raise BadRequest(message, [Cause(path="kind_config", message=message)])
    if kind_config:
        config = read_kind_config(kind_config)
        name = name or config.name or "kind"
        nodes = node_manifests(config, slug_of(name))
        return _filled(name, partial(_create_checked, manifests=nodes), seed=seed, settings=settings)
    chosen = preset_get(preset or "empty")
    name = name or chosen.id
    settings = {**chosen.settings, **(settings or {})}
    fill = partial(_create_preset, chosen, slug_of(name))
    return _filled(name, fill, seed=seed, settings=settings, preset=chosen.id)


def preset_get(id_: str) -> Preset:
    for preset in PRESETS:
        if preset.id == id_:
            return preset
    known = ", ".join(preset.id for preset in PRESETS)
    message = f"Unsupported value: {id_!r}: supported values: {known}"
    raise Invalid(f"preset: {message}", [Cause(path="preset", message=message, reason="FieldValueNotSupported")])


def _filled(
    name: str, fill: Callable[[int], None], *, seed: int | None, settings: Mapping[str, Any] | None, preset: str = ""
) -> Cluster:
    cluster = cluster_create(name=name, seed=seed, settings=settings, preset=preset)
    try:
        _create_trusted(cluster.pk, starter_manifests())
        fill(cluster.pk)
    except Exception:
        cluster_delete(cluster_id=cluster.pk)
        raise
    cluster.refresh_from_db()
    return cluster


def _create_preset(preset: Preset, slug: str, cluster_id: int) -> None:
    for plugin in preset.cel_plugins:
        configuring.add_plugin(cluster_id, plugin)
    configuration = preset.configuration_of(slug) if preset.configuration_of else preset.configuration
    if configuration is not None:
        # Before the first pod, or the scheduler would place it by its defaults.
        configuring.configure(cluster_id, configuration)
    if preset.replicas > 1 or preset.further_schedulers:
        configuring.deploy(cluster_id, preset.replicas, preset.further_schedulers)
    _create_trusted(cluster_id, preset.manifests(slug))
    if preset.yaml is not None:
        text = preset.yaml.read_text(encoding="utf-8")
        refused = [result for result in stream_apply(cluster_id=cluster_id, text=text) if result.result == "error"]
        if refused:
            raise Invalid(refused[0].message, refused[0].causes)


def _create_checked(cluster_id: int, manifests: Sequence[Manifest]) -> None:
    """Objects that somebody else described."""

    def create(tx: ClusterTransaction) -> None:
        for manifest in manifests:
            object_create(tx, manifest=manifest)

    write_asking_webhooks(cluster_id, create)


def _create_trusted(cluster_id: int, manifests: Sequence[Manifest]) -> None:
    """In order, neighbours of one kind together."""
    for kind, group in groupby(manifests, key=itemgetter("kind")):
        for some in chunks(group):
            write_asking_webhooks(cluster_id, partial(_create_some, kind, some))


def _create_some(kind: str, manifests: Sequence[Manifest], tx: ClusterTransaction) -> None:
    for result in object_create_many(tx, kind=kind, manifests=manifests):
        if isinstance(result, ApiError):
            raise result
