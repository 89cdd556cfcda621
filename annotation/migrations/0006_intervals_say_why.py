from django.db import migrations

COMPUTE_ANEW = "UPDATE annotation_batchagreement SET version = 0, revisions = 0"


class Migration(migrations.Migration):
    """Statistics now say why they have no interval: those kept without it are computed anew."""

    dependencies = [("annotation", "0005_event_once_per_response")]
    operations = [migrations.RunSQL(COMPUTE_ANEW, migrations.RunSQL.noop)]
