"""Pods at Permit."""

from __future__ import annotations

import pytest

from scheduler_core.framework.durations import go_duration
from scheduler_core.framework.waiting_pods import WaitingPod, WaitingPods
from scheduler_core.testing import make_pod


def waiting_pods(**deadlines: float) -> tuple[WaitingPods, WaitingPod]:
    pods = WaitingPods()
    waiting = WaitingPod(make_pod("p").pod_info(), "n1", deadlines, since=100.0)
    pods.add(waiting)
    return pods, waiting


def decided(pods: WaitingPods, now: float) -> list[tuple[str, str, str]]:
    return [(each.status.code.text, each.status.plugin, each.status.message) for each in pods.take_decided(now)]


def test_a_pod_waits_until_every_plugin_allows_it() -> None:
    pods, waiting = waiting_pods(A=200, B=300)
    waiting.allow("A")
    assert decided(pods, 110) == []
    waiting.allow("B")
    assert decided(pods, 110) == [("Success", "", "")]
    assert decided(pods, 110) == []


def test_one_rejection_is_enough() -> None:
    pods, waiting = waiting_pods(A=200, B=300)
    waiting.reject("B", "gang is incomplete")
    waiting.allow("A")
    assert decided(pods, 110) == [("Unschedulable", "B", "gang is incomplete")]


def test_the_first_deadline_ends_it() -> None:
    pods, _ = waiting_pods(A=160, B=300)
    assert pods.next_deadline() == 160
    assert decided(pods, 159) == []
    text = "rejected due to timeout after waiting 1m0s at plugin A"
    assert decided(pods, 160) == [("Unschedulable", "A", text)]
    assert pods.next_deadline() is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (60, "1m0s"),
        (1.5, "1.5s"),
        (0.25, "250ms"),
        (0.0000015, "1.5µs"),
        (3723.004, "1h2m3.004s"),
        (-2, "-2s"),
    ],
)
def test_durations_read_as_go_prints_them(seconds: float, text: str) -> None:
    assert go_duration(seconds) == text
