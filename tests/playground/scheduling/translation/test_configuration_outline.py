"""The outline of a KubeSchedulerConfiguration."""

from __future__ import annotations

from playground.clusters.admission.outline import Outline
from playground.scheduling.engine.registry import installed_registry
from playground.scheduling.translation.configuration_outline import configuration_outline
from scheduler_core.framework.interface import ExtensionPoint


def outline() -> Outline:
    return configuration_outline(installed_registry())


def test_it_begins_with_the_document() -> None:
    found = outline()
    assert found.kind == "KubeSchedulerConfiguration"
    assert {"profiles", "extenders", "leaderElection"} <= found.definitions[found.root].keys()


def test_each_extension_point_offers_the_plugins_that_have_it() -> None:
    definitions = outline().definitions
    names = {point: definitions[f"PluginRef.{point}"]["name"].values for point in ("score", "queueSort", "multiPoint")}
    assert "ImageLocality" in names["score"]
    assert "NodeName" not in names["score"]
    assert names["queueSort"] == ["Coscheduling", "PrioritySort"]
    assert set(names["multiPoint"]) == set(installed_registry())


def test_every_extension_point_is_there() -> None:
    assert outline().definitions["Plugins"].keys() == {*ExtensionPoint, "multiPoint"}


def test_what_is_disabled_may_be_everything() -> None:
    assert outline().definitions["PluginRef.filter.disabled"]["name"].values[0] == "*"


def test_the_arguments_of_a_plugin_are_found_by_its_name() -> None:
    definitions = outline().definitions
    args = definitions["PluginConfig"]["args"]
    assert (args.of, args.by) == ("args.", "name")
    strategy = definitions[f"{args.of}NodeResourcesFit"]["scoringStrategy"]
    assert definitions[strategy.of]["type"].values[0] == "LeastAllocated"


def test_nothing_is_left_open() -> None:
    definitions = outline().definitions
    inner = {
        field.of
        for fields in definitions.values()
        for field in fields.values()
        if field.type == "object" and not field.by
    }
    assert inner <= definitions.keys()
