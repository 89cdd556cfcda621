from django.db import migrations

FROM_BATCHES = """
UPDATE benchmarks_question question SET batch_number = batch.number
    FROM annotation_batchquestion entry
    JOIN annotation_batch batch ON batch.id = entry.batch_id
    WHERE entry.question_id = question.id;
"""


class Migration(migrations.Migration):
    """Questions that were imported before get the number of their batch."""

    dependencies = [
        ("annotation", "0010_activity_log"),
        ("benchmarks", "0008_question_batch"),
    ]

    operations = [migrations.RunSQL(FROM_BATCHES, migrations.RunSQL.noop)]
