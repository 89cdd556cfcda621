import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TABLES = ("study", "member", "studyinvitation")


def rename_tables(old: str, new: str) -> str:
    return "; ".join(f"ALTER TABLE {old}_{name} RENAME TO {new}_{name}" for name in TABLES)


class Migration(migrations.Migration):
    """The three tables of the package come from `annotation`, by renaming: no row is touched.

    Foreign keys and triggers of other tables follow a renamed table. The columns question_set_id
    and graph_version_id stay until the packages that own their other end have taken them over.
    """

    dependencies = [
        ("accounts", "0001_initial"),
        ("annotation", "0007_study_pins_a_graph"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    rename_tables("annotation", "studies"), rename_tables("studies", "annotation")
                )
            ],
            state_operations=[
                migrations.CreateModel(
                    name="Study",
                    fields=[
                        (
                            "id",
                            models.UUIDField(
                                default=uuid.uuid4,
                                editable=False,
                                primary_key=True,
                                serialize=False,
                            ),
                        ),
                        ("name", models.CharField(max_length=200, unique=True)),
                        (
                            "status",
                            models.CharField(
                                choices=[("open", "Open"), ("closed", "Closed")],
                                default="open",
                                max_length=8,
                            ),
                        ),
                        ("is_demo", models.BooleanField(default=False)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={"verbose_name_plural": "studies"},
                ),
                migrations.CreateModel(
                    name="Member",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "role",
                            models.CharField(
                                choices=[("expert", "Expert"), ("coordinator", "Coordinator")],
                                max_length=12,
                            ),
                        ),
                        ("consent_version", models.CharField(blank=True, max_length=20)),
                        ("consented_at", models.DateTimeField(null=True)),
                        ("joined_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="members",
                                to="studies.study",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="memberships",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "user", "role"), name="member_once_per_role"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("consent_version", ""), ("consented_at", None)),
                                    models.Q(
                                        ("consented_at__isnull", False),
                                        models.Q(("consent_version", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="member_consent_has_a_version",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StudyInvitation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "invitation",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="for_study",
                                to="accounts.invitation",
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invitations",
                                to="studies.study",
                            ),
                        ),
                    ],
                ),
            ],
        )
    ]
