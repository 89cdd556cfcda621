import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

REFUSE = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_studyrelease
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_update();
"""
ALLOW = "DROP TRIGGER append_only ON annotation_studyrelease;"


class Migration(migrations.Migration):
    """A frozen study has a release, which no code may rewrite."""

    dependencies = [
        ("annotation", "0013_assignment_purpose"),
        ("studies", "0007_life_of_a_study"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="StudyRelease",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=80, unique=True)),
                ("checksum", models.CharField(max_length=64)),
                ("record", models.JSONField()),
                ("created_at", models.DateTimeField()),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "study",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="release",
                        to="studies.study",
                    ),
                ),
            ],
        ),
        migrations.RunSQL(REFUSE, ALLOW),
    ]
