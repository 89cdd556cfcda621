from django.db import migrations

# The share of each level of the arm is in the design, such as {"evidence": {"hidden": 0.3}}.
MARK = """
UPDATE studies_study SET hides_evidence = true
FROM annotation_studydesign AS design
WHERE design.study_id = studies_study.id
  AND (design.arm_shares -> 'evidence' ->> 'hidden')::float > 0;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0021_model_judges"),
        ("studies", "0012_studies_that_hide_evidence"),
    ]

    operations = [migrations.RunSQL(MARK, migrations.RunSQL.noop)]
