"""PreBind, Bind, PostBind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from scheduler_core.framework.binding_cycle import run_binding_cycle
from scheduler_core.framework.interface import ExtensionPoint, Plugin
from scheduler_core.framework.status import SKIP, SUCCESS, Status, error, unschedulable
from scheduler_core.plugins import DEFAULT_REGISTRY
from scheduler_core.report import BindingReport
from scheduler_core.testing import make_pod
from tests.scheduler_core.framework.cast import BindingSteps, framework_of, made


class Api:
    """Remembers bindings."""

    def __init__(self) -> None:
        self.bound: list[tuple[str, str, str, str]] = []

    def bind(self, namespace: str, name: str, uid: str, node_name: str) -> Status:
        self.bound.append((namespace, name, uid, node_name))
        return SUCCESS

    def get(self, kind: str, namespace: str | None, name: str) -> Mapping[str, Any] | None:
        return None

    def patch(self, kind: str, namespace: str | None, name: str, patch: Mapping[str, Any]) -> Status:
        return SUCCESS


def report_of(*plugins: Plugin, api: Api | None = None) -> BindingReport:
    points = (ExtensionPoint.PRE_BIND, ExtensionPoint.BIND, ExtensionPoint.POST_BIND)
    framework = framework_of({point: [each for each in plugins if _has(each, point)] for point in points})
    return run_binding_cycle(framework, make_pod("p").pod_info(), "n1", {}, api or Api())


def _has(plugin: Plugin, point: ExtensionPoint) -> bool:
    return hasattr(plugin, {"preBind": "pre_bind", "bind": "bind", "postBind": "post_bind"}[point])


def steps(report: BindingReport) -> list[tuple[str, str, str]]:
    return [(each.point, each.plugin, each.status.code) for each in report.steps]


def test_the_default_binder_writes_the_binding() -> None:
    api = Api()
    entry = DEFAULT_REGISTRY["DefaultBinder"]
    report = report_of(entry.plugin(entry.args(), None), api=api)  # type: ignore[arg-type]
    assert api.bound == [("default", "p", "uid-default-p", "n1")]
    assert (report.status.code, report.node, report.message) == ("Success", "n1", "")


def test_steps_are_told_in_order() -> None:
    assert steps(report_of(made(BindingSteps, "B"))) == [
        ("preBind", "B", "Success"),
        ("bind", "B", "Success"),
        ("postBind", "B", "Success"),
    ]


def test_a_bind_plugin_that_skips_leaves_it_to_the_next() -> None:
    report = report_of(made(BindingSteps, "A", answers={"bind": SKIP}), made(BindingSteps, "B"))
    assert [(plugin, code) for point, plugin, code in steps(report) if point == "bind"] == [
        ("A", "Skip"),
        ("B", "Success"),
    ]
    assert report.status.code == "Success"


def test_when_all_skip_the_pod_is_not_bound() -> None:
    report = report_of(made(BindingSteps, answers={"bind": SKIP}))
    assert (report.status.code, report.message) == ("Error", "every Bind plugin skipped the pod")


def test_after_a_failed_pre_bind_nothing_is_bound() -> None:
    report = report_of(made(BindingSteps, "B", answers={"preBind": error("disk not ready")}))
    assert steps(report) == [("preBind", "B", "Error")]
    assert report.message == 'running PreBind plugin "B": disk not ready'


def test_a_rejection_reads_like_a_filter_of_one_node() -> None:
    report = report_of(made(BindingSteps, "B", answers={"preBind": unschedulable("preempted")}))
    assert (report.status.plugin, report.message) == ("B", "0/1 nodes are available: 1 preempted.")


@pytest.mark.parametrize("point", ["preBind", "bind"])
def test_a_plugin_that_raises_fails_this_pod_only(point: str) -> None:
    class Raises(dict[str, Status]):
        def get(self, key: str, default: Any = None) -> Any:
            if key == point:
                raise RuntimeError("lost connection")
            return default

    report = report_of(made(BindingSteps, "B", answers=Raises()))
    assert report.status.code == "Error"
    assert report.message.endswith('plugin "B": lost connection')
