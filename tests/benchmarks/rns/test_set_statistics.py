"""The statistics of a set are of the questions that the reader sees, and of no other."""

import pytest
from rest_framework.test import APIClient

from backend.benchmarks.models import Partition, QuestionSet
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.graphs.models import Version
from tests.benchmarks.rns.factories import V1, make_set
from tests.personas import Person

pytestmark = pytest.mark.django_db


def path_of(questions: QuestionSet) -> str:
    return f"{V1}/question-sets/{questions.pk}/statistics"


def test_words_and_answers_are_counted(visitor: APIClient, questions: QuestionSet) -> None:
    """Of 'Which ones, 1?' to 'Which ones, 4?', with 5, 8, 3 and 12 answers."""
    questions.questions.filter(number=3).update(text="Which ones of them all?")
    statistics = visitor.get(path_of(questions)).json()
    entropy, ratio = statistics.pop("shannon_entropy"), statistics.pop("type_token_ratio")
    assert statistics == {
        "questions": 4,
        "with_several_answers": 4,
        "mean_answers": 7.0,
        "mean_words": 3.5,
        "words": [{"size": 3, "questions": 3}, {"size": 5, "questions": 1}],
        "answers": [{"size": one, "questions": 1} for one in (3, 5, 8, 12)],
    }
    assert ratio == pytest.approx(8 / 14)  # which, ones, 1, 2, 4, of, them, all
    assert entropy == pytest.approx(2.6645, abs=1e-4)


def test_hidden_questions_are_in_no_count(
    visitor: APIClient, administrator: Person, outsider: Person, questions: QuestionSet
) -> None:
    one = questions.questions.get(number=4)
    new = NewPartition(one.pk, Partition.Method.EXPERT, [0], range(1, 12), split="test")
    add_partitions(actor=None, partitions=[new])
    for browser in (visitor, outsider.browser):
        statistics = browser.get(path_of(questions)).json()
        assert statistics["questions"] == 3
        assert [row["size"] for row in statistics["answers"]] == [3, 5, 8]
    assert administrator.browser.get(path_of(questions)).json()["questions"] == 4


def test_a_set_that_is_hidden_has_no_statistics(
    visitor: APIClient, researcher: Person, version: Version
) -> None:
    hidden = make_set(version, split="test", owner=researcher.user)
    assert visitor.get(path_of(hidden)).status_code == 404
    assert researcher.browser.get(path_of(hidden)).json()["questions"] == 4
