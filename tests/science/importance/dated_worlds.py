"""Small graphs with years, in networkx and as the product has them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from backend.science.importance.dated_links import DatedLinks, dated_links


@dataclass(frozen=True)
class DatedWorld:
    """rows: two entities and a year, with repetitions, in either order, also of one with itself."""

    count: int
    rows: tuple[tuple[int, int, int], ...]

    @cached_property
    def links(self) -> DatedLinks:
        table = np.array(self.rows, dtype=np.int64).reshape(-1, 3)
        return dated_links(table[:, :2], table[:, 2], self.count)

    def graph(self, year: int) -> nx.Graph:
        graph = nx.Graph()
        graph.add_nodes_from(range(self.count))
        graph.add_edges_from(
            (one, other) for one, other, when in self.rows if when <= year and one != other
        )
        return graph


@st.composite
def dated_worlds(draw: st.DrawFn) -> DatedWorld:
    count = draw(st.integers(2, 12))
    entity = st.integers(0, count - 1)
    rows = draw(st.lists(st.tuples(entity, entity, st.integers(2001, 2008)), max_size=40))
    return DatedWorld(count, tuple(rows))


def random_world(count: int, links: int, seed: int) -> DatedWorld:
    draw = np.random.default_rng(seed)
    table = np.column_stack([draw.integers(0, count, (links, 2)), draw.integers(2001, 2009, links)])
    return DatedWorld(count, tuple(map(tuple, table.tolist())))
