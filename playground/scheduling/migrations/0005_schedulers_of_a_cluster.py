"""Schedulers become rows, of which a cluster may have several."""

from collections.abc import Callable
from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def scheduler(on_delete: Callable[..., Any], related_name: str) -> Any:
    return models.ForeignKey(
        db_index=False,
        null=True,
        on_delete=on_delete,
        related_name=related_name,
        to="scheduling.clusterscheduler",
    )


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0001_initial"),
        ("scheduling", "0004_cel_plugins"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClusterScheduler",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=63)),
                ("ordinal", models.PositiveIntegerField()),
                ("leader", models.CharField(blank=True, default="", max_length=200)),
                ("standing_by", models.TextField(blank=True, default="")),
                ("observed_version", models.BigIntegerField(default=0)),
                ("observed_at", models.FloatField(blank=True, null=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="schedulers",
                        to="clusters.cluster",
                    ),
                ),
            ],
            options={
                "ordering": ["cluster", "ordinal"],
                "constraints": [
                    models.UniqueConstraint(fields=("cluster", "ordinal"), name="schedulers_are_in_order"),
                    models.UniqueConstraint(fields=("cluster", "name"), name="names_of_schedulers_are_unique"),
                ],
            },
        ),
        migrations.CreateModel(
            name="SchedulerReplica",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("identity", models.CharField(blank=True, default="", max_length=200)),
                ("starts", models.PositiveIntegerField(default=0)),
                ("since", models.FloatField()),
                (
                    "scheduler",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replicas",
                        to="scheduling.clusterscheduler",
                    ),
                ),
            ],
            options={
                "ordering": ["scheduler", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("scheduler", "number"), name="replicas_are_numbered"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ClusterNumbers",
            fields=[
                (
                    "cluster",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="clusters.cluster",
                    ),
                ),
                ("last_sequence", models.PositiveBigIntegerField(blank=True, null=True)),
                ("last_history", models.PositiveBigIntegerField(default=0)),
                ("last_event", models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.AddField("binding", "scheduler", scheduler(django.db.models.deletion.SET_NULL, "bindings")),
        migrations.AddField("decision", "scheduler", scheduler(django.db.models.deletion.SET_NULL, "decisions")),
        migrations.AddField("queuedpod", "scheduler", scheduler(django.db.models.deletion.CASCADE, "queued_pods")),
    ]
