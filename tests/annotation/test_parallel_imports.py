"""Two people, or one who clicked twice, import at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest
from django.db import connection

from annotation.demo import Demo, load_demo
from annotation.imports import Imported, import_study
from annotation.models import Assignment, Study
from backend.accounts.models import User
from backend.benchmarks.models import Question, QuestionSet
from tests.benchmarks import nasty

Result = TypeVar("Result")

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(count: int, call: Callable[[], Result]) -> list[Result]:
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
    def bring() -> Imported:
        return import_study(actor=None, name="One", sources=nasty.files())

    made = at_once(8, bring)
    assert sorted(it.added for it in made) == [0] * 7 + [6]
    assert len({it.study.id for it in made}) == 1
    assert (Study.objects.count(), QuestionSet.objects.count()) == (1, 1)
    assert Question.objects.count() == 6


def test_three_loadings_of_the_demo_leave_one() -> None:
    loaded: list[Demo] = at_once(3, load_demo)
    assert sorted(it.loaded_now for it in loaded) == [False, False, True]
    assert len({it.responses for it in loaded}) == 1
    assert Study.objects.count() == 1
    assert User.objects.count() == 10
    assert Assignment.objects.count() == 32 * 5 + 21 + 22
