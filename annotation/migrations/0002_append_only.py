from django.db import migrations

REFUSE = """
CREATE FUNCTION annotation_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE ON annotation_event
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_update();
CREATE TRIGGER append_only BEFORE UPDATE ON annotation_revision
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_update();
"""

ALLOW = """
DROP TRIGGER append_only ON annotation_revision;
DROP TRIGGER append_only ON annotation_event;
DROP FUNCTION annotation_refuse_update();
"""


class Migration(migrations.Migration):
    """History is what the study rests on: no code, however wrong, may rewrite it."""

    dependencies = [("annotation", "0001_initial")]
    operations = [migrations.RunSQL(REFUSE, ALLOW)]
