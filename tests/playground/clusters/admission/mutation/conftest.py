from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.certificates import certificate_of
from tests.playground.clusters.admission.mutation.webhook_server import WebhookServer, webhook_server


@pytest.fixture
def webhook() -> Iterator[WebhookServer]:
    with webhook_server() as server:
        yield server


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Files of a certificate of 127.0.0.1, signed by itself, and of its key."""
    return certificate_of("IP:127.0.0.1", tmp_path_factory.mktemp("certificate"))
