"""Outlines: what editors complete from."""

from __future__ import annotations

import pytest

from playground.clusters.admission.choices import CHOICES
from playground.clusters.admission.outline import MAX_DOC, Outline, OutlineField, first_sentence, object_outline
from playground.clusters.admission.schema import definitions
from playground.clusters.kinds import KINDS, Kind

SCALARS = ("string", "integer", "number", "boolean", "quantity", "int_or_string", "time", "any")


def outline_of(kind: str) -> Outline:
    found = KINDS[kind]
    return object_outline(found.definition, found.api_version, found.kind)


def field(outline: Outline, path: str) -> OutlineField:
    """The field that a path leads to, through lists and maps too."""
    definition = outline.root
    *before, last = path.split(".")
    for name in before:
        definition = outline.definitions[definition][name].of
    return outline.definitions[definition][last]


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.kind)
def test_every_kind_has_an_outline_in_which_nothing_is_left_open(kind: Kind) -> None:
    outline = outline_of(kind.kind)
    assert outline.definitions[outline.root]
    fields = [field for fields in outline.definitions.values() for field in fields.values()]
    for each in fields:
        assert each.type in ("object", "list", "map", *SCALARS)
        if each.type in ("object", "list", "map"):
            assert each.of in outline.definitions or each.of in ("list", "map", *SCALARS)


@pytest.mark.parametrize(
    ("kind", "path", "type_", "of"),
    [
        ("Pod", "spec.nodeSelector", "map", "string"),
        ("Pod", "spec.containers.resources.requests", "map", "quantity"),
        ("Pod", "spec.tolerations.tolerationSeconds", "integer", ""),
        ("Pod", "spec.containers.livenessProbe.httpGet.port", "int_or_string", ""),
        ("Pod", "metadata.creationTimestamp", "time", ""),
        ("Deployment", "spec.template.spec.affinity.nodeAffinity", "object", "io.k8s.api.core.v1.NodeAffinity"),
        ("PodGroup", "spec.minMember", "integer", ""),
        ("PodGroup", "spec.minResources", "map", "quantity"),
    ],
)
def test_a_fields_type_is_told(kind: str, path: str, type_: str, of: str) -> None:
    found = field(outline_of(kind), path)
    assert (found.type, found.of) == (type_, of)


def test_words_that_a_field_takes_are_told_with_it() -> None:
    assert field(outline_of("Node"), "spec.taints.effect").values == ["NoSchedule", "PreferNoSchedule", "NoExecute"]
    assert "cpu" in field(outline_of("Pod"), "spec.containers.resources.requests").values


def test_what_must_be_there_and_what_it_is_for_is_told() -> None:
    containers = field(outline_of("Pod"), "spec.containers")
    assert containers.required
    assert containers.doc == "List of containers belonging to the pod"
    assert not field(outline_of("Pod"), "spec.nodeName").required


def test_a_description_is_its_first_sentence_and_no_longer_than_a_line() -> None:
    assert first_sentence("What it is. What else.") == "What it is"
    assert first_sentence("As in e.g. this. More.") == "As in e.g. this"
    assert len(first_sentence("x" * 1_000)) == MAX_DOC


@pytest.mark.parametrize("definition", CHOICES)
def test_every_choice_is_of_a_field_that_kubernetes_has(definition: str) -> None:
    assert CHOICES[definition].keys() <= definitions()[definition]["properties"].keys()
