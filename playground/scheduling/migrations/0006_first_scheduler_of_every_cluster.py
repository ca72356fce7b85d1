"""What clusters have so far becomes the first scheduler's.

It gets its cluster's id, so that a row whose key was the cluster's needs no new
one when it becomes the scheduler's (0007).
"""

from typing import Any

from django.db import migrations
from django.db.models import F


def deploy(apps: Any, schema_editor: Any) -> None:
    model = {
        name: apps.get_model("scheduling", name)
        for name in (
            "ClusterScheduler",
            "SchedulerReplica",
            "ClusterNumbers",
            "SchedulerState",
            "QueuedPod",
            "Binding",
            "Decision",
        )
    }
    for pk, anchor in apps.get_model("clusters", "Cluster").objects.values_list("pk", "anchor_cluster"):
        model["ClusterScheduler"].objects.create(pk=pk, cluster_id=pk, name="kube-scheduler", ordinal=0)
        model["SchedulerReplica"].objects.create(
            scheduler_id=pk, number=0, identity=f"kube-scheduler-0_{pk}", starts=1, since=anchor
        )
    for state in model["SchedulerState"].objects.all():
        model["ClusterNumbers"].objects.create(
            cluster_id=state.cluster_id, last_history=state.last_history, last_event=state.last_event
        )
    for name in ("QueuedPod", "Binding", "Decision"):
        model[name].objects.update(scheduler_id=F("cluster_id"))
    _go_on_counting(schema_editor, model["ClusterScheduler"])


def _go_on_counting(schema_editor: Any, model: Any) -> None:
    """Keys were given by hand: PostgreSQL's sequence does not know of them."""
    from django.core.management.color import no_style

    for statement in schema_editor.connection.ops.sequence_reset_sql(no_style(), [model]):
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("scheduling", "0005_schedulers_of_a_cluster")]

    operations = [migrations.RunPython(deploy, migrations.RunPython.noop)]
