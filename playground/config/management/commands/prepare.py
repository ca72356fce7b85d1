"""Brings the database up to date, and gives a new one its first cluster."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from playground.clusters.services.from_preset import cluster_create_from

# One control-plane node and three workers.
FIRST_NAME, FIRST_PRESET = "demo", "kind-1-3"


class Command(BaseCommand):
    help = "Applies migrations; a new database gets a small cluster to begin with."

    def handle(self, *args: Any, **options: Any) -> None:
        is_new = not MigrationRecorder(connection).applied_migrations()
        call_command("migrate", verbosity=0, interactive=False)
        if is_new:
            cluster_create_from(name=FIRST_NAME, preset=FIRST_PRESET)
