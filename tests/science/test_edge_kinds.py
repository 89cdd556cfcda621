"""Edges by types and relation, counted one by one."""

from collections import Counter

import pytest
from hypothesis import given

from backend.science import edge_kinds
from backend.science.edge_kinds import count_edge_kinds
from tests.science.multigraphs import Multigraph, multigraphs


@given(multigraphs(entities=12, edges=40))
@pytest.mark.parametrize(("chunk", "dense"), [(1 << 22, 1 << 22), (3, 1 << 22), (5, 0)])
def test_every_edge_is_counted_once(chunk: int, dense: int, graph: Multigraph) -> None:
    types = graph.types
    expected = Counter((types[a], relation, types[b]) for a, relation, b in graph.edges)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_kinds, "CHUNK_SIZE", chunk)
        patch.setattr(edge_kinds, "MOST_DENSE", dense)
        result = count_edge_kinds(graph.sides()[0], graph.types_of())
    assert result == expected
    assert [(b, a, c) for a, b, c in result] == sorted((b, a, c) for a, b, c in expected)
