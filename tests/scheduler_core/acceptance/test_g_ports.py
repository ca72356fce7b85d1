"""Acceptance, section G: NodePorts."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from scheduler_core.testing import make_node, make_pod
from tests.scheduler_core.acceptance.reading import reasons
from tests.scheduler_core.acceptance.running_cluster import RunningCluster


class Port(NamedTuple):
    ip: str
    port: int
    protocol: str = "TCP"


# (name, taken, wanted, fits)
CASES = [
    ("another address", Port("10.1.1.1", 8080), Port("10.1.1.2", 8080), True),
    ("every address against one", Port("10.1.1.1", 8080), Port("0.0.0.0", 8080), False),
    ("no address means every one", Port("10.1.1.1", 8080), Port("", 8080), False),
    ("the same address", Port("10.1.1.1", 8080), Port("10.1.1.1", 8080), False),
    ("another port", Port("", 80), Port("", 81), True),
    ("another protocol", Port("", 53, "UDP"), Port("", 53), True),
]


@pytest.mark.parametrize(("name", "taken", "wanted", "fits"), CASES, ids=[row[0] for row in CASES])
def test_g1_host_ports(name: str, taken: Port, wanted: Port, fits: bool) -> None:
    _check(taken, wanted, fits)


@pytest.mark.parametrize("taken", ["0.0.0.0", ""])
def test_g2_a_port_taken_on_every_address_is_taken_on_each(taken: str) -> None:
    _check(Port(taken, 80), Port("127.0.0.1", 80), fits=False)
    _check(Port(taken, 80), Port("127.0.0.1", 81), fits=True)


def _check(taken: Port, wanted: Port, fits: bool) -> None:
    cluster = RunningCluster()
    cluster.add(make_node("n"), make_pod("old").host_port(taken.port, taken.protocol, taken.ip).on("n"))
    cluster.add(make_pod("new").host_port(wanted.port, wanted.protocol, wanted.ip))

    report = cluster.attempt()

    assert (report.node == "n") is fits
    if not fits:
        assert reasons(report) == {"n": ["node(s) didn't have free ports for the requested pod ports"]}
