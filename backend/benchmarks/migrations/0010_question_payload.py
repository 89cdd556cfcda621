from django.db import migrations, models


class Migration(migrations.Migration):
    """Questions have the fields that a study kind adds to its questionnaires."""

    dependencies = [("benchmarks", "0009_releases")]

    operations = [migrations.AddField("question", "payload", models.JSONField(default=dict))]
