import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0003_errata"),
    ]

    operations = [
        migrations.CreateModel(
            name="QueryOutcome",
            fields=[
                (
                    "evaluation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="query_outcome",
                        serialize=False,
                        to="evaluation.evaluation",
                    ),
                ),
                ("queries", models.PositiveIntegerField()),
                ("failures", models.JSONField()),
            ],
        ),
    ]
