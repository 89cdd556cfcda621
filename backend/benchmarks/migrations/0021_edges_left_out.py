from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def mark_masked(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Also those of private graphs, whose entities have numbers of their own."""
    graphs = apps.get_model("benchmarks", "ReleaseGraph").objects
    versions = apps.get_model("graphs", "Version").objects
    versions.filter(pk__in=graphs.values("version")).update(is_masked=True)


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0020_sealed_releases"),
        ("graphs", "0010_version_is_masked"),
    ]
    operations = [
        *(
            migrations.AddField("releasegraph", name, models.PositiveBigIntegerField(null=True))
            for name in ("later_edges", "undated_edges")
        ),
        migrations.RunPython(mark_masked, migrations.RunPython.noop),
    ]
