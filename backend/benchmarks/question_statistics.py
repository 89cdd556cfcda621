"""Statistics of the questions of a set, as STaRK prints them: Table 3 and Figure 4.

Its Figure 5 needs the words of requirements, which questions of a set do not state: files of
queries and syntheses do.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from django.db.models import Count, QuerySet
from django.db.models.functions import MD5

from backend.benchmarks.models import Question
from backend.benchmarks.stark_queries.statistics import QueryRecord, compute_query_statistics
from backend.common.cached_results import get_or_compute

ROWS_AT_ONCE = 2_000
CACHED_S = 7 * 86_400.0


@dataclass(frozen=True)
class SizeCount:
    """How many questions have this number of words, or of answers."""

    size: int
    questions: int


@dataclass(frozen=True)
class QuestionStatistics:
    """shannon_entropy: in bits. words, answers: by size, ascending."""

    questions: int
    with_several_answers: int
    mean_answers: float
    mean_words: float
    shannon_entropy: float
    type_token_ratio: float
    words: list[SizeCount]
    answers: list[SizeCount]


def describe_questions(questions: QuerySet[Question]) -> QuestionStatistics:
    """Computed once for questions of the same content, whoever reads them."""
    return get_or_compute(
        f"question-statistics-{digest_questions(questions)}",
        lambda: compute_question_statistics(questions),
        form=QuestionStatistics,
        timeout_s=CACHED_S,
    )


def digest_questions(questions: QuerySet[Question]) -> str:
    """Of their texts and numbers of answers; the database hashes the texts."""
    counted = questions.order_by("pk").annotate(answers=Count("candidates"), content=MD5("text"))
    digest = sha256()
    for row in counted.values_list("pk", "answers", "content").iterator(ROWS_AT_ONCE):
        digest.update(repr(row).encode())
    return digest.hexdigest()


def compute_question_statistics(questions: QuerySet[Question]) -> QuestionStatistics:
    counted = questions.order_by().annotate(answers=Count("candidates"))
    rows = counted.values_list("text", "answers").iterator(ROWS_AT_ONCE)
    statistics = compute_query_statistics(QueryRecord(text, answers) for text, answers in rows)
    return QuestionStatistics(
        questions=statistics.queries,
        with_several_answers=statistics.with_several_answers,
        mean_answers=statistics.mean_answers,
        mean_words=statistics.mean_words,
        shannon_entropy=statistics.shannon_entropy,
        type_token_ratio=statistics.type_token_ratio,
        words=as_sizes(statistics.query_lengths),
        answers=as_sizes(statistics.answer_counts),
    )


def as_sizes(counts: Mapping[int, int]) -> list[SizeCount]:
    return [SizeCount(size, questions) for size, questions in counts.items()]
