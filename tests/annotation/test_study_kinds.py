"""What every study kind promises, held for each that is built in."""

from itertools import product

import pytest

from annotation.kinds.base import AnyKind
from annotation.kinds.ranking.kind import KIND as RANKING
from annotation.kinds.registry import study_kinds
from annotation.models import SKIPPED, ActivityKind
from tests.annotation.kind_fixtures import check_fixture, read_items
from tests.annotation.personas import Cast, prior_of, reversed_order

KINDS = list(study_kinds().values())


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> AnyKind:
    result: AnyKind = request.param
    return result


def test_names_of_outcomes_columns_and_activity_are_the_kinds_own(kind: AnyKind) -> None:
    outcomes = [outcome.name for outcome in kind.outcomes]
    assert len(outcomes) == len(set(outcomes))
    assert SKIPPED not in outcomes
    assert set(kind.activity_kinds).isdisjoint(ActivityKind.values)
    about_item = [*kind.csv_item_columns, *kind.csv_coordinator_columns]
    columns = [*about_item, *kind.csv_answer_columns, *kind.csv_id_columns]
    assert len(columns) == len(set(columns))


def test_a_simulated_answer_is_valid_and_has_its_outcome(kind: AnyKind) -> None:
    observed = set()
    for item, expert in product(read_items(kind), range(1, 60)):
        simulated = kind.simulate(item, expert)
        answer = kind.validate(item, simulated.payload)
        observed.add(simulated.outcome)
        if simulated.outcome:
            assert kind.outcome(answer, item) == simulated.outcome
        known = {*ActivityKind.values, *kind.activity_kinds}
        assert {event.kind for event in simulated.events} <= known
    assert observed - {""} == {outcome.name for outcome in kind.outcomes}


def test_answers_of_the_fixture_have_the_outcomes_that_it_says(kind: AnyKind) -> None:
    check_fixture(kind)


def test_rows_of_the_table_have_the_columns_that_are_named(kind: AnyKind) -> None:
    item = read_items(kind)[0]
    payload = kind.initial_answer(item).model_dump(mode="json")
    named = {*kind.csv_item_columns, *kind.csv_answer_columns, *kind.csv_id_columns}
    columns = {name for row in kind.csv_rows(item, payload, "") for name in row}
    assert columns - {"ranking"} == named
    assert kind.csv_rows(item, None, "")


def test_the_first_answer_is_the_same_as_itself(kind: AnyKind) -> None:
    item = read_items(kind)[0]
    payload = kind.initial_answer(item).model_dump(mode="json")
    assert kind.is_same(payload, payload)


def test_the_consensus_of_rankings_is_the_order_of_their_mean_ranks(cast: Cast) -> None:
    prior, reverse = prior_of(cast.assignment()), reversed_order(cast.assignment())
    assert RANKING.consensus([]) is None
    assert RANKING.consensus([{"ranking": reverse}]) == reverse
    assert RANKING.consensus([{"ranking": prior}, {"ranking": reverse}]) == [
        sorted(candidate for group in prior for candidate in group)
    ]
