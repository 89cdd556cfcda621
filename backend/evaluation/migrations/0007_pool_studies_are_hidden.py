from typing import Any

from django.db import migrations


def hide_test_studies(apps: Any, schema_editor: Any) -> None:
    pool_studies = apps.get_model("evaluation", "PoolStudy").objects.filter(split="test")
    links = apps.get_model("benchmarks", "StudyQuestions").objects.select_related("question_set")
    for one in pool_studies:
        for link in links.filter(study_id=one.study_id):
            link.question_set.hidden_with_id = one.release_id
            link.question_set.save(update_fields=["hidden_with"])


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0017_question_sets_hidden_with_a_release"),
        ("evaluation", "0006_answer_pools"),
    ]

    operations = [migrations.RunPython(hide_test_studies, migrations.RunPython.noop)]
