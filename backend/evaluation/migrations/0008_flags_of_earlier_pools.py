from typing import Any

from django.db import migrations


def hide_test_studies(apps: Any, schema_editor: Any) -> None:
    pool_studies = apps.get_model("evaluation", "PoolStudy").objects.filter(split="test")
    links = apps.get_model("benchmarks", "StudyQuestions").objects.select_related("question_set")
    for one in pool_studies:
        for link in links.filter(study_id=one.study_id):
            link.question_set.hidden_with_id = one.release_id
            link.question_set.save(update_fields=["hidden_with"])


def copy_evaluations(apps: Any, schema_editor: Any) -> None:
    """An outdated pool is marked as such by its digest."""
    rows = apps.get_model("evaluation", "EntryJudgement").objects
    for one in rows.select_related("submission"):
        one.evaluation_id = one.submission.evaluation_id
        one.save(update_fields=["evaluation"])


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0017_question_sets_hidden_with_a_release"),
        ("evaluation", "0007_evaluation_of_bounds"),
    ]

    operations = [
        migrations.RunPython(hide_test_studies, migrations.RunPython.noop),
        migrations.RunPython(copy_evaluations, migrations.RunPython.noop),
    ]
