"""The statistics of a set are of the questions that the reader sees, and of no other."""

from collections.abc import Iterable

import pytest
from rest_framework.test import APIClient

from backend.benchmarks import question_statistics
from backend.benchmarks.models import Partition, QuestionSet
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.benchmarks.stark_queries.statistics import (
    QueryRecord,
    QueryStatistics,
    compute_query_statistics,
)
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


def test_statistics_are_computed_again_only_for_other_questions(
    visitor: APIClient, questions: QuestionSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[int] = []

    def compute(records: Iterable[QueryRecord]) -> QueryStatistics:
        computed.append(1)
        return compute_query_statistics(records)

    monkeypatch.setattr(question_statistics, "compute_query_statistics", compute)
    first, again = (visitor.get(path_of(questions)).json() for _ in range(2))
    assert (first == again, len(computed)) == (True, 1)
    question = questions.questions.get(number=3)
    questions.questions.filter(pk=question.pk).update(text="Which ones, 33?")
    assert visitor.get(path_of(questions)).json()["mean_words"] == 3
    assert len(computed) == 2
    question.candidates.filter(position=0).delete()
    assert visitor.get(path_of(questions)).json()["mean_answers"] == 27 / 4
    assert len(computed) == 3


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
