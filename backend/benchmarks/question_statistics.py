"""Statistics of the questions of a set, as STaRK prints them: Table 3 and Figure 4.

Its Figure 5 needs the words of requirements, which questions of a set do not state: files of
queries and syntheses do.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from backend.benchmarks.models import Question
from backend.benchmarks.stark_queries.statistics import QueryRecord, compute_query_statistics

ROWS_AT_ONCE = 2_000


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
