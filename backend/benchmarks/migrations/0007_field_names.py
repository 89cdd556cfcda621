"""Columns get the names that the API uses. Nothing is rewritten."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0006_computations_become_jobs"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.RemoveConstraint("match", "match_or_why_not"),
        migrations.RenameField("match", "how", "match_method"),
        migrations.RenameField("match", "why_not", "unmatched_reason"),
        migrations.RenameField("match", "by", "matched_on"),
        migrations.AddConstraint(
            "match",
            models.CheckConstraint(
                condition=models.Q(("entity__isnull", False), ("unmatched_reason", ""))
                & ~models.Q(("match_method", ""))
                | models.Q(("entity", None), ("match_method", ""))
                & ~models.Q(("unmatched_reason", "")),
                name="match_or_unmatched_reason",
            ),
        ),
        migrations.RenameField("resolution", "fault", "error"),
        migrations.RenameModel("Record", "QuestionRecord"),
    ]
