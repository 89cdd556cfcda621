"""Statistics of a query set, as STaRK prints them: Table 3, Table 4, Figures 4 and 5.

Words are those of `split_words`. Over the words of all queries, with p(w) the share of the word w,
the Shannon entropy is -sum p(w) log2 p(w), in bits, and the type-token ratio is the number of
different words divided by the number of words. Relational to textual words is the mean over the
queries that have both of (relational words / textual words); `relational_share` the mean over all
of relational / (relational + textual). Without queries all are 0.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backend.benchmarks.stark_queries.conditions import split_words


@dataclass(frozen=True)
class QueryRecord:
    """Words of the requirements are None where a file does not distinguish them."""

    text: str
    answers: int
    relational_words: int | None = None
    textual_words: int | None = None


@dataclass(frozen=True)
class QueryStatistics:
    """query_lengths, answer_counts: number of queries by words and by answers, ascending."""

    queries: int
    with_several_answers: int
    mean_answers: float
    mean_words: float
    query_lengths: Mapping[int, int]
    answer_counts: Mapping[int, int]
    shannon_entropy: float
    type_token_ratio: float
    queries_with_text: int
    relational_to_textual: float | None
    relational_share: float | None


def compute_query_statistics(records: Iterable[QueryRecord]) -> QueryStatistics:
    lengths, answers, words = Counter[int](), Counter[int](), Counter[str]()
    ratios: list[float] = []
    shares: list[float] = []
    for one in records:
        own = split_words(one.text)
        lengths[len(own)] += 1
        answers[one.answers] += 1
        words.update(own)
        _add_composition(one, ratios, shares)
    count = lengths.total()
    return QueryStatistics(
        queries=count,
        with_several_answers=sum(n for size, n in answers.items() if size > 1),
        mean_answers=_mean_of(answers),
        mean_words=_mean_of(lengths),
        query_lengths=dict(sorted(lengths.items())),
        answer_counts=dict(sorted(answers.items())),
        shannon_entropy=shannon_entropy(words),
        type_token_ratio=len(words) / words.total() if words else 0.0,
        queries_with_text=len(ratios),
        relational_to_textual=math.fsum(ratios) / len(ratios) if ratios else None,
        relational_share=math.fsum(shares) / len(shares) if shares else None,
    )


def shannon_entropy(counts: Mapping[str, int]) -> float:
    total = sum(counts.values())
    return -math.fsum(n / total * math.log2(n / total) for n in counts.values() if n) + 0.0


def _mean_of(counts: Counter[int]) -> float:
    return sum(size * n for size, n in counts.items()) / counts.total() if counts else 0.0


def _add_composition(one: QueryRecord, ratios: list[float], shares: list[float]) -> None:
    relational, textual = one.relational_words, one.textual_words
    if relational is None or textual is None or not relational + textual:
        return
    shares.append(relational / (relational + textual))
    if textual:
        ratios.append(relational / textual)
