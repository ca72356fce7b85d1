from __future__ import annotations

from typing import Any

from scheduler_core.objects.label_keys import merge_label_keys

SELECTOR = {"matchLabels": {"app": "web"}}


def merged(term: dict[str, Any], **labels: str) -> dict[str, Any]:
    affinity = {
        "podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]},
        "podAntiAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": term}]
        },
    }
    pod = merge_label_keys({"kind": "Pod", "metadata": {"labels": labels}, "spec": {"affinity": affinity}})
    both = pod["spec"]["affinity"]
    required = both["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][0]
    preferred = both["podAntiAffinity"]["preferredDuringSchedulingIgnoredDuringExecution"][0]["podAffinityTerm"]
    assert required == preferred
    return required


def test_the_pods_own_values_go_into_the_selector() -> None:
    term = {"topologyKey": "zone", "labelSelector": SELECTOR, "matchLabelKeys": ["v"], "mismatchLabelKeys": ["team"]}
    assert merged(term, v="1", team="x")["labelSelector"] == {
        "matchLabels": {"app": "web"},
        "matchExpressions": [
            {"key": "v", "operator": "In", "values": ["1"]},
            {"key": "team", "operator": "NotIn", "values": ["x"]},
        ],
    }


def test_a_key_the_pod_lacks_is_left_out() -> None:
    term = {"topologyKey": "zone", "labelSelector": SELECTOR, "matchLabelKeys": ["v"]}
    assert merged(term, app="web")["labelSelector"] == SELECTOR


def test_a_term_without_a_selector_stays_without() -> None:
    assert "labelSelector" not in merged({"topologyKey": "zone", "matchLabelKeys": ["v"]}, v="1")


def test_the_given_manifest_is_left_alone() -> None:
    given = {"metadata": {"labels": {"v": "1"}}, "spec": {"containers": []}}
    assert merge_label_keys(given) == given
