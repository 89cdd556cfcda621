"""Questions are counted as the paper's tables count them."""

from __future__ import annotations

from backend.benchmarks.patterns.shapes import PATTERN_TYPES
from backend.benchmarks.statistics import Counted, statistics_of
from tests.benchmarks.patterns.making import OTHERS, SHAPES
from tests.benchmarks.patterns.test_shapes import pattern_of


def test_types_sizes_and_what_the_files_say_are_counted() -> None:
    counted = [
        Counted(pattern_of(SHAPES["4.1"], 0), 2, "9"),
        Counted(pattern_of(SHAPES["4.1"], 0), 7, "8"),
        Counted(pattern_of(SHAPES["1.2"], 0), 3, "9"),
        Counted(pattern_of(OTHERS["a triangle"], 0), 4),
    ]
    found = statistics_of(counted, entities=10, edges=20)
    assert (found.questions, found.queries, found.pattern_types) == (4, 3, 2)
    assert (found.mean_answers, found.fewest_answers, found.most_answers) == (4.0, 2, 7)
    assert (found.entities, found.edges) == (10, 20)
    expected = {**dict.fromkeys(PATTERN_TYPES, 0), "1.2": 1, "4.1": 2, "other": 1}
    assert found.types == expected and [*found.types] == [*expected]
    assert found.said == {"1.2": {"9": 1}, "4.1": {"9": 1, "8": 1}, "other": {"": 1}}


def test_no_questions_have_no_mean() -> None:
    found = statistics_of([], entities=0, edges=0)
    assert (found.questions, found.mean_answers, found.types["1.1"]) == (0, 0.0, 0)
