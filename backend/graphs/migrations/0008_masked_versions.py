import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("graphs", "0007_document_vectors"),
    ]

    operations = [
        migrations.AddField(
            model_name="version",
            name="masked_from",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="masked",
                to="graphs.version",
            ),
        ),
        migrations.AlterField(
            model_name="graph",
            name="visibility",
            field=models.CharField(
                choices=[
                    ("public", "Public"),
                    ("private", "Private"),
                    ("study", "Study"),
                    ("unlisted", "Unlisted"),
                ],
                default="private",
                max_length=8,
            ),
        ),
    ]
