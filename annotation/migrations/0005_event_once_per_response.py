from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.state import StateApps

ONCE_PER_RESPONSE = """
ALTER TABLE annotation_event
    DROP CONSTRAINT annotation_event_pkey, ADD PRIMARY KEY (response_id, id)
"""

ONCE = """
ALTER TABLE annotation_event
    DROP CONSTRAINT annotation_event_pkey, ADD PRIMARY KEY (id)
"""

SHARED = (
    "SELECT count(*) FROM (SELECT FROM annotation_event GROUP BY id HAVING count(*) > 1) shared"
)


def require_ids_of_one(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Asked before the way back: none of the events may be left out to make room for the key."""
    with editor.connection.cursor() as cursor:
        cursor.execute(SHARED)
        (shared,) = cursor.fetchone()
    if shared:
        raise IrreversibleError(
            f"This migration cannot be undone any more: since it, {shared:,} event id(s) came with "
            "more than one response, and before it an id could stand only once. Nothing was "
            "changed by this step. Restore a backup from before it instead."
        )


class Migration(migrations.Migration):
    """Devices make the ids: one that another answer has too is no reason to lose an event.

    In SQL, because Django can make a key of two columns only with the table.
    """

    dependencies = [("annotation", "0004_nothing_is_deleted")]
    operations = [
        migrations.SeparateDatabaseAndState(
            [
                migrations.RunSQL(ONCE_PER_RESPONSE, ONCE),
                # Last, so that it is the first thing on the way back.
                migrations.RunPython(migrations.RunPython.noop, require_ids_of_one),
            ],
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
