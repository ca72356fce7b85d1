"""What the environment says: the data folder, the database, the broker.

Read by the settings and, before Django is loaded, by the supervisor, so it
needs the standard library only. Every variable has a default under which
`./dev up` works on a machine with nothing but Python:

    PLAYGROUND_DATA       folder of the database, the secret key, logs and sockets
    DATABASE_URL          postgres://user:password@host:port/name; default: SQLite in the data folder
    PLAYGROUND_REDIS_URL  redis://host:port/0, rediss://... or unix:///path; default: a socket beside the data
    PLAYGROUND_HOSTS      comma-separated names the server answers to
    PLAYGROUND_OUTGOING   comma-separated hosts, addresses or networks (10.0.0.0/8) that extenders and webhooks
                          may be called at; default: this machine only
    PLAYGROUND_PLUGINS    scheduler plugins in Python, as module:Class, comma-separated; see docs/howto/add-a-plugin.md
    PLAYGROUND_ADDRESS    where the web server is reached, for services it offers to itself; set by the supervisor
    PLAYGROUND_DEBUG      1 shows Django's error pages; for development only
    PLAYGROUND_SECRET_KEY default: generated once and kept in the data folder
"""

from __future__ import annotations

import hashlib
import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

PROJECT = Path(__file__).resolve().parents[2]

# A unix socket's path may have 107 bytes on Linux and 103 on macOS; the shorter limit serves both.
LONGEST_SOCKET_PATH = 103

# Stands for "no server at all": in-memory channel layer, cache and broker, for tests of single functions.
IN_MEMORY = "memory://"


class EnvironmentProblem(Exception):
    """A variable that cannot be used; the text says which and what to write instead."""


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The data folder, made private to its owner if it was not there."""
    named = environ.get("PLAYGROUND_DATA")
    folder = Path(named).expanduser().resolve() if named else _default_data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise EnvironmentProblem(
            f"PLAYGROUND_DATA: cannot make the folder {folder} ({error.strerror}); name a folder you may write to"
        ) from error
    if not os.access(folder, os.W_OK):
        raise EnvironmentProblem(f"PLAYGROUND_DATA: {folder} is not writable; name a folder you may write to")
    return folder


def _default_data_folder() -> Path:
    beside_the_code = PROJECT / ".playground"
    if os.access(beside_the_code if beside_the_code.exists() else PROJECT, os.W_OK):
        return beside_the_code
    return Path.home() / ".local" / "share" / "kubernetes-scheduling-playground"


def socket_path(folder: Path) -> Path:
    """Where the embedded Valkey listens: in the data folder, or in a short private folder where that is too long."""
    usual = folder / "valkey.sock"
    if len(os.fsencode(usual)) <= LONGEST_SOCKET_PATH:
        return usual
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    short = Path(tempfile.gettempdir()) / f"playground-{os.getuid()}-{digest}"
    if len(os.fsencode(short / "valkey.sock")) > LONGEST_SOCKET_PATH:
        short = Path("/tmp") / short.name  # noqa: S108  (made private below, and refused if it is not ours)
    short.mkdir(mode=0o700, exist_ok=True)
    if short.stat().st_uid != os.getuid():
        raise EnvironmentProblem(f"{short} belongs to somebody else; set PLAYGROUND_DATA to a shorter path")
    return short / "valkey.sock"


def redis_url(folder: Path, environ: Mapping[str, str] = os.environ) -> str:
    url = environ.get("PLAYGROUND_REDIS_URL") or f"unix://{socket_path(folder)}"
    if urlsplit(url).scheme not in ("redis", "rediss", "unix", "memory"):
        raise EnvironmentProblem(
            f"PLAYGROUND_REDIS_URL: {without_password(url)!r} should begin with redis://, rediss:// or unix:///"
        )
    return url


def celery_broker_url(url: str) -> str:
    """The same server in Celery's spelling."""
    return "redis+socket://" + url.removeprefix("unix://") if url.startswith("unix://") else url


def without_password(url: str) -> str:
    """A URL that may be shown and logged."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{parts.username or ''}:***@{host}").geturl()


def database(folder: Path, environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Django's DATABASES["default"]."""
    url = environ.get("DATABASE_URL", "")
    return _postgresql(url) if url else _sqlite(folder / "playground.sqlite3")


def _sqlite(path: Path) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {
            "timeout": 20,
            # A transaction that reads first and writes later cannot be promoted under WAL while another
            # one writes: it would fail at once. IMMEDIATE makes it wait its turn instead.
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def _postgresql(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql") or not parts.path.strip("/"):
        raise EnvironmentProblem(
            f"DATABASE_URL: {without_password(url)!r} should look like postgres://user:password@host:5432/name; "
            "leave it out to use SQLite"
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "CONN_HEALTH_CHECKS": True,
    }


def allowed_hosts(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Own names only: a page of another name that resolves to this machine is not served (DNS rebinding)."""
    named = [host.strip() for host in environ.get("PLAYGROUND_HOSTS", "").split(",") if host.strip()]
    return ["localhost", "playground.localhost", "127.0.0.1", "[::1]", *named]


def outgoing_targets(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Hosts, addresses and networks beside this machine that the server may call when a user asks for it."""
    return [each.strip() for each in environ.get("PLAYGROUND_OUTGOING", "").split(",") if each.strip()]


def plugins(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Classes of scheduler plugins, as module:Class."""
    return [each.strip() for each in environ.get("PLAYGROUND_PLUGINS", "").split(",") if each.strip()]


def own_address(environ: Mapping[str, str] = os.environ) -> str:
    """Where workers reach the web server of this instance; the supervisor says it."""
    return environ.get("PLAYGROUND_ADDRESS") or "http://127.0.0.1:8000/"


def is_set(name: str, environ: Mapping[str, str] = os.environ) -> bool:
    return environ.get(name, "").lower() in ("1", "true", "yes", "on")


def positive_integer(name: str, default: int, environ: Mapping[str, str] = os.environ) -> int:
    text = environ.get(name) or str(default)
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise EnvironmentProblem(f"{name}: {text!r} is not a number from 1 to 65535")
    return int(text)


def secret_key(folder: Path, environ: Mapping[str, str] = os.environ) -> str:
    """Kept in the data folder, readable by its owner only; made on first use."""
    if named := environ.get("PLAYGROUND_SECRET_KEY"):
        return named
    path = folder / "secret_key"
    if not path.exists():
        _write_private(path, secrets.token_urlsafe(50))
    return path.read_text(encoding="ascii").strip()


def _write_private(path: Path, text: str) -> None:
    """Whole or not at all: two processes that start together end up with one and the same key."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "w", encoding="ascii") as stream:
        stream.write(text)
    try:
        os.link(temporary, path)
    except FileExistsError:
        pass  # The other process was first; its key is the one.
    finally:
        os.unlink(temporary)
