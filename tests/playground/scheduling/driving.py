"""Does in one process what the workers do: slices and the binding cycles they ask for, until nothing is left."""

from __future__ import annotations

from playground.clusters.models import Cluster, Pod
from playground.clusters.services.clusters import cluster_clock_advance
from playground.clusters.services.transaction import cluster_transaction
from playground.live import followers
from playground.scheduling.engine.warm import WarmSessions
from playground.scheduling.models.scheduler import FIRST
from playground.scheduling.selectors.schedulers import scheduler_get
from playground.scheduling.services.bindings import bindings_run
from playground.scheduling.services.slice import SliceOutcome, slice_run

# More than any story here needs.
MOST_SLICES = 50


class Worker:
    """A scheduling worker and a binding worker of one scheduler of a cluster."""

    def __init__(
        self, cluster: Cluster, holder: str = "elsewhere/1/test", *, binds: bool = True, scheduler: str = FIRST
    ) -> None:
        self.cluster_id = cluster.pk
        self.scheduler_id = scheduler_get(cluster_id=cluster.pk, name=scheduler).pk
        self.holder = holder
        self.binds = binds
        self.sessions = WarmSessions()

    def slice(self) -> SliceOutcome | None:
        with followers.only():
            return slice_run(scheduler_id=self.scheduler_id, holder=self.holder, sessions=self.sessions)

    def work(self) -> None:
        """Until the scheduler has looked at everything and nothing is due at once."""
        for _ in range(MOST_SLICES):
            outcome = self.slice()
            assert outcome is not None, "somebody else has the lease"
            if self.binds and outcome.binding_sequences:
                self.run_bindings(outcome.binding_sequences)
            elif outcome.next_in != 0.0:
                return
        raise AssertionError("the scheduler does not come to rest")

    def run_bindings(self, sequences: list[int]) -> None:
        with followers.only():
            bindings_run(cluster_id=self.cluster_id, sequences=sequences)


def nodes_of_pods(cluster: Cluster) -> dict[str, str]:
    """Pod name -> node name, "" for those that have none."""
    return dict(Pod.objects.filter(cluster=cluster).values_list("name", "node_name"))


def advance(cluster: Cluster, seconds: float) -> None:
    """Let cluster time pass."""
    with followers.only(), cluster_transaction(cluster.pk) as tx:
        cluster_clock_advance(tx, to=tx.now + seconds)
