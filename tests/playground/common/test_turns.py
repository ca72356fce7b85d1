from __future__ import annotations

import threading
from pathlib import Path

import pytest

from playground.common import turns


@pytest.fixture
def turn_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "db.sqlite3-turn"
    monkeypatch.setattr(turns, "_turn_file", lambda: path)
    return path


@pytest.mark.django_db(transaction=True)
def test_a_second_writer_waits_for_the_first(turn_file: Path) -> None:
    order: list[str] = []
    first_is_in, second_is_there = threading.Event(), threading.Event()

    def second() -> None:
        first_is_in.wait()
        second_is_there.set()
        with turns.turn_to_write():
            order.append("second")

    waiting = threading.Thread(target=second)
    waiting.start()
    with turns.turn_to_write():
        first_is_in.set()
        second_is_there.wait()
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]


@pytest.mark.django_db(transaction=True)
def test_a_turn_ends_with_an_error_too(turn_file: Path) -> None:
    with pytest.raises(KeyError), turns.turn_to_write():
        raise KeyError
    with turns.turn_to_write():
        assert turn_file.exists()


@pytest.mark.django_db
def test_inside_a_transaction_there_is_nothing_to_wait_for(turn_file: Path) -> None:
    with turns.turn_to_write():
        assert not turn_file.exists()


@pytest.mark.parametrize("name", [":memory:", "file:test?mode=memory&cache=shared"])
def test_a_database_in_memory_has_no_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(turns.connection.settings_dict, "NAME", name)
    assert turns._turn_file() is None
