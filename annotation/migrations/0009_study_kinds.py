from django.db import migrations, models

OF_RESPONSES = """
UPDATE annotation_response SET
    payload = jsonb_build_object(
        'ranking', ranking, 'confidence', confidence, 'reasons', to_jsonb(reasons),
        'comment', comment, 'unsure_reason', unsure_reason),
    outcome = CASE WHEN status IN ('untouched', 'draft') THEN '' ELSE status END,
    status = CASE WHEN status IN ('confirmed', 'changed', 'not_sure') THEN 'submitted'
        ELSE status END;
SET CONSTRAINTS ALL IMMEDIATE;
"""

TO_RESPONSES = """
UPDATE annotation_response SET
    ranking = payload->'ranking',
    confidence = (payload->>'confidence')::smallint,
    reasons = ARRAY(SELECT jsonb_array_elements_text(payload->'reasons')),
    comment = payload->>'comment',
    unsure_reason = payload->>'unsure_reason',
    status = CASE WHEN outcome = '' THEN status ELSE outcome END;
SET CONSTRAINTS ALL IMMEDIATE;
"""

# The five columns stay in the table, for the revisions that were written in them.
KEEP_OF_REVISIONS = """
ALTER TABLE annotation_revision
    ALTER COLUMN ranking DROP NOT NULL,
    ALTER COLUMN reasons DROP NOT NULL,
    ALTER COLUMN comment DROP NOT NULL,
    ALTER COLUMN unsure_reason DROP NOT NULL,
    ADD CONSTRAINT revision_has_one_payload CHECK ((payload IS NULL) <> (ranking IS NULL));
CREATE VIEW annotation_legacy_revision AS
    SELECT id AS revision_id, jsonb_build_object(
        'ranking', ranking, 'confidence', confidence, 'reasons', to_jsonb(reasons),
        'comment', comment, 'unsure_reason', unsure_reason) AS payload
    FROM annotation_revision WHERE payload IS NULL;
"""

# Undoing is the one case that writes into history: revisions from after it get the old columns.
TO_REVISIONS = """
DROP VIEW annotation_legacy_revision;
ALTER TABLE annotation_revision
    DROP CONSTRAINT revision_has_one_payload,
    DISABLE TRIGGER append_only;
UPDATE annotation_revision SET
    ranking = payload->'ranking',
    confidence = (payload->>'confidence')::smallint,
    reasons = ARRAY(SELECT jsonb_array_elements_text(payload->'reasons')),
    comment = payload->>'comment',
    unsure_reason = payload->>'unsure_reason'
    WHERE payload IS NOT NULL;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE annotation_revision
    ENABLE TRIGGER append_only,
    ALTER COLUMN ranking SET NOT NULL,
    ALTER COLUMN reasons SET NOT NULL,
    ALTER COLUMN comment SET NOT NULL,
    ALTER COLUMN unsure_reason SET NOT NULL;
"""

ONLY_RANKINGS = """
DO $$ BEGIN
    IF EXISTS (SELECT FROM studies_study WHERE kind <> 'ranking') THEN
        RAISE EXCEPTION 'A study of another kind than ranking has no place in the older tables.';
    END IF;
END $$
"""

COMPUTE_AGAIN = """
UPDATE annotation_batchagreement SET version = 0, revision_count = 0;
SET CONSTRAINTS ALL IMMEDIATE;
"""

REVISION_COLUMNS = ("ranking", "confidence", "reasons", "comment", "unsure_reason")


class Migration(migrations.Migration):
    """An answer is the payload of its study kind, with a status and an outcome.

    Responses, which change anyway, are converted. History is not: revisions keep the columns in
    which they were written, the former state is their outcome by renaming the column, and the
    view annotation_legacy_revision converts them when they are read (`Revision.answer`). Only
    revisions written from now on have a payload of their own. Agreements, which workers compute
    from the revisions, are computed again in the new form.
    """

    dependencies = [("annotation", "0008_studies_package")]

    operations = [
        # Responses
        migrations.RemoveConstraint("response", "response_confidence_one_to_five"),
        migrations.RemoveConstraint("response", "response_submitted_or_not"),
        migrations.RenameField("response", "state", "status"),
        migrations.RenameField("response", "submitted_state", "submitted_outcome"),
        migrations.AddField("response", "payload", models.JSONField(null=True)),
        migrations.AddField(
            "response",
            "outcome",
            models.CharField(blank=True, default="", max_length=40),
            preserve_default=False,
        ),
        migrations.AlterField("response", "ranking", models.JSONField(null=True)),
        migrations.RunSQL(OF_RESPONSES, TO_RESPONSES),
        migrations.AlterField("response", "payload", models.JSONField()),
        *(migrations.RemoveField("response", name) for name in REVISION_COLUMNS),
        migrations.AlterField(
            "response",
            "status",
            models.CharField(
                choices=[
                    ("untouched", "Untouched"),
                    ("draft", "Draft"),
                    ("submitted", "Submitted"),
                    ("skipped", "Skipped"),
                ],
                default="untouched",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            "response", "submitted_outcome", models.CharField(blank=True, max_length=40)
        ),
        migrations.AddConstraint(
            "response",
            models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("submitted_at", None), ("submitted_number", 0), ("submitted_outcome", "")
                    ),
                    models.Q(
                        ("submitted_at__isnull", False),
                        ("submitted_number__gt", 0),
                        models.Q(("submitted_outcome", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="response_submitted_or_not",
            ),
        ),
        # Revisions
        migrations.RemoveConstraint("revision", "revision_is_submitted"),
        migrations.RenameField("revision", "state", "outcome"),
        migrations.AlterField("revision", "outcome", models.CharField(max_length=40)),
        migrations.AddConstraint(
            "revision",
            models.CheckConstraint(
                condition=models.Q(("outcome", ""), _negated=True), name="revision_has_an_outcome"
            ),
        ),
        migrations.AddField("revision", "payload", models.JSONField(null=True)),
        migrations.SeparateDatabaseAndState(
            [migrations.RunSQL(KEEP_OF_REVISIONS, TO_REVISIONS)],
            [
                # It still holds for the column that stays.
                migrations.RemoveConstraint("revision", "revision_confidence_one_to_five"),
                *(migrations.RemoveField("revision", name) for name in REVISION_COLUMNS),
                migrations.CreateModel(
                    name="LegacyRevision",
                    fields=[
                        (
                            "revision",
                            models.OneToOneField(
                                on_delete=models.DO_NOTHING,
                                primary_key=True,
                                related_name="legacy",
                                serialize=False,
                                to="annotation.revision",
                            ),
                        ),
                        ("payload", models.JSONField()),
                    ],
                    options={"db_table": "annotation_legacy_revision", "managed": False},
                ),
            ],
        ),
        # Agreements
        migrations.RenameField("batchagreement", "revisions", "revision_count"),
        migrations.RunSQL(COMPUTE_AGAIN, migrations.RunSQL.noop),
        # Last, so that undoing begins with it.
        migrations.RunSQL(migrations.RunSQL.noop, ONLY_RANKINGS),
    ]
