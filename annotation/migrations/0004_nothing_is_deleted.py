from django.db import migrations, models

REFUSE = """
CREATE TRIGGER nothing_is_deleted BEFORE DELETE ON annotation_event
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_update();
CREATE TRIGGER nothing_is_deleted BEFORE DELETE ON annotation_revision
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_update();
"""

ALLOW = """
DROP TRIGGER nothing_is_deleted ON annotation_revision;
DROP TRIGGER nothing_is_deleted ON annotation_event;
"""


class Migration(migrations.Migration):
    """What was done stays, also when what it belongs to is deleted: that is refused."""

    dependencies = [("annotation", "0003_place_of_many_looks")]
    operations = [
        migrations.AlterField(
            "response",
            "assignment",
            models.OneToOneField(
                on_delete=models.PROTECT, related_name="response", to="annotation.assignment"
            ),
        ),
        migrations.AlterField(
            "revision",
            "response",
            models.ForeignKey(
                on_delete=models.PROTECT, related_name="revisions", to="annotation.response"
            ),
        ),
        migrations.AlterField(
            "event",
            "response",
            models.ForeignKey(
                on_delete=models.PROTECT, related_name="events", to="annotation.response"
            ),
        ),
        migrations.RunSQL(REFUSE, ALLOW),
    ]
