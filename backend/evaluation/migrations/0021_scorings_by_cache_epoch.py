from django.db import migrations, models


class Migration(migrations.Migration):
    """Scores of before count as those of the first model: an endpoint that states another one now
    is requested again."""

    dependencies = [("evaluation", "0020_resumable_uploads")]

    operations = [
        migrations.AddField(
            model_name="candidatescoring",
            name="cache_epoch",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
