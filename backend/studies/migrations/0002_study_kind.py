from django.db import migrations, models


class Migration(migrations.Migration):
    """Every study so far asks for rankings."""

    dependencies = [("studies", "0001_initial")]
    operations = [
        migrations.AddField("study", "kind", models.CharField(default="ranking", max_length=40))
    ]
