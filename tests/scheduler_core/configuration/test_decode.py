"""A configuration document: what is taken, and what is said about what is not."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.configuration import (
    Configuration,
    ConfigurationError,
    Profile,
    decode_configuration,
    default_configuration,
)
from scheduler_core.configuration.strict import MAX_DEPTH
from scheduler_core.framework.interface import ExtensionPoint
from scheduler_core.plugins import DEFAULT_REGISTRY

HEAD = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


REQUIRES_A_IN_NOTHING = {
    "requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "In"}]}]
    }
}


def decoded(**fields: Any) -> Configuration:
    return decode_configuration({**HEAD, **fields})


def one_profile(**fields: Any) -> Profile:
    return decoded(profiles=[{"schedulerName": "default-scheduler", **fields}]).profiles[0]


def with_args(plugin: str, **args: Any) -> Any:
    return one_profile(pluginConfig=[{"name": plugin, "args": args}]).args[plugin]


def error_of(**fields: Any) -> ConfigurationError:
    with pytest.raises(ConfigurationError) as caught:
        decoded(**fields)
    return caught.value


def argument_error(plugin: str, **args: Any) -> str:
    return str(error_of(profiles=[{"pluginConfig": [{"name": plugin, "args": args}]}]))


def test_nothing_given_is_what_kube_scheduler_runs_with() -> None:
    configuration = default_configuration()
    (profile,) = configuration.profiles
    assert profile.scheduler_name == "default-scheduler"
    assert profile.plugins[ExtensionPoint.QUEUE_SORT] == ("PrioritySort",)
    assert profile.weights["TaintToleration"] == 3
    assert (configuration.pod_initial_backoff_seconds, configuration.pod_max_backoff_seconds) == (1, 10)
    assert configuration.profile("nobody") is None


def test_null_means_absent() -> None:
    assert decoded(parallelism=None, profiles=None) == default_configuration()


@pytest.mark.parametrize(
    ("document", "text"),
    [
        pytest.param([], "expected an object with apiVersion and kind, got list", id="a list"),
        pytest.param({"kind": "X"}, "Object 'apiVersion' is missing", id="no version"),
        pytest.param({"apiVersion": "v1"}, "Object 'kind' is missing", id="no kind"),
        pytest.param({**HEAD, "parallelism": "many"}, "parallelism: expected int, got str", id="a type"),
        pytest.param(
            {**HEAD, "a": 1, "b": 2}, 'strict decoding error: unknown field "a", unknown field "b"', id="unknown"
        ),
        pytest.param(
            {**HEAD, "leaderElection": {"leaseDuration": "soon"}},
            'leaderElection.leaseDuration: time: invalid duration "soon"',
            id="a duration",
        ),
    ],
)
def test_a_document_that_cannot_be_read(document: Any, text: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        decode_configuration(document)
    assert str(caught.value) == text


@pytest.mark.parametrize("version", ["v1beta1", "v1beta2", "v1beta3", "v2"])
def test_another_version_is_answered_with_what_to_write(version: str) -> None:
    with pytest.raises(ConfigurationError, match="write apiVersion: kubescheduler.config.k8s.io/v1"):
        decode_configuration({**HEAD, "apiVersion": f"kubescheduler.config.k8s.io/{version}"})


def test_a_plugin_written_as_a_string_is_told_how_to_write_it() -> None:
    problem = error_of(profiles=[{"plugins": {"filter": {"enabled": ["NodeName"]}}}]).problems[0]
    assert problem.path == "profiles[0].plugins.filter.enabled[0]"
    assert "- name: " in problem.hint


def test_nesting_is_bounded() -> None:
    deep: Any = {}
    for _ in range(MAX_DEPTH + 1):
        deep = {"x": deep}
    assert "nested deeper" in str(error_of(leaderElection=deep))


def test_several_problems_are_listed_in_brackets() -> None:
    error = error_of(parallelism=0, percentageOfNodesToScore=101)
    assert [problem.path for problem in error.problems] == ["parallelism", "percentageOfNodesToScore"]
    assert str(error).startswith("[parallelism: ")


@pytest.mark.parametrize(
    ("election", "text"),
    [
        pytest.param(
            {"leaseDuration": "0s"},
            '[leaderElection.leaseDuration: Invalid value: "0s": must be greater than zero, '
            'leaderElection.leaseDuration: Invalid value: "10s": must be greater than `RenewDeadline`]',
            id="zero",
        ),
        pytest.param(
            {"resourceName": ""}, "leaderElection.resourceName: Required value: resourceName is required", id="name"
        ),
    ],
)
def test_leader_election(election: dict[str, Any], text: str) -> None:
    assert str(error_of(leaderElection=election)) == text


def test_leader_election_that_is_off_is_not_looked_at() -> None:
    decoded(leaderElection={"leaderElect": False, "resourceLock": "configmaps"})


def test_a_program_without_a_default_plugin_goes_without() -> None:
    registry = {name: entry for name, entry in DEFAULT_REGISTRY.items() if name != "ImageLocality"}
    assert "ImageLocality" not in default_configuration(registry).profiles[0].weights


def test_without_its_gate_dynamic_resources_is_left_out() -> None:
    profile = default_configuration(feature_gates={"DynamicResourceAllocation": False}).profiles[0]
    assert "DynamicResources" not in profile.args


# Plugins


def test_a_weight_at_score_comes_before_one_at_multi_point() -> None:
    profile = one_profile(
        plugins={
            "multiPoint": {"enabled": [{"name": "NodeAffinity", "weight": 7}, {"name": "ImageLocality", "weight": 9}]},
            "score": {"enabled": [{"name": "ImageLocality", "weight": 4}]},
        }
    )
    assert (profile.weights["NodeAffinity"], profile.weights["ImageLocality"]) == (7, 4)


def test_all_but_one_plugin_can_be_disabled_at_a_point() -> None:
    profile = one_profile(plugins={"filter": {"disabled": [{"name": "*"}], "enabled": [{"name": "NodeName"}]}})
    assert profile.plugins[ExtensionPoint.FILTER] == ("NodeName",)
    assert "NodeAffinity" in profile.plugins[ExtensionPoint.SCORE]


def test_a_plugin_disabled_at_multi_point_runs_nowhere() -> None:
    profile = one_profile(plugins={"multiPoint": {"disabled": [{"name": "NodeAffinity"}]}})
    assert all("NodeAffinity" not in names for names in profile.plugins.values())


@pytest.mark.parametrize("point", ["score", "multiPoint"])
def test_a_plugin_named_twice_is_an_error(point: str) -> None:
    twice = {"enabled": [{"name": "ImageLocality"}, {"name": "ImageLocality"}], "disabled": [{"name": "ImageLocality"}]}
    error = error_of(profiles=[{"plugins": {point: twice}}])
    assert 'plugin "ImageLocality" already registered as "ScorePlugin"' in str(error)


def test_an_unknown_plugin_is_answered_with_the_known_ones() -> None:
    problem = error_of(profiles=[{"plugins": {"multiPoint": {"enabled": [{"name": "Nope"}]}}}]).problems[0]
    assert problem.message == 'PreFilterPlugin "Nope" does not exist'
    assert "NodeResourcesFit" in problem.hint


def test_a_profile_without_a_name_needs_to_be_alone() -> None:
    assert one_profile().scheduler_name == "default-scheduler"
    assert str(error_of(profiles=[{}, {"schedulerName": "b"}])) == "profiles[0].schedulerName: Required value"


def test_two_profiles_of_one_name_are_told_apart_in_the_hint() -> None:
    problem = error_of(profiles=[{"schedulerName": "a"}, {"schedulerName": "a"}]).problems[0]
    assert problem.path == "profiles[1].schedulerName"
    assert 'profiles[0] is called "a"' in problem.hint


# Arguments


def test_arguments_may_say_their_kind() -> None:
    args = with_args(
        "InterPodAffinity", apiVersion=HEAD["apiVersion"], kind="InterPodAffinityArgs", hardPodAffinityWeight=5
    )
    assert args.hard_pod_affinity_weight == 5
    text = argument_error("InterPodAffinity", kind="NodeAffinityArgs")
    assert text == (
        "profiles[0].pluginConfig[0].args.kind: args for plugin InterPodAffinity were not of type "
        "InterPodAffinityArgs, got NodeAffinityArgs"
    )


def test_a_resource_without_a_weight_weighs_one_and_none_means_the_default_ones() -> None:
    strategy = {"type": "MostAllocated", "resources": [{"name": "cpu"}, {"name": "memory", "weight": 0}]}
    args = with_args("NodeResourcesFit", scoringStrategy=strategy)
    assert [resource.weight for resource in args.scoring_strategy.resources] == [1, 1]
    args = with_args("NodeResourcesFit", scoringStrategy={"type": "MostAllocated"})
    assert [resource.name for resource in args.scoring_strategy.resources] == ["cpu", "memory"]


def test_a_plugin_nobody_knows_may_have_arguments() -> None:
    assert "Whatever" not in one_profile(pluginConfig=[{"name": "Whatever", "args": {"a": 1}}]).args


@pytest.mark.parametrize(
    ("plugin", "args", "text"),
    [
        pytest.param(
            "InterPodAffinity",
            {"hardPodAffinityWeight": 101},
            "hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]",
            id="weight",
        ),
        pytest.param(
            "NodeResourcesBalancedAllocation",
            {"resources": [{"name": "cpu", "weight": 2}]},
            "resources[0].weight: Invalid value: 2: must be 1",
            id="balanced weight",
        ),
        pytest.param(
            "NodeResourcesBalancedAllocation",
            {"resources": [{"name": "cpu"}, {"name": "cpu"}]},
            'resources[1].name: Duplicate value: "cpu"',
            id="balanced twice",
        ),
        pytest.param(
            "PodTopologySpread",
            {"defaultingType": "Some"},
            'defaultingType: Unsupported value: "Some": supported values: "System", "List"',
            id="defaulting",
        ),
        pytest.param(
            "NodeResourcesFit", {"ignoredResourceGroups": ["a/b"]}, "resource group name can't contain '/'", id="group"
        ),
        pytest.param(
            "NodeResourcesFit", {"scoringStrategy": {}}, 'scoringStrategy.type: Unsupported value: ""', id="no strategy"
        ),
        pytest.param(
            "NodeResourcesFit",
            {"scoringStrategy": {"type": "RequestedToCapacityRatio", "requestedToCapacityRatio": {"shape": []}}},
            "scoringStrategy.shape: Required value: at least one point must be specified",
            id="no shape",
        ),
        pytest.param(
            "NodeResourcesFit",
            {
                "scoringStrategy": {
                    "type": "RequestedToCapacityRatio",
                    "requestedToCapacityRatio": {"shape": [{"utilization": 101, "score": 11}]},
                }
            },
            "scoringStrategy.shape[0].score: Invalid value: 11: not in valid range [0, 10]",
            id="shape range",
        ),
        pytest.param(
            "DefaultPreemption",
            {"minCandidateNodesPercentage": 0, "minCandidateNodesAbsolute": 0},
            "cannot be zero at the same time as minCandidateNodesAbsolute",
            id="no candidates",
        ),
        pytest.param(
            "NodeAffinity",
            {"addedAffinity": REQUIRES_A_IN_NOTHING},
            "for 'in', 'notin' operators, values set can't be empty",
            id="no values",
        ),
        pytest.param(
            "NodeAffinity",
            {"addedAffinity": {"nope": 1}},
            'decoding args for plugin NodeAffinity: strict decoding error: unknown field "addedAffinity.nope"',
            id="deep unknown",
        ),
        pytest.param(
            "InterPodAffinity",
            {"hardPodAffinityWeight": "x"},
            "profiles[0].pluginConfig[0].args.hardPodAffinityWeight: expected int, got str",
            id="type",
        ),
    ],
)
def test_arguments_that_are_refused(plugin: str, args: dict[str, Any], text: str) -> None:
    assert text in argument_error(plugin, **args)


# Extenders


def test_an_extender_is_read_with_its_defaults() -> None:
    (extender,) = decoded(
        extenders=[{"urlPrefix": "http://a", "filterVerb": "filter", "httpTimeout": "1m30s"}]
    ).extenders
    assert (extender.http_timeout, extender.weight, extender.ignorable) == (90.0, 0, False)


def test_a_resource_extenders_look_after_is_ignored_by_fit() -> None:
    configuration = decoded(
        extenders=[
            {"urlPrefix": "http://a", "managedResources": [{"name": "example.com/foo", "ignoredByScheduler": True}]}
        ]
    )
    assert configuration.profiles[0].args["NodeResourcesFit"].ignored_resources == ("example.com/foo",)
