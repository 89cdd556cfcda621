from django.db import migrations


class Migration(migrations.Migration):
    """Entities are read from snapshots; the table was written by imports and never read."""

    dependencies = [
        ("graphs", "0004_study_links"),
    ]

    operations = [
        migrations.DeleteModel(name="Entity"),
    ]
