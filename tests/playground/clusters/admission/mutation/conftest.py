from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.playground.clusters.admission.mutation.webhook_server import WebhookServer, webhook_server


@pytest.fixture
def webhook() -> Iterator[WebhookServer]:
    with webhook_server() as server:
        yield server
