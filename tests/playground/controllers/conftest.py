from __future__ import annotations

from collections.abc import Iterator

import pytest

from playground.live import followers
from tests.playground.controllers.town import Town


@pytest.fixture
def town(transactional_db: None) -> Iterator[Town]:
    """A cluster with a node; its workers run when the test says so."""
    with followers.only():
        yield Town()
