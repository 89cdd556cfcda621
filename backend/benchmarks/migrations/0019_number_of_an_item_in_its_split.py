from django.db import migrations, models

NUMBER_ITEMS = """
UPDATE benchmarks_item SET number = numbered.number FROM (
    SELECT id, row_number() OVER (PARTITION BY release_id, split ORDER BY position) - 1 AS number
    FROM benchmarks_item
) AS numbered WHERE numbered.id = benchmarks_item.id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0018_cutoff_of_a_release"),
    ]

    operations = [
        migrations.AddField(
            model_name="item",
            name="number",
            field=models.PositiveIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.RunSQL(NUMBER_ITEMS, migrations.RunSQL.noop),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.UniqueConstraint(
                fields=("release", "split", "number"), name="item_number_once_in_split"
            ),
        ),
    ]
