from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studies", "0003_default_kind")]

    operations = [
        migrations.AddField(
            "study",
            "description",
            models.TextField(blank=True, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            "study",
            "contact",
            models.EmailField(blank=True, default="", max_length=254),
            preserve_default=False,
        ),
        migrations.AddField("study", "closes_on", models.DateField(null=True)),
    ]
