from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("common", "0001_initial"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.RenameModel("RepeatedWrite", "IdempotencyRecord"),
        migrations.RenameIndex(
            "idempotencyrecord",
            new_name="common_idem_created_77f091_idx",
            old_name="common_repe_created_4575ac_idx",
        ),
        migrations.RemoveConstraint("idempotencyrecord", "repeated_write_once_per_owner"),
        migrations.AddConstraint(
            "idempotencyrecord",
            models.UniqueConstraint(fields=("owner", "key"), name="idempotency_key_once_per_owner"),
        ),
    ]
