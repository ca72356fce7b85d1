"""A pod may be in the queues of several schedulers."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scheduling", "0007_rows_belong_to_a_scheduler")]

    operations = [
        migrations.AddField("podhistory", "scheduler", models.CharField(blank=True, default="", max_length=63)),
    ]
