"""Who is woken by a write, inside the process that wrote.

Apps that must act on changes (scheduling, controllers) register a callback in
`AppConfig.ready`:

    followers.register(callback)        callback(cluster_id: int, version: int, topics: frozenset[str])

`topics` are those of the changes written, except that Events count as "events", not as "object".

It runs right after the commit, in the writer's thread; it enqueues a task and
returns. A callback that raises is logged and stops neither the writer nor the
other followers: the sweeps find what it missed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

logger = logging.getLogger(__name__)

# (cluster id, new version of the feed, topics written) -> None
Follower = Callable[[int, int, frozenset[str]], None]

_followers: list[Follower] = []


def register(follower: Follower) -> None:
    """From now on `follower` hears of every commit. Registering twice is registering once."""
    if follower not in _followers:
        _followers.append(follower)


@contextmanager
def only(*followers: Follower) -> Iterator[None]:
    """For tests: nobody else is woken inside."""
    before = _followers[:]
    _followers[:] = followers
    try:
        yield
    finally:
        _followers[:] = before


def wake(cluster_id: int, version: int, topics: frozenset[str]) -> None:
    for follower in tuple(_followers):
        try:
            follower(cluster_id, version, topics)
        except Exception:  # one follower's trouble is not the others'
            logger.exception("follower %r failed for cluster %s at version %s", follower, cluster_id, version)
