"""Presets as the start page lays them out."""

from __future__ import annotations

from django.test import Client

from playground.clusters.presets.groups import OTHERS, PRESET_GROUPS, group_of
from playground.clusters.presets.registry import PRESETS


def test_every_line_is_about_a_preset_that_is_there_and_no_preset_has_two() -> None:
    lines = [preset for group in PRESET_GROUPS for preset in group.watch]
    assert len(lines) == len(set(lines))
    assert set(lines) <= {preset.id for preset in PRESETS}


def test_a_preset_without_a_line_stands_at_the_end() -> None:
    assert group_of("what-nobody-wrote-about") is OTHERS


def test_the_list_goes_group_by_group_with_what_to_watch(client: Client) -> None:
    presets = client.get("/api/presets/").json()
    groups = [preset["group"] for preset in presets]
    titles = list(dict.fromkeys(groups))
    assert sorted(groups, key=titles.index) == groups
    assert titles[: len(PRESET_GROUPS)] == [group.title for group in PRESET_GROUPS]
    assert all(preset["watch"] for preset in presets)
