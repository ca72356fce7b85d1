"""Letting the controllers and kubelets of a cluster work: `controllers_run(cluster_id=...)`.

Work is done in slices of one transaction each: follow the feed while the
cluster is locked, look, write, remember how far we are. Slices are small so
that the scheduler can begin with the first hundred pods while the next are
made. While the clock is paused the kubelets stand still; controllers work.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from playground.clusters import clock
from playground.clusters.models import Cluster
from playground.clusters.services.transaction import ClusterTransaction, cluster_transaction
from playground.common.errors import NotFound
from playground.controllers import selectors
from playground.controllers.models import ControllerState
from playground.controllers.services.kubelet import KubeletTurn
from playground.controllers.services.store import TransactionStore
from playground.controllers.session import ClusterSession, sessions

# Controllers stop looking at the next object once a transaction has so much to write.
SLICE_WRITES = 150
# A run gives way to other clusters' after so long.
RUN_SECONDS = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    # There is more to do at once.
    unfinished: bool = False
    # Wall seconds until something is due; None: nothing, or the clock stands.
    due_in: float | None = None
    # Admission webhooks are to be asked, by `webhooks_ask`.
    asks: bool = False


def controllers_run(*, cluster_id: int) -> RunResult:
    """Work until there is nothing to do, or for a short while."""
    session = sessions.get(cluster_id)
    session.called.set()
    result = RunResult()
    # Whoever finds the lock taken leaves it at the call; the holder looks again before and after it lets go.
    while session.called.is_set() and session.lock.acquire(blocking=False):
        try:
            session.called.clear()
            result = _work(session)
        except (NotFound, Cluster.DoesNotExist):
            sessions.drop(cluster_id)
        except BaseException:
            session.forget()
            raise
        finally:
            session.lock.release()
    return result


def _work(session: ClusterSession) -> RunResult:
    started = time.monotonic()
    while True:
        session.follow()
        if session.asking.take_answered():
            session.manager.resume_postponed()
        cluster = Cluster.objects.get(pk=session.cluster_id)
        state = _slice(session) if _has_work(session, cluster) else _note_followed(session)
        goes_on = state.unfinished and not _only_asks(session, cluster)
        if not goes_on or time.monotonic() - started > RUN_SECONDS:
            return _result(cluster, state, goes_on=goes_on, asks=session.asking.has_open)


def _has_work(session: ClusterSession, cluster: Cluster) -> bool:
    if session.manager.has_work:
        return True
    if cluster.clock_state == Cluster.ClockState.RUNNING and session.kubelet.has_work:
        return True
    due = _next_due(session)
    return due is not None and due <= clock.now(cluster)


def _next_due(session: ClusterSession) -> float | None:
    times = (selectors.next_step_due(session.cluster_id), session.manager.next_due)
    return min((at for at in times if at is not None), default=None)


def _slice(session: ClusterSession) -> ControllerState:
    answers = session.asking.verdicts.reading()
    with cluster_transaction(session.cluster_id, webhook_answers=answers) as tx:
        session.follow()
        store = TransactionStore(tx, session)
        session.generator.seed(f"{tx.cluster.seed}/{tx.version}")
        if tx.cluster.clock_state == Cluster.ClockState.RUNNING:
            KubeletTurn(tx, session, store).run()
        session.manager.run(store, tx.now, lambda: store.writes < SLICE_WRITES)
        store.flush()
        session.version = tx.version
        # Asked after the commit; said in it, so that nobody takes the cluster for idle.
        session.asking.note(answers, is_settled=not session.manager.has_work)
        state = _save_state(session, unfinished=_is_unfinished(session, tx))
    session.asking.verdicts.used(answers)
    return state


def _is_unfinished(session: ClusterSession, tx: ClusterTransaction) -> bool:
    if session.manager.has_work or session.asking.is_under_way:
        return True
    if tx.cluster.clock_state == Cluster.ClockState.PAUSED:
        return False
    due = selectors.next_step_due(session.cluster_id)
    return session.kubelet.has_work or (due is not None and due <= tx.now)


def _note_followed(session: ClusterSession) -> ControllerState:
    """Nothing to write to the cluster, which may be gone by now; only how far we have looked."""
    with cluster_transaction(session.cluster_id):
        return _save_state(session, unfinished=session.asking.is_under_way)


def _save_state(session: ClusterSession, *, unfinished: bool) -> ControllerState:
    state = ControllerState(
        cluster_id=session.cluster_id,
        feed_version=session.version,
        next_due=_next_due(session),
        unfinished=unfinished,
    )
    ControllerState.objects.bulk_create(
        [state],
        update_conflicts=True,
        unique_fields=["cluster"],
        update_fields=["feed_version", "next_due", "unfinished"],
    )
    return state


def _only_asks(session: ClusterSession, cluster: Cluster) -> bool:
    """Nothing is left to do but to wait for webhooks."""
    return session.asking.is_under_way and not _has_work(session, cluster)


def _result(cluster: Cluster, state: ControllerState, *, goes_on: bool, asks: bool) -> RunResult:
    due_in = None if state.next_due is None else clock.wall_seconds_until(cluster, state.next_due)
    return RunResult(unfinished=goes_on, due_in=due_in, asks=asks)


def webhooks_ask(*, cluster_id: int) -> None:
    """Ask the webhooks that the controllers wait for. Takes its time, and must not be done where others wait."""
    sessions.get(cluster_id).asking.ask()
