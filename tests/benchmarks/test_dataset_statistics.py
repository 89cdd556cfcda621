"""Questions are counted as the paper's tables count them."""

from __future__ import annotations

from backend.benchmarks.dataset_statistics import QuestionSummary, compute_statistics
from backend.tracks.serenqa_patterns import PATTERN_TYPES
from tests.benchmarks.patterns.factories import OTHERS, SHAPES
from tests.benchmarks.patterns.test_shapes import pattern_of


def test_types_sizes_and_what_the_files_say_are_counted() -> None:
    counted = [
        QuestionSummary(pattern_of(SHAPES["4.1"], 0), 2, "9"),
        QuestionSummary(pattern_of(SHAPES["4.1"], 0), 7, "8"),
        QuestionSummary(pattern_of(SHAPES["1.2"], 0), 3, "9"),
        QuestionSummary(pattern_of(OTHERS["a triangle"], 0), 4),
    ]
    result = compute_statistics(counted, entities=10, edges=20)
    assert (result.questions, result.queries, result.pattern_types) == (4, 3, 2)
    assert (result.mean_answers, result.fewest_answers, result.most_answers) == (4.0, 2, 7)
    assert (result.entities, result.edges) == (10, 20)
    expected = {**dict.fromkeys(PATTERN_TYPES, 0), "1.2": 1, "4.1": 2, "other": 1}
    assert result.types == expected and [*result.types] == [*expected]
    assert result.type_labels == {"1.2": {"9": 1}, "4.1": {"9": 1, "8": 1}, "other": {"": 1}}


def test_no_questions_have_no_mean() -> None:
    result = compute_statistics([], entities=0, edges=0)
    assert (result.questions, result.mean_answers, result.types["1.1"]) == (0, 0.0, 0)
