from django.db import migrations, models

ONCE_PER_RESPONSE = """
ALTER TABLE annotation_event
    DROP CONSTRAINT annotation_event_pkey, ADD PRIMARY KEY (response_id, id)
"""

ONCE = """
ALTER TABLE annotation_event
    DROP CONSTRAINT annotation_event_pkey, ADD PRIMARY KEY (id)
"""


class Migration(migrations.Migration):
    """Devices make the ids: one that another answer has too is no reason to lose an event.

    In SQL, because Django can make a key of two columns only with the table.
    """

    dependencies = [("annotation", "0004_nothing_is_deleted")]
    operations = [
        migrations.SeparateDatabaseAndState(
            [migrations.RunSQL(ONCE_PER_RESPONSE, ONCE)],
            [
                migrations.AlterField("event", "id", models.UUIDField()),
                migrations.AddField(
                    "event",
                    "pk",
                    models.CompositePrimaryKey(
                        "response",
                        "id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
            ],
        )
    ]
