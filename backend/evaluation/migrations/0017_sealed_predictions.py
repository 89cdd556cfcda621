import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_coordinator_of_the_site"),
        ("benchmarks", "0020_sealed_releases"),
        ("evaluation", "0016_query_syntheses"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="unsealed_from",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="unsealed_as",
                to="evaluation.submission",
            ),
        ),
        migrations.AlterField(
            model_name="submission",
            name="state",
            field=models.CharField(
                choices=[
                    ("queued", "Queued"),
                    ("sealed", "Sealed"),
                    ("scored", "Scored"),
                    ("failed", "Failed"),
                    ("withdrawn", "Withdrawn"),
                ],
                default="queued",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("evaluation", None),
                    models.Q(("state", "sealed"), _negated=True),
                    _connector="OR",
                ),
                name="sealed_submission_has_no_evaluation",
            ),
        ),
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.UniqueConstraint(
                condition=models.Q(("unsealed_from__isnull", False)),
                fields=("release", "unsealed_from"),
                name="unsealed_once_per_release",
            ),
        ),
    ]
