"""A second start may skip preparing the database only if nothing changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from playground.config import environment
from playground.supervisor import prepared


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = tmp_path / "project"
    (project / "playground" / "clusters" / "migrations").mkdir(parents=True)
    (project / "playground" / "clusters" / "migrations" / "0001_initial.py").write_text("one")
    (project / "requirements.txt").write_text("django==1")
    monkeypatch.setattr(environment, "PROJECT", project)
    return project


@pytest.fixture
def data(tmp_path: Path, project: Path) -> Path:
    data = tmp_path / "data"
    data.mkdir()
    (data / "playground.sqlite3").write_text("database")
    prepared.mark_prepared(data)
    return data


def test_what_was_prepared_is_prepared(data: Path) -> None:
    assert prepared.is_prepared(data)


def test_a_new_migration_asks_for_preparing(data: Path, project: Path) -> None:
    (project / "playground" / "clusters" / "migrations" / "0002_more.py").write_text("two")
    assert not prepared.is_prepared(data)


def test_other_libraries_ask_for_preparing(data: Path, project: Path) -> None:
    (project / "requirements.txt").write_text("django==2")
    assert not prepared.is_prepared(data)


def test_a_removed_database_asks_for_preparing(data: Path) -> None:
    (data / "playground.sqlite3").unlink()
    assert not prepared.is_prepared(data)


def test_another_database_in_its_place_asks_for_preparing(data: Path) -> None:
    (data / "playground.sqlite3").rename(data / "old")
    (data / "playground.sqlite3").write_text("restored")
    assert not prepared.is_prepared(data)


def test_nothing_is_marked_where_there_is_no_database(tmp_path: Path, project: Path) -> None:
    prepared.mark_prepared(tmp_path)
    assert not (tmp_path / "prepared").exists()
