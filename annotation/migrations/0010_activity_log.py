from django.db import migrations, models

# Undoing is the one case that writes into history: entries from after it get a version.
TO_VERSIONS = """
ALTER TABLE annotation_event DISABLE TRIGGER append_only;
UPDATE annotation_event SET response_version = response.version
    FROM annotation_response response
    WHERE response.id = response_id AND response_version IS NULL;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE annotation_event ENABLE TRIGGER append_only;
"""


class Migration(migrations.Migration):
    """The activity log is separate from answers: its entries have no version of the answer.

    Entries from before keep theirs, in a column with a name that says so. Columns are renamed
    and added; no row is written.
    """

    dependencies = [("annotation", "0009_study_kinds")]

    operations = [
        migrations.RemoveIndex("event", "annotation__respons_c93c23_idx"),
        migrations.RenameField("event", "version", "response_version"),
        migrations.RenameField("event", "place", "sequence"),
        migrations.AlterField("event", "response_version", models.PositiveIntegerField(null=True)),
        migrations.RunSQL(migrations.RunSQL.noop, TO_VERSIONS),
        migrations.AlterField("event", "kind", models.CharField(max_length=40)),
        migrations.AddField("event", "active_ms", models.PositiveBigIntegerField(default=0)),
        migrations.AddIndex(
            "event",
            models.Index(
                fields=["response", "response_version", "sequence"],
                name="annotation__respons_33bfde_idx",
            ),
        ),
    ]
