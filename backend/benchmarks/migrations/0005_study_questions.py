import django.db.models.deletion
from django.db import migrations, models

TAKE_OVER = """
INSERT INTO benchmarks_studyquestions (study_id, question_set_id)
    SELECT id, question_set_id FROM studies_study;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE studies_study DROP COLUMN question_set_id;
"""

GIVE_BACK = """
ALTER TABLE studies_study ADD COLUMN question_set_id uuid
    REFERENCES benchmarks_questionset (id) DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX studies_study_question_set_id ON studies_study (question_set_id);
UPDATE studies_study SET question_set_id = link.question_set_id
    FROM benchmarks_studyquestions link WHERE link.study_id = studies_study.id;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE studies_study ALTER COLUMN question_set_id SET NOT NULL;
"""


class Migration(migrations.Migration):
    """The question set that a study asks about moves here from the study's row."""

    dependencies = [
        ("benchmarks", "0004_computations"),
        ("studies", "0002_study_kind"),
    ]

    operations = [
        migrations.CreateModel(
            name="StudyQuestions",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "study",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="question_link",
                        to="studies.study",
                    ),
                ),
                (
                    "question_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="study_links",
                        to="benchmarks.questionset",
                    ),
                ),
            ],
        ),
        migrations.RunSQL(TAKE_OVER, GIVE_BACK),
    ]
