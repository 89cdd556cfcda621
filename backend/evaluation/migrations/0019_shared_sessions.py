from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0018_candidate_ensembles")]

    operations = [
        migrations.AddField(
            model_name="toolsession",
            name="is_shared",
            field=models.BooleanField(default=False),
        )
    ]
