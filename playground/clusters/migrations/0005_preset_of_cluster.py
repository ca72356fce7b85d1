from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clusters", "0004_requests_of_pods")]

    operations = [
        migrations.AddField(
            model_name="cluster",
            name="preset",
            field=models.CharField(blank=True, default="", max_length=50),
        ),
    ]
