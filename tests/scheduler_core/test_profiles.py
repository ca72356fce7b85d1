"""A plugin that cannot be made is a mistake in the configuration, found before a scheduler runs with it."""

from __future__ import annotations

import pytest

from scheduler_core.configuration import ConfigurationError, decode_configuration
from scheduler_core.framework.interface import PerNodePlugin
from scheduler_core.framework.registering import registry_entry
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.profiles import build_check


class Fussy(PerNodePlugin):
    name = "Fussy"

    def __init__(self, args: object, handle: object) -> None:
        raise RuntimeError("not on a Monday")

    def score_node(self, pod: object, node: object) -> int:
        return 1


REGISTRY = {**DEFAULT_REGISTRY, "Fussy": registry_entry(Fussy)}


def test_a_plugin_that_refuses_to_be_made() -> None:
    profile = {"schedulerName": "mine", "plugins": {"score": {"enabled": [{"name": "Fussy"}]}}}
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [profile],
    }

    with pytest.raises(ConfigurationError) as refused:
        build_check(decode_configuration(document, REGISTRY), REGISTRY)

    assert str(refused.value) == (
        'initializing profiles: creating profile for scheduler name mine: initializing plugin "Fussy": not on a Monday'
    )
    assert refused.value.problems[0].where == "profiles[0].pluginConfig"


def test_a_plugin_that_no_profile_names_is_not_made() -> None:
    document = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}

    build_check(decode_configuration(document, REGISTRY), REGISTRY)
