from django.db import migrations, models
from django.db.models.functions import Lower


class Migration(migrations.Migration):
    """Names of models that differ in case alone are the same."""

    dependencies = [("benchmarks", "0012_errata")]

    operations = [
        migrations.AddConstraint(
            "model", models.UniqueConstraint(Lower("name"), name="model_name_once")
        )
    ]
