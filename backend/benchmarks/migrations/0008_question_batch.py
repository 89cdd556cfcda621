from django.db import migrations, models


class Migration(migrations.Migration):
    """Questions know the batch of their questionnaire: numbers repeat from batch to batch."""

    dependencies = [("benchmarks", "0007_field_names")]

    operations = [
        migrations.AddField("question", "batch_number", models.PositiveIntegerField(default=0)),
        migrations.AlterModelOptions("question", {"ordering": ["batch_number", "number"]}),
    ]
