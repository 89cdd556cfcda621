"""The length of written queries, in words as STaRK's statistics count them."""

from collections.abc import Sequence

from annotation.kinds.base import Payload
from annotation.kinds.item_measures import mean_of
from annotation.kinds.measures import Measure, measure_of
from backend.benchmarks.stark_queries.conditions import split_words


def word_count(query: str) -> int:
    return len(split_words(query))


def measure_queries(answers: Sequence[Sequence[Payload]]) -> list[Measure]:
    """n counts queries."""
    lengths = [word_count(one["query"]) for several in answers for one in several]
    return [measure_of("words", "Words per query", mean_of(lengths, lack="too_few_items"))]
