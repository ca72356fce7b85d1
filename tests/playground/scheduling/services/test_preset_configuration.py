"""A preset brings the configuration its scheduler runs with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from playground.clusters.models import Cluster
from playground.clusters.presets import registry
from playground.clusters.services import from_preset
from playground.common.errors import Invalid
from playground.scheduling.services.profiles import configuration_get

pytestmark = pytest.mark.django_db

TWO_PROFILES = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [{"schedulerName": "default-scheduler"}, {"schedulerName": "packer"}],
}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a cluster from a preset with this configuration."""

    def make(configuration: Mapping[str, Any] | None) -> Cluster:
        preset = registry.Preset(
            id="own", title="", description="", manifests=lambda name: [], configuration=configuration
        )
        monkeypatch.setattr(from_preset, "PRESETS", (preset,))
        return from_preset.cluster_create_from(preset="own")

    return make


def test_it_is_stored_as_it_was_written(made: Any) -> None:
    cluster = made(TWO_PROFILES)
    written = configuration_get(cluster=cluster)
    assert (written.revision, written.document) == (1, TWO_PROFILES)


def test_without_one_the_defaults_run(made: Any) -> None:
    assert configuration_get(cluster=made(None)).revision == 0


def test_one_that_cannot_be_run_leaves_no_cluster_behind(made: Any) -> None:
    with pytest.raises(Invalid, match="parallelism"):
        made({**TWO_PROFILES, "parallelism": 0})
    assert not Cluster.objects.exists()
