"""Questions people had about configurations."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.configuration import ConfigurationError, decode_configuration
from scheduler_core.framework.interface import Plugin
from scheduler_core.framework.registry import RegistryEntry
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.plugins.args import NoArgs
from scheduler_core.plugins.priority_sort import PrioritySort
from tests.scheduler_core.acceptance.running_cluster import HEAD


def error_of(**fields: Any) -> str:
    with pytest.raises(ConfigurationError) as caught:
        decode_configuration({**HEAD, **fields})
    return str(caught.value)


class ByName(Plugin):
    """Another order of the queue."""

    name = "ByName"
    sort_key = PrioritySort.sort_key


def test_k1_profiles_must_agree_on_the_order_of_the_queue() -> None:
    registry = {**DEFAULT_REGISTRY, "ByName": RegistryEntry(ByName, NoArgs)}
    other = {"queueSort": {"enabled": [{"name": "ByName"}], "disabled": [{"name": "PrioritySort"}]}}
    document = {**HEAD, "profiles": [{"schedulerName": "a"}, {"schedulerName": "b", "plugins": other}]}
    with pytest.raises(ConfigurationError) as caught:
        decode_configuration(document, registry)
    assert str(caught.value) == (
        'profiles[1].plugins.queueSort: Invalid value: {"Enabled":[{"Name":"ByName","Weight":0}],'
        '"Disabled":[{"Name":"PrioritySort","Weight":0}]}: must be the same for all profiles'
    )


def test_k2_only_leases_lock_the_leader() -> None:
    text = error_of(leaderElection={"leaderElect": True, "resourceLock": "configmaps"})
    assert text == 'leaderElection.resourceLock: Invalid value: "configmaps": resourceLock value must be "leases"'


def test_k12_the_defaults_of_leader_election_are_kube_schedulers() -> None:
    election = decode_configuration(HEAD).leader_election
    assert election.leader_elect
    assert (election.lease_duration, election.renew_deadline, election.retry_period) == (15.0, 10.0, 2.0)
    assert (election.resource_lock, election.resource_namespace, election.resource_name) == (
        "leases",
        "kube-system",
        "kube-scheduler",
    )


def test_k12_a_second_scheduler_takes_a_lock_of_its_own_or_none() -> None:
    own = decode_configuration({**HEAD, "leaderElection": {"resourceName": "my-scheduler"}}).leader_election
    assert (own.resource_name, own.leader_elect, own.lease_duration) == ("my-scheduler", True, 15.0)
    assert not decode_configuration({**HEAD, "leaderElection": {"leaderElect": False}}).leader_election.leader_elect


@pytest.mark.parametrize(
    ("plugins", "text"),
    [
        ({"filter": {"enabled": [{"name": "Y"}]}}, 'FilterPlugin "Y" does not exist'),
        ({"multiPoint": {"enabled": [{"name": "Y"}]}}, 'PreFilterPlugin "Y" does not exist'),
        (
            {"filter": {"enabled": [{"name": "ImageLocality"}]}},
            'plugin "ImageLocality" does not extend FilterPlugin plugin',
        ),
    ],
)
def test_k4_a_plugin_that_cannot_run_there_is_named(plugins: dict[str, Any], text: str) -> None:
    prefix = "initializing profiles: creating profile for scheduler name X: "
    assert error_of(profiles=[{"schedulerName": "X", "plugins": plugins}]) == prefix + text


URL = {"urlPrefix": "http://a"}


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"parallelism": 0}, "parallelism: Invalid value: 0: should be an integer value greater than zero"),
        ({"podInitialBackoffSeconds": 0}, "podInitialBackoffSeconds: Invalid value: 0: must be greater than 0"),
        (
            {"podInitialBackoffSeconds": 5, "podMaxBackoffSeconds": 2},
            "podMaxBackoffSeconds: Invalid value: 2: must be greater than or equal to PodInitialBackoffSeconds",
        ),
        ({"percentageOfNodesToScore": 101}, "percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]"),
        (
            {"extenders": [{**URL, "prioritizeVerb": "p"}]},
            "extenders[0].weight: Invalid value: 0: must have a positive weight applied to it",
        ),
        (
            {"extenders": [{**URL, "bindVerb": "b"}, {**URL, "bindVerb": "b"}]},
            'extenders: Invalid value: "found 2 extenders implementing bind": only one extender can implement bind',
        ),
        (
            {"extenders": [{**URL, "managedResources": [{"name": "a.b/c"}, {"name": "a.b/c"}]}]},
            'extenders[0].managedResources[1].name: Invalid value: "a.b/c": duplicate extender managed resource name',
        ),
        (
            {"extenders": [{**URL, "managedResources": [{"name": "cpu"}]}]},
            'extenders[0].managedResources[0].name: Invalid value: "cpu": is an invalid extended resource name',
        ),
    ],
)
def test_k6_values_out_of_range_name_the_field_and_the_rule(fields: dict[str, Any], text: str) -> None:
    assert error_of(**fields) == text
