from __future__ import annotations

import logging
import threading
from functools import partial

import pytest

from playground.common.calling_threads import CallingThreads

PATIENCE = 5.0


def test_whoever_hands_work_over_does_not_wait_for_it() -> None:
    threads, go, done = CallingThreads("test"), threading.Event(), threading.Event()
    threads.run("a", lambda: (go.wait(PATIENCE), done.set())[1])
    assert not done.is_set()
    go.set()
    assert done.wait(PATIENCE)


def test_slow_work_of_one_key_does_not_delay_another() -> None:
    threads, go, done = CallingThreads("test", most=2), threading.Event(), threading.Event()
    threads.run("slow", lambda: (go.wait(PATIENCE), None)[1])
    threads.run("quick", done.set)
    assert done.wait(PATIENCE)
    go.set()
    assert threads.wait_until_idle(PATIENCE)


def test_keys_that_were_slow_before_never_get_all_of_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playground.common.calling_threads.SLOW_SECONDS", -1.0)
    threads, go, done = CallingThreads("test", most=4), threading.Event(), threading.Event()
    for number in range(10):
        threads.run(number, lambda: None)
    assert threads.wait_until_idle(PATIENCE)

    for number in range(10):
        threads.run(number, lambda: (go.wait(PATIENCE), None)[1])
    threads.run("quick", done.set)

    assert done.wait(PATIENCE / 2)
    go.set()
    assert threads.wait_until_idle(PATIENCE)


def test_work_that_comes_all_at_once_does_not_wait_for_the_one_idle_thread() -> None:
    threads, together = CallingThreads("test", most=4), threading.Barrier(5, timeout=PATIENCE)
    threads.run("first", lambda: None)
    assert threads.wait_until_idle(PATIENCE)

    for number in range(4):
        threads.run(number, lambda: (together.wait(), None)[1])

    # Only where all four run at the same time.
    together.wait()
    assert threads.wait_until_idle(PATIENCE)


def test_work_that_comes_meanwhile_is_done_once_afterwards_and_never_beside_it() -> None:
    threads, go, started = CallingThreads("test"), threading.Event(), threading.Event()
    order: list[str] = []

    def first() -> None:
        started.set()
        go.wait(PATIENCE)
        order.append("first")

    threads.run("a", first)
    assert started.wait(PATIENCE)
    for number in range(3):
        threads.run("a", partial(order.append, f"again {number}"))
    go.set()
    assert threads.wait_until_idle(PATIENCE)
    assert order == ["first", "again 2"]


def test_no_more_threads_than_allowed_and_all_work_is_done() -> None:
    threads, lock = CallingThreads("test", most=2), threading.Lock()
    running, most, done = set[int](), [0], list[int]()

    def work(number: int) -> None:
        with lock:
            running.add(number)
            most[0] = max(most[0], len(running))
        threading.Event().wait(0.01)
        with lock:
            running.discard(number)
            done.append(number)

    for number in range(10):
        threads.run(number, partial(work, number))
    assert threads.wait_until_idle(PATIENCE)
    assert sorted(done) == list(range(10))
    assert most[0] <= 2


def test_work_that_breaks_is_logged_and_the_next_is_done(caplog: pytest.LogCaptureFixture) -> None:
    threads, done = CallingThreads("test", most=1), threading.Event()

    def broken() -> None:
        raise RuntimeError("oops")

    with caplog.at_level(logging.ERROR):
        threads.run("a", broken)
        threads.run("b", done.set)
        assert done.wait(PATIENCE)
    assert "oops" in caplog.text
