from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def mark_masked(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    versions = apps.get_model("graphs", "Version").objects
    versions.exclude(masked_from=None).update(is_masked=True)


class Migration(migrations.Migration):
    dependencies = [("graphs", "0009_papers")]
    operations = [
        migrations.AddField("version", "is_masked", models.BooleanField(default=False)),
        migrations.RunPython(mark_masked, migrations.RunPython.noop),
    ]
