"""Kubelets wait for volumes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0001_initial"),
        ("controllers", "0001_initial"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="kubeletstep",
            name="kubelet_step_known",
        ),
        migrations.AlterField(
            model_name="kubeletstep",
            name="step",
            field=models.CharField(
                choices=[
                    ("mounting", "mounting"),
                    ("pulling", "pulling"),
                    ("starting", "starting"),
                    ("running", "running"),
                    ("stopping", "stopping"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="kubeletstep",
            constraint=models.CheckConstraint(
                condition=models.Q(("step__in", ["mounting", "pulling", "starting", "running", "stopping"])),
                name="kubelet_step_known",
            ),
        ),
    ]
