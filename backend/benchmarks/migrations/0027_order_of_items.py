from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0026_version_of_a_release"),
    ]

    operations = [
        migrations.AddField(
            model_name="release",
            name="is_in_key_order",
            field=models.BooleanField(default=False),
        ),
    ]
