"""Config cases: KubeSchedulerConfiguration documents, and the effective profiles or the error.

Texts must be the measured ones. Where kube-scheduler's text names one of its
source files, a Go type, or is its YAML library's, the engine says the same fact
in its own words, and the facts are compared: `_same_fact` has the three cases.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from scheduler_core.configuration import Configuration, ConfigurationError, Profile, decode_configuration
from scheduler_core.conformance.mismatch import Mismatch
from scheduler_core.framework.interface import ExtensionPoint

Json = Mapping[str, Any]


def run_case(case: Json) -> list[Mismatch]:
    """Everything that differs."""
    expected = case["expect"]
    try:
        configuration = _decode(case["yaml"])
    except ConfigurationError as error:
        wanted = expected.get("error")
        return [] if wanted is not None and _same_fact(wanted, str(error)) else [_error(case, wanted, str(error))]
    if "error" in expected:
        return [_error(case, expected["error"], "no error")]
    return [*_compare_profiles(case, configuration), *_compare_settings(case, configuration)]


def _decode(text: str) -> Configuration:
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigurationError.because(f"yaml: {error}") from error
    return decode_configuration(document, source=text)


def _error(case: Json, wanted: str | None, got: str) -> Mismatch:
    return Mismatch(case=case["name"], subject="", what="error", expected=wanted or "no error", got=got)


_SOURCE_FILE = re.compile(r' in scheme "\S+\.go:\d+"$')
_GO_FIELD = re.compile(r"json: cannot unmarshal (\w+) into Go struct field \w+\.(\S+) of type \S+")


def _same_fact(wanted: str, got: str) -> bool:
    if _SOURCE_FILE.search(wanted):
        # The version and the kind; then ours goes on with what to write instead.
        return got.startswith(_SOURCE_FILE.sub(": ", wanted))
    go_field = _GO_FIELD.search(wanted)
    if go_field:
        # The path, which ours gives whole and with its indexes; theirs begins with the arguments for a plugin's.
        path = re.sub(r"\[\d+\]", "", got.partition(":")[0])
        return path == go_field[2] or ("decoding args" in wanted and path.endswith(f".args.{go_field[2]}"))
    if wanted.startswith("yaml: "):
        return got.startswith("yaml: ")
    return wanted == got


def _compare_profiles(case: Json, configuration: Configuration) -> list[Mismatch]:
    wanted = case["expect"]["profiles"]
    got = {profile.scheduler_name: _points(profile) for profile in configuration.profiles}
    if sorted(wanted) != sorted(got):
        return [Mismatch(case=case["name"], subject="", what="profiles", expected=sorted(wanted), got=sorted(got))]
    return [
        Mismatch(case=case["name"], subject=name, what=point, expected=plugins, got=got[name].get(point))
        for name, points in wanted.items()
        for point, plugins in points.items()
        if plugins != got[name].get(point)
    ]


def _points(profile: Profile) -> dict[str, list[dict[str, Any]]]:
    points: dict[str, list[dict[str, Any]]] = {
        point.value: [{"name": name} for name in names] for point, names in profile.plugins.items()
    }
    for plugin in points[ExtensionPoint.SCORE]:
        plugin["weight"] = profile.weights[plugin["name"]]
    return points


def _compare_settings(case: Json, configuration: Configuration) -> list[Mismatch]:
    got = {
        "parallelism": configuration.parallelism,
        "percentageOfNodesToScore": configuration.percentage_of_nodes_to_score,
        "podInitialBackoffSeconds": configuration.pod_initial_backoff_seconds,
        "podMaxBackoffSeconds": configuration.pod_max_backoff_seconds,
    }
    return [
        Mismatch(case=case["name"], subject="", what=name, expected=value, got=got.get(name))
        for name, value in case["expect"]["config"].items()
        if value != got.get(name)
    ]
