"""What the environment may say, and what is answered when it cannot be used."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from playground.config import environment
from playground.config.environment import EnvironmentProblem


def test_the_data_folder_is_made_private_to_its_owner(tmp_path: Path) -> None:
    folder = environment.data_folder({"PLAYGROUND_DATA": str(tmp_path / "new")})
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentProblem, match="PLAYGROUND_DATA: cannot make the folder .*file/below"):
        environment.data_folder({"PLAYGROUND_DATA": str(tmp_path / "file" / "below")})


def test_the_secret_key_is_made_once_and_kept_for_its_owner_only(tmp_path: Path) -> None:
    first = environment.secret_key(tmp_path, {})
    assert len(first) >= 50
    assert environment.secret_key(tmp_path, {}) == first
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_a_given_secret_key_is_not_stored(tmp_path: Path) -> None:
    assert environment.secret_key(tmp_path, {"PLAYGROUND_SECRET_KEY": "given"}) == "given"
    assert list(tmp_path.iterdir()) == []


def test_the_broker_is_by_default_a_socket_in_the_data_folder(tmp_path: Path) -> None:
    folder = Path("/data")
    assert environment.redis_url(folder, {}) == "unix:///data/valkey.sock"
    assert environment.celery_broker_url("unix:///data/valkey.sock") == "redis+socket:///data/valkey.sock"


def test_a_socket_path_never_exceeds_the_systems_limit(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    path = environment.socket_path(deep)
    assert len(str(path)) <= environment.LONGEST_SOCKET_PATH
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert environment.socket_path(deep) == path
    path.parent.rmdir()


@pytest.mark.parametrize("url", ["localhost:6379", "http://localhost", "amqp://guest@localhost//"])
def test_a_broker_of_another_kind_is_refused(url: str) -> None:
    with pytest.raises(EnvironmentProblem, match="PLAYGROUND_REDIS_URL: .* should begin with redis://"):
        environment.redis_url(Path("/data"), {"PLAYGROUND_REDIS_URL": url})


def test_sqlite_is_the_default_database() -> None:
    database = environment.database(Path("/data"), {})
    assert database["NAME"] == "/data/playground.sqlite3"
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_a_postgresql_url_is_taken_apart() -> None:
    database = environment.database(Path("/data"), {"DATABASE_URL": "postgres://me:p%40ss@db:5433/play"})
    parts = {key: database[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")}
    assert parts == {"NAME": "play", "USER": "me", "PASSWORD": "p@ss", "HOST": "db", "PORT": "5433"}


@pytest.mark.parametrize("url", ["mysql://me:hidden@db/play", "postgres://me:hidden@db", "nonsense"])
def test_another_database_is_refused_without_showing_its_password(url: str) -> None:
    with pytest.raises(EnvironmentProblem, match="DATABASE_URL") as caught:
        environment.database(Path("/data"), {"DATABASE_URL": url})
    assert "hidden" not in str(caught.value)


def test_only_own_names_are_served() -> None:
    hosts = environment.allowed_hosts({"PLAYGROUND_HOSTS": "play.example.org, "})
    assert hosts == ["localhost", "playground.localhost", "127.0.0.1", "[::1]", "play.example.org"]


@pytest.mark.parametrize("text", ["0", "-1", "eight", "70000"])
def test_a_number_out_of_range_is_named(text: str) -> None:
    with pytest.raises(EnvironmentProblem, match=f"PORT: '{text}' is not a number from 1 to 65535"):
        environment.positive_integer("PORT", 8000, {"PORT": text})
