import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0013_model_name_once"),
        ("graphs", "0008_masked_versions"),
    ]

    operations = [
        migrations.CreateModel(
            name="ReleaseGraph",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("method", models.CharField(max_length=20)),
                ("removed_edges", models.PositiveBigIntegerField()),
                ("included", models.JSONField()),
                ("excluded", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="graphs",
                        to="benchmarks.release",
                    ),
                ),
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="release_graph",
                        to="graphs.version",
                    ),
                ),
            ],
            options={
                "ordering": ["release_id", "method"],
                "constraints": [
                    models.UniqueConstraint(fields=("release", "method"), name="release_graph_once")
                ],
            },
        ),
    ]
