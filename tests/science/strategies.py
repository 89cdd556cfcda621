"""Random rankings for the property tests."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import strategies as st

from backend.science.rankings import Groups

Table = list[list[int]]


@st.composite
def rank_tables(
    draw: st.DrawFn, *, raters: tuple[int, int] = (2, 6), items: tuple[int, int] = (2, 7)
) -> Table:
    """Rows of small whole numbers: equal numbers are ties, smaller is better."""
    width = draw(st.integers(*items))
    row = st.lists(st.integers(0, width - 1), min_size=width, max_size=width)
    return draw(st.lists(row, min_size=raters[0], max_size=raters[1]))


@st.composite
def untied_tables(draw: st.DrawFn) -> Table:
    width = draw(st.integers(2, 7))
    return draw(st.lists(st.permutations(range(width)), min_size=2, max_size=6))


@st.composite
def weak_orders(draw: st.DrawFn, ids: tuple[str, ...] = tuple("abcdef")) -> list[list[str]]:
    """A weak order over exactly `ids`, in any order inside the groups."""
    shuffled = draw(st.permutations(ids))
    cuts = draw(st.sets(st.integers(1, len(ids) - 1)))
    edges = [0, *sorted(cuts), len(ids)]
    return [shuffled[i:j] for i, j in pairwise(edges)]


def groups_of(row: list[int]) -> Groups:
    """The weak order over item names "0", "1", ... whose ranks are `row`."""
    return [[str(i) for i, rank in enumerate(row) if rank == level] for level in sorted(set(row))]
