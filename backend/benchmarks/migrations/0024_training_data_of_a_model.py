from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0023_slices"),
    ]

    operations = [
        migrations.AddField(
            model_name="model",
            name="training_data",
            field=models.TextField(blank=True, default=""),
        ),
    ]
