import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0022_model_changes"),
    ]

    operations = [
        migrations.CreateModel(
            name="SplitSlices",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "split",
                    models.CharField(choices=[("dev", "Dev"), ("test", "Test")], max_length=4),
                ),
                ("version", models.CharField(max_length=20)),
                ("names", models.JSONField()),
                ("items", models.PositiveIntegerField()),
                ("masks", models.BinaryField()),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="slices",
                        to="benchmarks.release",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("release", "split", "version"), name="slices_once_per_version"
                    )
                ],
            },
        ),
    ]
