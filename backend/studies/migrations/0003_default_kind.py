from django.db import migrations, models

import backend.studies.models


class Migration(migrations.Migration):
    """The default is a setting. The column stays as it is."""

    dependencies = [("studies", "0002_study_kind")]
    operations = [
        migrations.AlterField(
            "study",
            "kind",
            models.CharField(default=backend.studies.models.default_study_kind, max_length=40),
        )
    ]
