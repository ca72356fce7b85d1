"""Configuration, lease, state, metrics and queue are a scheduler's, not a cluster's."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

OWN_ROWS = {
    "schedulerconfiguration": "configuration",
    "schedulerlease": "lease",
    "schedulerstate": "state",
    "schedulermetrics": "metrics",
}


def owner(related_name: str) -> Any:
    return models.OneToOneField(
        on_delete=django.db.models.deletion.CASCADE,
        primary_key=True,
        related_name=related_name,
        serialize=False,
        to="scheduling.clusterscheduler",
    )


def configuration(db_constraint: bool) -> Operation:
    """SQLite does not rename a key that other tables refer to."""
    return migrations.AlterField(
        "profile",
        "configuration",
        models.ForeignKey(
            db_constraint=db_constraint,
            on_delete=django.db.models.deletion.CASCADE,
            related_name="profiles",
            to="scheduling.schedulerconfiguration",
        ),
    )


class Migration(migrations.Migration):
    dependencies = [("scheduling", "0006_first_scheduler_of_every_cluster")]

    operations = [
        configuration(db_constraint=False),
        *(migrations.RenameField(model, "cluster", "scheduler") for model in OWN_ROWS),
        *(migrations.AlterField(model, "scheduler", owner(name)) for model, name in OWN_ROWS.items()),
        configuration(db_constraint=True),
        migrations.RemoveField("schedulerstate", "last_history"),
        migrations.RemoveField("schedulerstate", "last_event"),
        migrations.RemoveConstraint("queuedpod", "a_pod_is_in_one_queue"),
        migrations.AlterField(
            "queuedpod",
            "scheduler",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="queued_pods",
                to="scheduling.clusterscheduler",
            ),
        ),
        migrations.AddConstraint(
            "queuedpod", models.UniqueConstraint(fields=("scheduler", "pod_uid"), name="a_pod_is_in_one_queue")
        ),
        migrations.AddIndex("queuedpod", models.Index(fields=["cluster", "pod_uid"], name="queued_pod_of_pod")),
        migrations.RemoveConstraint("binding", "a_pod_is_bound_by_one_binding_at_a_time"),
        migrations.AddConstraint(
            "binding",
            models.UniqueConstraint(
                condition=models.Q(("phase__in", ("pending", "binding"))),
                fields=("scheduler", "pod_uid"),
                name="a_scheduler_binds_a_pod_once_at_a_time",
            ),
        ),
        migrations.AddIndex("binding", models.Index(fields=["cluster", "pod_uid"], name="binding_of_pod")),
    ]
