"""Writes that admission webhooks may have a say in: `write_asking_webhooks(cluster_id, work)`.

`work(tx)` is done inside a cluster transaction. Where it meets a webhook that
has not been asked, the transaction is rolled back, the webhooks are asked while
nothing is locked, and `work` is done again, with the answers. It must therefore
not have any effect but through its transaction. Most writes meet no webhook and
are done once, as without this.

All calls of one write share a deadline, as a request to kube-apiserver has one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import TypeVar

from playground.clusters.admission.mutation.calling import call_webhooks
from playground.clusters.admission.mutation.verdicts import Reading, Unanswered, Verdicts
from playground.clusters.services.transaction import ClusterTransaction, cluster_reading, cluster_transaction
from playground.common.errors import ServiceUnavailable

Result = TypeVar("Result")
# Begins a transaction with the answers that are there.
Begin = Callable[..., AbstractContextManager[ClusterTransaction]]

# kube-apiserver gives a mutating request 34 s.
REQUEST_SECONDS = 34.0
# Webhooks are asked one after the other, and again: that many times a write may begin anew.
MOST_ROUNDS = 64


def write_asking_webhooks(
    cluster_id: int, work: Callable[[ClusterTransaction], Result], *, dry_run: bool = False
) -> Result:
    """What `work` answers, once it has met no unasked webhook."""
    return _asking(partial(cluster_transaction, cluster_id, dry_run=dry_run), work)


def read_asking_webhooks(cluster_id: int, work: Callable[[ClusterTransaction], Result]) -> Result:
    """As `write_asking_webhooks`, for work that writes nothing: it waits for nobody, and nobody for it."""
    return _asking(partial(cluster_reading, cluster_id), work)


def _asking(begin: Begin, work: Callable[[ClusterTransaction], Result]) -> Result:
    verdicts = Verdicts()
    deadline = time.monotonic() + REQUEST_SECONDS
    for _ in range(MOST_ROUNDS):
        reading = verdicts.reading()
        try:
            with begin(webhook_answers=reading) as tx:
                return _whole(work(tx), reading)
        except Unanswered:
            call_webhooks(reading.missing, verdicts, deadline=deadline)
    raise ServiceUnavailable(
        f"nothing was written: its webhooks had to be asked more than {MOST_ROUNDS} times, each about another object; "
        "does one of them answer differently each time?"
    )


def _whole(result: Result, reading: Reading) -> Result:
    """`work` may go on after a part of it met a webhook, to find all it has to ask at once."""
    if reading.missing:
        raise Unanswered
    return result
