from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0025_one_mask"),
    ]

    operations = [
        migrations.AddField(
            model_name="release",
            name="version",
            field=models.PositiveIntegerField(default=1),
        ),
    ]
