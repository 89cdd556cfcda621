import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# The share of each level of the arm is in the design, such as {"evidence": {"hidden": 0.3}}.
MARK = """
UPDATE studies_study SET hides_evidence = true
FROM annotation_studydesign AS design
WHERE design.study_id = studies_study.id
  AND (design.arm_shares -> 'evidence' ->> 'hidden')::float > 0;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0021_model_judges"),
        ("studies", "0012_hidden_evidence_and_returns"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PostponedThreadMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField()),
                (
                    "reader",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "thread",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="postponed_mails",
                        to="annotation.thread",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("thread", "reader"), name="postponed_mail_once")
                ],
            },
        ),
        migrations.RunSQL(MARK, migrations.RunSQL.noop),
    ]
