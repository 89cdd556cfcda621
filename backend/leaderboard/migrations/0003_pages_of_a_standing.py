import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Boards ranked before it have none until their next change; their pages are made when read."""

    dependencies = [
        ("leaderboard", "0002_rows_of_submission"),
    ]

    operations = [
        migrations.CreateModel(
            name="StandingPage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("offset", models.PositiveIntegerField()),
                ("rows", models.BinaryField()),
                (
                    "standing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pages",
                        to="leaderboard.standing",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("standing", "offset"), name="standing_page_once"
                    )
                ],
            },
        ),
    ]
