"""Two people, or one who clicked twice, import at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest
from django.db import connection

from annotation import demo
from annotation.demo import STUDY_NAME, LoadedDemo, load_demo
from annotation.imports import StudyImport, import_study
from annotation.models import Assignment, BatchQuestion
from backend.accounts.models import User
from backend.benchmarks.models import Question, QuestionSet
from backend.studies.models import Study
from tests.benchmarks import hostile_questionnaire

Result = TypeVar("Result")

pytestmark = pytest.mark.django_db(transaction=True)


def run_parallel(count: int, call: Callable[[], Result]) -> list[Result]:
    start = Barrier(count)

    def run(_: int) -> Result:
        start.wait(timeout=30)
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(run, range(count)))


def test_eight_imports_of_the_same_files_make_one_study() -> None:
    def bring() -> StudyImport:
        return import_study(actor=None, name="One", sources=hostile_questionnaire.files())

    created = run_parallel(8, bring)
    assert sorted(it.added for it in created) == [0] * 7 + [6]
    assert len({it.study.id for it in created}) == 1
    assert (Study.objects.count(), QuestionSet.objects.count()) == (1, 1)
    assert Question.objects.count() == 6


def test_three_loadings_of_the_demo_leave_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two of its six experts and one finished study: the others would differ in number."""
    monkeypatch.setattr(demo, "SIMULATED_EXPERTS", demo.SIMULATED_EXPERTS[-2:])
    monkeypatch.setattr(demo, "FINISHED_STUDIES", demo.FINISHED_STUDIES[:1])
    loaded: list[LoadedDemo] = run_parallel(3, load_demo)
    assert sorted(it.is_new for it in loaded) == [False, False, True]
    assert len({it.responses for it in loaded}) == 1
    assert Study.objects.count() == 2
    assert User.objects.count() == 4 + 2
    of_first = Assignment.objects.filter(study__name=STUDY_NAME)
    assert of_first.count() == 32 + 21 + 22
    questions = BatchQuestion.objects.exclude(batch__study__name=STUDY_NAME).count()
    assert Assignment.objects.count() - of_first.count() == 2 * questions > 0
