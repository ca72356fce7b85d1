"""When the controllers and kubelets of a cluster are woken."""

from __future__ import annotations

from playground.common.wakeups import Wakeups, writer

RUN = "controllers.run"
# Objects are what they look at; the clock decides when the kubelets' steps are over.
FOLLOWED_TOPICS = frozenset({"object", "cluster"})

controllers = Wakeups(task=RUN, queue="default")


def wake_on_change(cluster_id: int, version: int, topics: frozenset[str]) -> None:
    """A follower of the feed: runs after each commit, in the writer's thread.

    What a run itself wrote is in its session already.
    """
    if topics & FOLLOWED_TOPICS and writer() != RUN:
        controllers.wake(cluster_id)
