"""The lab of plugins of one's own, played as its description tells."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from playground.clusters.models import Pod
from playground.live import followers
from playground.scheduling.models import Decision
from playground.scheduling.services.cel_plugins import cel_plugin_replace
from playground.scheduling.translation.reports import decompress_report
from scheduler_core.report import CycleReport
from tests.playground.lab import Lab

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_else() -> Iterator[None]:
    with followers.only():
        yield


def nodes_of(app: str) -> set[str]:
    pods = Pod.objects.filter(name__startswith=f"{app}-")
    assert pods
    return {pod.node_name for pod in pods}


def last_report(app: str) -> CycleReport:
    row = Decision.objects.filter(name__startswith=f"{app}-").order_by("sequence").last()
    assert row is not None
    return decompress_report(bytes(row.report))


def test_each_app_is_where_the_plugins_want_it_and_wide_waits_for_the_filter() -> None:
    lab = Lab("own-plugins-lab")
    assert nodes_of("web") == {"lab-c5"}
    assert nodes_of("batch") == {"lab-m5"}
    assert nodes_of("training") == {"lab-gpu"}
    assert nodes_of("wide") == {""}
    message = last_report("wide").message
    assert "1 node(s) were kept for pods that ask for a GPU" in message
    assert "3 Insufficient cpu" in message
    score = last_report("web").score
    assert score is not None
    columns = {column.plugin: list(column.raw) for column in score.plugins}
    assert dict(zip(score.nodes, columns["InstanceType"], strict=True)) == {"lab-c5": 100, "lab-m5": 66, "lab-r5": 33}

    cel_plugin_replace(cluster=lab.cluster, name="KeepGPUNodes", values={"filter": "true"})
    lab.pass_time(3)

    assert nodes_of("wide") == {"lab-gpu"}
