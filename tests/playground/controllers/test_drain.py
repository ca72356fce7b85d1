"""A drain in cluster time: as kubectl's, but it goes on by itself."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters.services.nodes import node_drain, node_drain_cancel, node_uncordon
from playground.common.errors import Conflict, NotFound
from playground.controllers.session import sessions
from playground.live.cards import card_of
from playground.live.messages import DrainCard, NodeCard
from scheduler_core.controllers.drain_plan import DrainOptions
from scheduler_core.controllers.node_drain import drain_of
from tests.playground.controllers.town import Town, deployment, node, pod
from tests.playground.freshness import LiveWatch

Json = dict[str, Any]


def budget(name: str, app: str, **spec: Any) -> Json:
    metadata = {"name": name, "namespace": "default"}
    selector = {"matchLabels": {"app": app}}
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": metadata,
            "spec": {"selector": selector, **spec}}  # fmt: skip


def bring_up(town: Town, node_name: str = "n1") -> None:
    town.run()
    town.bind_all(node_name)
    town.run()
    town.pass_time(2.5)
    town.pass_time(1)


def drain(town: Town, **options: Any) -> None:
    node_drain(cluster_id=town.id, name="n1", options=DrainOptions(**options))
    town.run()


def progress(town: Town) -> DrainCard:
    card = card_of("Node", town.get("Node", "n1"))
    assert isinstance(card, NodeCard)
    assert card.drain is not None
    return card.drain


def log(town: Town) -> list[str]:
    found = drain_of(town.get("Node", "n1"))
    assert found is not None
    return found.log


def counts(town: Town) -> tuple[str, int, int, int]:
    card = progress(town)
    return card.state, card.total, card.left, card.evicted


def test_pods_are_evicted_and_the_node_is_drained_when_the_last_is_gone(town: Town) -> None:
    town.create(deployment("web", replicas=2))
    bring_up(town)
    watch = LiveWatch(town.cluster)
    drain(town)
    assert town.get("Node", "n1")["spec"]["unschedulable"]
    assert counts(town) == ("draining", 2, 2, 2)
    town.pass_time(31)
    assert counts(town) == ("drained", 2, 0, 0)
    assert log(town)[-1] == "node/n1 drained"
    assert sum(line.startswith("evicting pod default/web-") for line in log(town)) == 2
    watch.assert_fresh()


def test_a_budget_holds_pods_back_until_their_replacements_serve(town: Town) -> None:
    town.create(budget("one-at-a-time", "web", maxUnavailable=1))
    town.create(deployment("web", replicas=2))
    bring_up(town)
    drain(town, grace_period=1)
    assert counts(town) == ("draining", 2, 2, 1)
    (blocked,) = progress(town).blocked
    assert blocked.budget == "one-at-a-time"
    assert blocked.message == "The disruption budget one-at-a-time needs 1 healthy pods and has 1 currently"
    assert log(town)[-1] == (
        f'error when evicting pods/"{blocked.name}" -n "default" (will retry after 5s): '
        "Cannot evict pod as it would violate the pod's disruption budget."
    )

    town.pass_time(4)
    assert counts(town) == ("draining", 2, 1, 0)
    town.create(node("n2"))
    bring_up(town, "n2")
    town.pass_time(2)
    assert counts(town)[:2] == ("draining", 2)
    town.pass_time(4)
    town.pass_time(4)
    assert counts(town) == ("drained", 2, 0, 0)


def test_blocked_pods_are_tried_every_five_seconds(town: Town) -> None:
    town.create(budget("all", "web", minAvailable=1))
    town.create(pod("web"))
    bring_up(town)
    drain(town, force=True)
    tries = [sum(line.startswith("evicting") for line in log(town))]
    for _ in range(3):
        town.pass_time(5.1)
        tries.append(sum(line.startswith("evicting") for line in log(town)))
    assert tries == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        (pod("bare"), "cannot delete Pods that declare no controller (use --force to override): default/bare"),
        (
            pod("scratch", volumes=[{"name": "tmp", "emptyDir": {}}]),
            "cannot delete Pods with local storage (use --delete-emptydir-data to override): default/scratch",
        ),
    ],
)
def test_pods_that_would_be_lost_stop_it_before_it_begins(town: Town, manifest: Json, words: str) -> None:
    town.create(manifest)
    bring_up(town)
    with pytest.raises(Conflict) as refused:
        drain(town)
    assert [cause.message for cause in refused.value.causes] == [words]
    assert town.get("Node", "n1")["spec"]["unschedulable"]
    assert drain_of(town.get("Node", "n1")) is None
    drain(town, force=True, delete_emptydir_data=True)
    town.pass_time(31)
    assert progress(town).state == "drained"


def test_pods_of_a_daemon_set_are_ignored_on_request(town: Town) -> None:
    daemon_set = {**deployment("agent"), "kind": "DaemonSet"}
    daemon_set["spec"] = {key: value for key, value in daemon_set["spec"].items() if key != "replicas"}
    town.create(daemon_set)
    bring_up(town)
    with pytest.raises(Conflict, match="DaemonSet-managed Pods"):
        drain(town)
    drain(town, ignore_daemonsets=True)
    assert counts(town) == ("drained", 0, 0, 0)
    assert log(town)[0].startswith("Warning: ignoring DaemonSet-managed Pods: default/agent-")
    assert town.phases() == {"Running": 1}


def test_a_drain_ends_at_its_timeout(town: Town) -> None:
    town.create(budget("all", "web", minAvailable=1))
    town.create(pod("web"))
    bring_up(town)
    drain(town, force=True, timeout=12)
    town.pass_time(11)
    assert progress(town).state == "draining"
    town.pass_time(2)
    assert (progress(town).state, progress(town).message) == ("failed", "error: global timeout reached: 12s")


def test_a_pod_of_two_budgets_cannot_be_evicted_at_all(town: Town) -> None:
    town.create(budget("one", "web", minAvailable=0))
    town.create(budget("two", "web", minAvailable=0))
    town.create(pod("web"))
    bring_up(town)
    drain(town, force=True)
    assert progress(town).state == "failed"
    assert "more than one PodDisruptionBudget" in progress(town).blocked[0].message


def test_a_cancelled_drain_evicts_no_more_and_leaves_the_node_cordoned(town: Town) -> None:
    town.create(budget("all", "web", minAvailable=1))
    town.create(pod("web"))
    bring_up(town)
    drain(town, force=True)
    with town.tx() as tx:
        node_drain_cancel(tx, name="n1")
    town.delete("PodDisruptionBudget", "all")
    town.run()
    town.pass_time(60)
    assert (progress(town).state, town.phases()) == ("cancelled", {"Running": 1})
    assert town.get("Node", "n1")["spec"]["unschedulable"]
    with town.tx() as tx, pytest.raises(Conflict, match="not being drained"):
        node_drain_cancel(tx, name="n1")


def test_another_worker_goes_on_with_it(town: Town) -> None:
    town.create(budget("all", "web", minAvailable=1))
    town.create(pod("web"))
    bring_up(town)
    drain(town, force=True, grace_period=1)
    sessions.drop(town.id)
    town.delete("PodDisruptionBudget", "all")
    town.pass_time(5.1)
    town.pass_time(3)
    assert progress(town).state == "drained"


def test_uncordon_forgets_the_drain(town: Town) -> None:
    drain(town)
    with pytest.raises(NotFound):
        node_drain(cluster_id=town.id, name="n9", options=DrainOptions())
    with town.tx() as tx:
        node_uncordon(tx, name="n1")
    town.run()
    found = town.get("Node", "n1")
    assert drain_of(found) is None
    assert "unschedulable" not in found["spec"]
    assert not found["spec"].get("taints")


def test_a_second_drain_has_to_wait_for_the_first(town: Town) -> None:
    town.create(budget("all", "web", minAvailable=1))
    town.create(pod("web"))
    bring_up(town)
    drain(town, force=True)
    with pytest.raises(Conflict, match="being drained already"):
        drain(town, force=True)
