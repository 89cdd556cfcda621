from django.db import migrations, models


class Migration(migrations.Migration):
    """Results, badges and citations look for the rows of one submission."""

    dependencies = [("leaderboard", "0001_initial")]

    operations = [
        migrations.AddIndex(
            "standingrow",
            models.Index(fields=["submission_id", "standing"], name="rows_of_submission"),
        )
    ]
