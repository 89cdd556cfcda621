import django.db.models.deletion
from django.db import migrations, models

BATCHES_OF_INVITATION = "annotation_studyinvitation_batches"
INVITATIONS_OF_BATCH = "annotation_batch_invitations"


def rename_table(old: str, new: str) -> str:
    return f"ALTER TABLE {old} RENAME TO {new}"


class Migration(migrations.Migration):
    """Study, Member and StudyInvitation are now in the package `studies`, in the same tables.

    Only the state changes. The batches that an invitation names are now a field of the batch,
    whose table has the same columns as before and is renamed.
    """

    dependencies = [
        ("annotation", "0007_study_pins_a_graph"),
        ("studies", "0002_study_kind"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    rename_table(BATCHES_OF_INVITATION, INVITATIONS_OF_BATCH),
                    rename_table(INVITATIONS_OF_BATCH, BATCHES_OF_INVITATION),
                )
            ],
            state_operations=[
                migrations.AlterField(
                    "batch",
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="batches",
                        to="studies.study",
                    ),
                ),
                migrations.AlterField(
                    "assignment",
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assignments",
                        to="studies.study",
                    ),
                ),
                migrations.DeleteModel("StudyInvitation"),
                migrations.DeleteModel("Member"),
                migrations.DeleteModel("Study"),
                migrations.AddField(
                    "batch",
                    "invitations",
                    models.ManyToManyField(
                        blank=True, related_name="batches", to="studies.studyinvitation"
                    ),
                ),
            ],
        )
    ]
