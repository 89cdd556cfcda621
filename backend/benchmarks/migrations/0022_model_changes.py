import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0021_edges_left_out"),
    ]

    operations = [
        migrations.AddField(
            model_name="model",
            name="former_names",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=120), default=list, size=None
            ),
        ),
        migrations.AddField(
            model_name="model",
            name="version",
            field=models.PositiveIntegerField(default=1),
        ),
    ]
