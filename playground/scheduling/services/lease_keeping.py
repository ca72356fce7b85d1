"""Keeping the lease while a slice waits for others: extenders may take longer than a lease lasts."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, connections

from playground.scheduling.services.lease import LEASE, Lease, lease_renew

logger = logging.getLogger(__name__)

RENEW_EVERY = LEASE.total_seconds() / 3


@contextmanager
def lease_kept(lease: Lease, every: float = RENEW_EVERY) -> Iterator[None]:
    """Renewed by a thread of its own for as long as this lasts.

    One that is lost stays lost: the fence of the slice's transaction will say so.
    """
    over = threading.Event()
    thread = threading.Thread(target=_keep, args=(lease, every, over), name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _keep(lease: Lease, every: float, over: threading.Event) -> None:
    try:
        while not over.wait(every):
            if not lease_renew(lease):
                return
    except DatabaseError as error:
        logger.warning("the lease of cluster %s could not be renewed: %s", lease.cluster_id, error)
    finally:
        connections.close_all()
