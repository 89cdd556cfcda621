from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studies", "0005_message_and_reminder")]

    operations = [
        migrations.AddField("study", "comparison_shown_at", models.DateTimeField(null=True)),
    ]
