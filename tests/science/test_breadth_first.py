"""Entities within a few steps, beside networkx."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.science.breadth_first import UNREACHED, find_surroundings
from tests.science.multigraphs import Multigraph, multigraphs


@settings(deadline=None)
@given(multigraphs(), st.integers(0, 4), st.data())
def test_depths_and_paths_are_shortest(graph: Multigraph, steps: int, data: st.DataObject) -> None:
    root = data.draw(st.integers(0, len(graph.types) - 1))
    around = find_surroundings(graph.links(), root, steps)
    undirected: nx.Graph[int] = nx.Graph((a, b) for a, _, b in graph.edges)
    undirected.add_node(root)
    expected = nx.single_source_shortest_path_length(undirected, root, cutoff=steps)
    result = around.reached.tolist()
    assert {one: int(around.depths[one]) for one in result} == dict(expected)
    assert [int(around.depths[one]) for one in result] == sorted(expected.values())
    assert int((around.depths != UNREACHED).sum()) == len(result) == len(set(result))
    for one in result:
        check_path(graph, root, one, around.path_to(one), expected[one])


def check_path(
    graph: Multigraph, root: int, end: int, path: tuple[list[int], list[int]], length: int
) -> None:
    entities, codes = path
    assert (entities[0], entities[-1], len(codes)) == (root, end, length)
    for source, code, target in zip(entities, codes, entities[1:], strict=False):
        edge = (target, code >> 1, source) if code & 1 else (source, code >> 1, target)
        assert edge in graph.edges


def test_what_is_too_far_has_no_path() -> None:
    graph = Multigraph((0, 0, 0), (False,), ((0, 0, 1), (1, 0, 2)))
    around = find_surroundings(graph.links(), 0, 1)
    assert around.reached.tolist() == [0, 1]
    with pytest.raises(KeyError):
        around.path_to(2)


@pytest.mark.parametrize(("root", "steps", "error"), [(3, 1, IndexError), (0, -1, ValueError)])
def test_what_is_out_of_range_is_refused(root: int, steps: int, error: type[Exception]) -> None:
    graph = Multigraph((0, 0, 0), (False,), ((0, 0, 1),))
    with pytest.raises(error):
        find_surroundings(graph.links(), root, steps)
