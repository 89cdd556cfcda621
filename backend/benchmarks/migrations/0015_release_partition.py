from typing import Any

from django.db import migrations, models

TRACKS = ("serenqa-exploration", "serenqa-reasoning")


def name_partitions(apps: Any, _schema_editor: Any) -> None:
    """Of releases whose items are all of one; those with several stay empty."""
    releases = apps.get_model("benchmarks", "Release")
    items = apps.get_model("benchmarks", "Item")
    for release in releases.objects.filter(track__in=TRACKS):
        own = items.objects.filter(release=release).order_by()
        methods = set(own.values_list("content__partition", flat=True).distinct())
        if len(methods) == 1:
            release.partition = methods.pop() or ""
            release.save(update_fields=["partition"])


class Migration(migrations.Migration):
    dependencies = [("benchmarks", "0014_release_graphs")]

    operations = [
        migrations.AddField(
            model_name="release",
            name="partition",
            field=models.CharField(blank=True, default="", max_length=20),
        ),
        migrations.RunPython(name_partitions, migrations.RunPython.noop),
    ]
