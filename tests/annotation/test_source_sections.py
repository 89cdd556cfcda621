"""Rates and mean levels of the sources of a mixed set, side by side."""

import math
from dataclasses import astuple

import pytest

from annotation.kinds.figures import OPEN_STUDY, REASONS, Figure
from annotation.kinds.ratings.source_sections import MEASURES, NO_SPREAD
from annotation.kinds.written_queries.rated_queries import SCALES
from annotation.statistics import compute_statistics
from backend.studies.models import Study
from tests.annotation.mixed_study import (
    MODELS,
    PEOPLE,
    QUERIES,
    assignments_of,
    close,
    make_mixed_cast,
    source_of,
    submit_level,
)
from tests.annotation.personas import Cast, client_of, join_as_expert, make_user

# In the order of their names.
MODELS_PLACE, PEOPLE_PLACE = 0, 1


@pytest.fixture
def cast(db: None) -> Cast:
    """With three experts."""
    cast = make_mixed_cast()
    join_as_expert(cast.study, cast.batches, make_user("Vera"))
    return cast


def figures_of(study: Study) -> dict[str, Figure]:
    sections = [one for one in compute_statistics(study) if one.name == "sources"]
    figures = {one.name: one for section in sections for one in section.figures}
    for figure in figures.values():
        numbers = [one for one in astuple(figure) if isinstance(one, float)]
        assert all(map(math.isfinite, numbers))
        assert (figure.value is None) == bool(figure.reason)
        assert (figure.low is None) == bool(figure.interval_reason)
        assert figure.method
    return figures


def rate_all(study: Study, levels: dict[str, list[int]]) -> None:
    """levels: by source; the n-th answer has the n-th of them, over and over."""
    places = dict.fromkeys(levels, 0)
    for one in assignments_of(study):
        source = source_of(one)
        submit_level(one, levels[source][places[source] % len(levels[source])])
        places[source] += 1


def test_rates_and_levels_of_both_sources_stand_side_by_side(cast: Cast) -> None:
    rate_all(cast.study, {PEOPLE: [5, 4, 4, 2], MODELS: [3, 2, 4, 1]})
    close(cast.study)
    figures = figures_of(cast.study)
    assert len(figures) == len(SCALES) * len(MEASURES) * 3
    n = QUERIES * 3
    people, models = [5, 4, 4, 2] * 5, [3, 2, 4, 1] * 5
    for name, number in (
        ("positive", lambda level: level >= 4),
        ("non_negative", lambda level: level >= 3),
        ("mean_level", lambda level: level),
    ):
        expected = [sum(map(number, one[:n])) / n for one in (models, people)]
        shown = [figures[f"Naturalness.{name}.source_{place}"] for place in range(2)]
        assert [one.value for one in shown] == pytest.approx(expected)
        assert [one.n for one in shown] == [n, n]
        difference = figures[f"Naturalness.{name}.source_1_less_0"]
        assert difference.value == pytest.approx(expected[PEOPLE_PLACE] - expected[MODELS_PLACE])
        assert difference.label.endswith(f"{PEOPLE} less {MODELS}")
        for one in (*shown, difference):
            assert one.low is not None and one.high is not None and one.value is not None
            assert one.low < one.value < one.high
            assert "Owen, 2007" in one.method


def test_differences_are_of_the_means_that_are_shown_where_counts_differ(cast: Cast) -> None:
    """Before, shares were of ratings and their difference of means over questions."""
    for place, one in enumerate(assignments_of(cast.study)):
        if one.expert == cast.expert or place % 3:
            submit_level(one, 1 + (place * 7 + one.question.number) % 5)
    for is_closed in (False, True):
        if is_closed:
            close(cast.study)
        figures = figures_of(cast.study)
        for measure in MEASURES:
            name = f"Diversity.{measure.name}.source"
            first, second = figures[f"{name}_0"].value, figures[f"{name}_1"].value
            assert first is not None and second is not None
            assert figures[f"{name}_1_less_0"].value == pytest.approx(second - first)


def test_an_open_study_has_intervals_of_rates_that_hold_at_every_look_alone(cast: Cast) -> None:
    rate_all(cast.study, {PEOPLE: [5, 4, 4, 2], MODELS: [3, 2, 4, 1]})
    figures = figures_of(cast.study)
    rate = figures["Naturalness.positive.source_0"]
    assert rate.is_sequence and "Waudby-Smith" in rate.method
    assert rate.interval_reason == REASONS["too_few_items"]
    for name in ("positive.source_1_less_0", "mean_level.source_0", "mean_level.source_1_less_0"):
        assert figures[f"Naturalness.{name}"].interval_reason == OPEN_STUDY


def test_a_source_without_spread_does_not_make_the_difference_look_certain(cast: Cast) -> None:
    rate_all(cast.study, {PEOPLE: [5], MODELS: [1]})
    close(cast.study)
    figures = figures_of(cast.study)
    rate = figures["Naturalness.positive.source_1_less_0"]
    assert (rate.value, rate.high) == (1, 1)
    # Wilson's interval of 3 of 3 begins at 0.438, that of 0 of 3 ends at 0.562.
    assert rate.low == pytest.approx(1 - math.hypot(1 - 0.4385, 0.5615), abs=1e-3)
    assert "Newcombe, 1998" in rate.method
    level = figures["Naturalness.mean_level.source_1_less_0"]
    assert level.value == 4 and level.low is not None and 0 < level.low < 4
    middle = figures["Naturalness.non_negative.source_0"]
    assert middle.low == 0 and middle.high == pytest.approx(0.5615, abs=1e-3)


def test_equal_levels_in_the_middle_have_no_interval(cast: Cast) -> None:
    rate_all(cast.study, {PEOPLE: [3], MODELS: [2, 4]})
    close(cast.study)
    figures = figures_of(cast.study)
    for name in ("mean_level.source_1", "mean_level.source_1_less_0"):
        assert figures[f"Naturalness.{name}"].interval_reason == NO_SPREAD


@pytest.mark.parametrize("is_closed", [False, True], ids=["open", "closed"])
def test_a_source_that_nobody_has_rated_has_a_reason_instead(cast: Cast, is_closed: bool) -> None:
    own = [one for one in assignments_of(cast.study) if source_of(one) == PEOPLE]
    submit_level(own[0], 4)
    if is_closed:
        close(cast.study)
    figures = figures_of(cast.study)
    assert figures["Naturalness.positive.source_1"].value == 1
    for name in ("positive.source_0", "mean_level.source_0", "positive.source_1_less_0"):
        assert figures[f"Naturalness.{name}"].value is None


def test_few_questions_of_one_source_make_no_interval_of_the_difference(cast: Cast) -> None:
    for one in assignments_of(cast.study):
        if source_of(one) == PEOPLE or one.question.number <= 3:
            submit_level(one, 2 + one.question.number % 4)
    close(cast.study)
    difference = figures_of(cast.study)["Naturalness.mean_level.source_1_less_0"]
    assert difference.value is not None
    assert difference.interval_reason == "There are too few questions."


def test_without_ratings_there_is_no_section(cast: Cast) -> None:
    assert figures_of(cast.study) == {}
    submit_level(assignments_of(cast.study)[0], None)
    assert figures_of(cast.study) == {}


def test_the_coordinator_reads_the_section_and_experts_do_not(cast: Cast) -> None:
    rate_all(cast.study, {PEOPLE: [5, 4], MODELS: [3, 2]})
    path = f"/api/v1/studies/{cast.study.id}/statistics"
    assert client_of(cast.expert).get(path).status_code == 403
    assert client_of(cast.outsider).get(path).status_code == 404
