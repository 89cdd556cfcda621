from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("studies", "0011_archive_job"),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="hides_evidence",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="member",
            name="returns",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
