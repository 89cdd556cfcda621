import django.db.models.deletion
from django.db import migrations, models

TAKE_OVER = """
INSERT INTO graphs_studygraph (study_id, version_id)
    SELECT id, graph_version_id FROM studies_study WHERE graph_version_id IS NOT NULL;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE studies_study DROP COLUMN graph_version_id;
"""

GIVE_BACK = """
ALTER TABLE studies_study ADD COLUMN graph_version_id integer
    REFERENCES graphs_version (id) DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX studies_study_graph_version_id ON studies_study (graph_version_id);
UPDATE studies_study SET graph_version_id = version_id
    FROM graphs_studygraph WHERE study_id = studies_study.id;
SET CONSTRAINTS ALL IMMEDIATE;
"""

REFERENCE = """
DELETE FROM graphs_graphshare WHERE study NOT IN (SELECT id FROM studies_study);
ALTER TABLE graphs_graphshare RENAME COLUMN study TO study_id;
ALTER TABLE graphs_graphshare ADD CONSTRAINT graphs_graphshare_study_id_fk
    FOREIGN KEY (study_id) REFERENCES studies_study (id) DEFERRABLE INITIALLY DEFERRED;
"""

UNREFERENCE = """
ALTER TABLE graphs_graphshare DROP CONSTRAINT graphs_graphshare_study_id_fk;
ALTER TABLE graphs_graphshare RENAME COLUMN study_id TO study;
"""


class Migration(migrations.Migration):
    """The graph that a study pins moves here from the study's row; shares refer to studies."""

    dependencies = [
        ("graphs", "0003_cancelled_imports"),
        ("studies", "0002_study_kind"),
    ]

    operations = [
        migrations.CreateModel(
            name="StudyGraph",
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
                        related_name="graph_link",
                        to="studies.study",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="study_links",
                        to="graphs.version",
                    ),
                ),
            ],
        ),
        migrations.RunSQL(TAKE_OVER, GIVE_BACK),
        migrations.SeparateDatabaseAndState(
            [migrations.RunSQL(REFERENCE, UNREFERENCE)],
            [
                # The index stays in the database, as that of the foreign key.
                migrations.RemoveIndex("graphshare", "graphs_grap_study_4c14a9_idx"),
                migrations.AlterField(
                    "graphshare",
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shared_graphs",
                        to="studies.study",
                    ),
                ),
            ],
        ),
    ]
