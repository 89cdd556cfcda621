"""The graph until a year is the beginning of each row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.science.importance.dated_links import dated_links
from tests.science.importance.dated_worlds import DatedWorld, dated_worlds


@given(dated_worlds(), st.integers(2000, 2010))
def test_rows_until_a_year_have_the_links_of_networkx(world: DatedWorld, year: int) -> None:
    rows, graph = world.links.until(year), world.graph(year)
    for entity in range(world.links.count):
        places = range(rows.starts[entity], rows.ends[entity])
        assert {int(rows.neighbours[at]) for at in places} == set(graph[entity])
        for at in places:
            assert sorted((entity, int(rows.neighbours[at]))) == [
                *world.links.pairs[rows.links[at]]
            ]


@given(dated_worlds())
def test_a_repeated_pair_has_its_first_year(world: DatedWorld) -> None:
    for pair, year in zip(world.links.pairs.tolist(), world.links.years.tolist(), strict=True):
        assert year == min(when for *ends, when in world.rows if sorted(ends) == pair)


@given(dated_worlds())
def test_links_are_found_in_both_orders_and_others_are_not(world: DatedWorld) -> None:
    count = world.links.count
    every = np.array([(one, other) for one in range(count) for other in range(count)])
    numbers = world.links.find(every)
    for (one, other), number in zip(every.tolist(), numbers.tolist(), strict=True):
        known = {tuple(pair) for pair in world.links.pairs.tolist()}
        assert (number >= 0) == (tuple(sorted((one, other))) in known)
        if number >= 0:
            assert world.links.pairs[number].tolist() == sorted((one, other))


def test_unknown_entities_are_refused() -> None:
    with pytest.raises(IndexError):
        dated_links(np.array([[0, 2]]), np.array([2000]), 2)
