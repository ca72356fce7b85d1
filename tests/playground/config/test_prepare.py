"""`manage.py prepare`: a new database gets a first cluster, an old one keeps what it has."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db.migrations.recorder import MigrationRecorder

from playground.clusters.models import Cluster, Node

pytestmark = pytest.mark.django_db


def test_a_new_database_gets_one_control_plane_node_and_three_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda self: {})
    monkeypatch.setattr("playground.config.management.commands.prepare.call_command", lambda *_, **__: None)
    call_command("prepare")
    names = sorted(Node.objects.values_list("name", flat=True))
    assert names == ["demo-control-plane", "demo-worker", "demo-worker2", "demo-worker3"]


def test_clusters_that_were_deleted_do_not_come_back() -> None:
    call_command("prepare")
    assert Cluster.objects.count() == 0
