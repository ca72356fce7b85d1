"""A preset played with all its workers in one process."""

from __future__ import annotations

from playground.clusters.models import Cluster
from playground.clusters.services.from_preset import cluster_create_from
from playground.controllers.services.run import controllers_run
from playground.controllers.session import sessions
from playground.scheduling.models import Binding, PodHistory, QueuedPod
from playground.scheduling.models.binding import IN_FLIGHT
from tests.playground.scheduling.driving import Worker, advance


class Lab:
    """A preset's cluster with all its workers; time passes when the test says so."""

    def __init__(self, preset: str) -> None:
        self.cluster = cluster_create_from(name="lab", preset=preset, seed=1)
        Cluster.objects.update(clock_speed=0.01)
        # A rolled-back test's cluster id is given out again, which a database in use never does.
        sessions.drop(self.cluster.pk)
        self.worker = Worker(self.cluster)
        self.work()

    def work(self) -> None:
        for _ in range(5):
            while controllers_run(cluster_id=self.cluster.pk).unfinished:
                pass
            self.worker.work()
            answers = Binding.objects.filter(phase__in=IN_FLIGHT).values_list("sequence", flat=True)
            self.worker.run_bindings(list(answers))
            self.worker.work()

    def pass_time(self, seconds: int) -> None:
        for _ in range(seconds):
            advance(self.cluster, 1.0)
            self.work()

    def pod(self, name: str) -> QueuedPod:
        return QueuedPod.objects.get(name=name)

    def backoffs(self, name: str) -> list[float]:
        """Seconds from each failed attempt to the end of its backoff, where it sat one out."""
        moves = [move for row in PodHistory.objects.filter(name=name).order_by("number") for move in row.moves]
        failed_at = 0.0
        found = []
        for move in moves:
            if move["source"] == "inFlight":
                failed_at = move["at"]
            if move["target"] == "backoffQ":
                found.append(round(move["backoff_until"] - failed_at, 1))
        return found
