import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0019_number_of_an_item_in_its_split"),
        ("graphs", "0009_papers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="release",
            name="is_sealed",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="release",
            name="unseals",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="unsealed_as",
                to="benchmarks.release",
            ),
        ),
        migrations.AddConstraint(
            model_name="release",
            constraint=models.UniqueConstraint(
                condition=models.Q(("unseals__isnull", False)),
                fields=("unseals", "graph_version"),
                name="unsealed_once_per_version",
            ),
        ),
        migrations.AddConstraint(
            model_name="release",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("is_sealed", False),
                    models.Q(
                        ("corrects", None),
                        ("cutoff__isnull", False),
                        ("graph_version__isnull", False),
                        ("unseals", None),
                    ),
                    _connector="OR",
                ),
                name="sealed_release_has_a_graph_and_a_cutoff",
            ),
        ),
    ]
