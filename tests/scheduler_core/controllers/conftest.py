import pytest

from tests.scheduler_core.controllers.cluster import TinyCluster


@pytest.fixture
def cluster() -> TinyCluster:
    return TinyCluster()
