"""The fixtures; see the package's docstring. Loaded as a plugin by the conftest at the root."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from playground.supervisor import stack, valkey
from playground.supervisor.child import Command
from tests.services import postgresql
from tests.services.running import Playground, Services, clean_environ, free_port

FIXTURES = {"playground", "own_playground", "postgresql_playground", "valkey_url", "redis_url", "postgresql_url"}


@pytest.fixture(scope="session")
def services_folder() -> Iterator[Path]:
    """Short (a socket's path is limited) and open to be entered by the database's user."""
    with tempfile.TemporaryDirectory(prefix="pg-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture(scope="session")
def playground(services_folder: Path) -> Iterator[Playground]:
    running = Playground.start_all(_data(services_folder, "shared"), clean_environ())
    yield running
    running.close()


@pytest.fixture
def own_playground(services_folder: Path, request: pytest.FixtureRequest) -> Iterator[Playground]:
    running = Playground.start_all(_data(services_folder, str(abs(hash(request.node.nodeid)))), clean_environ())
    yield running
    running.close()


@pytest.fixture(scope="session")
def postgresql_playground(services_folder: Path, postgresql_url: str, redis_url: str) -> Iterator[Playground]:
    environ = clean_environ(DATABASE_URL=postgresql_url, PLAYGROUND_REDIS_URL=redis_url)
    running = Playground.start_all(_data(services_folder, "postgresql-playground"), environ)
    yield running
    running.close()


@pytest.fixture(scope="session")
def valkey_url(services_folder: Path) -> Iterator[str]:
    place = stack.place(data=_data(services_folder, "valkey"), port=free_port(), environ=clean_environ())
    services = Services()
    services.start(stack.valkey_command(place))
    try:
        services.wait_ready("valkey")
        yield place.redis_url
    finally:
        services.stop_all()


@pytest.fixture(scope="session")
def redis_url(services_folder: Path) -> Iterator[str]:
    """A Redis or Valkey on a TCP port, as compose has it."""
    port = free_port()
    folder = _data(services_folder, "redis")
    command = Command(
        name="redis",
        argv=[valkey.find_server(), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)],
        env=clean_environ(),
        folder=folder,
        log=folder / "redis.log",
        ready=lambda: postgresql.listens(port),
    )
    services = Services()
    services.start(command)
    try:
        services.wait_ready("redis")
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        services.stop_all()


@pytest.fixture(scope="session")
def postgresql_url(services_folder: Path) -> Iterator[str]:
    programs = postgresql.find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    folder = services_folder / "postgresql"
    postgresql.initialise(programs, folder)
    command, url = postgresql.server_command(programs, folder, services_folder / "postgresql.log")
    services = Services()
    services.start(command)
    try:
        services.wait_ready("postgresql")
        yield url
    finally:
        services.stop_all()


def _data(folder: Path, name: str) -> Path:
    path = folder / name
    path.mkdir(mode=0o700)
    return path


# Marks and reports


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that asks for a service is a `services` test; one that asks for a page, a `browser` test."""
    for item in items:
        names = set(getattr(item, "fixturenames", ()))
        if "page" in names or "browser" in names:
            item.add_marker(pytest.mark.browser)
        elif names & FIXTURES:
            item.add_marker(pytest.mark.services)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:  # type: ignore[misc]
    report = yield
    if report.failed:
        for value in getattr(item, "funcargs", {}).values():
            if isinstance(value, Services):
                report.sections += [(f"log of {name}", text) for name, text in value.logs().items() if text]
    return report
