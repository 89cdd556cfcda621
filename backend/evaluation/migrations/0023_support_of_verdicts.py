"""The probability of 'supported' beside that of the verdict; known where they are one."""

from django.db import migrations, models

COPY = "UPDATE evaluation_claimverdict SET support = probability WHERE verdict = 'supported'"


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0022_judged_scores")]

    operations = [
        migrations.AddField("claimverdict", "support", models.FloatField(null=True)),
        migrations.RunSQL(COPY, migrations.RunSQL.noop),
    ]
