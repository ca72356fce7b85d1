"""Nominations: who expects to land where."""

from __future__ import annotations

from scheduler_core.queue.nominator import Nominator
from scheduler_core.testing import make_pod

POD = make_pod("web").pod_info()


def test_a_pod_is_nominated_to_one_node_at_a_time() -> None:
    nominator = Nominator()
    nominator.add(POD, "n1")
    nominator.add(POD, "n2")
    assert (nominator.node_of(POD.uid), list(nominator.nodes), len(nominator)) == ("n2", ["n2"], 1)
    assert list(nominator.pods_for_node("n1")) == []


def test_the_status_of_the_pod_says_where_unless_told_otherwise() -> None:
    nominator = Nominator()
    nominator.add(make_pod("web").nominated("n3").pod_info())
    assert nominator.node_of(POD.uid) == "n3"


def test_an_update_that_says_nothing_keeps_a_nomination_not_stored_yet() -> None:
    nominator = Nominator()
    nominator.add(POD, "n1")
    nominator.update(POD, make_pod("web").labels(a="b").pod_info())
    assert nominator.node_of(POD.uid) == "n1"


def test_an_update_that_clears_the_status_ends_the_nomination() -> None:
    nominator = Nominator()
    old = make_pod("web").nominated("n1").pod_info()
    nominator.add(old)
    nominator.update(old, POD)
    assert len(nominator) == 0


def test_a_deleted_pod_reserves_nothing() -> None:
    nominator = Nominator()
    nominator.add(POD, "n1")
    nominator.delete(POD.uid)
    nominator.delete(POD.uid)
    assert list(nominator.nodes) == []
