"""Tools under a cut-off see what was known at the time, and say what has no date."""

from dataclasses import replace
from pathlib import Path

import pytest

from backend.common.errors import DomainError
from backend.evaluation.tools.graph_schema.tool import SchemaArguments
from backend.evaluation.tools.graph_schema.tool import run as read_schema
from backend.evaluation.tools.neighbours.tool import NeighbourArguments, NeighbourResult
from backend.evaluation.tools.neighbours.tool import run as read_neighbours
from backend.evaluation.tools.paths.tool import PathArguments, PathResult
from backend.evaluation.tools.paths.tool import run as find_paths
from backend.graphs.graph_access import OpenGraph
from backend.graphs.models import Graph, Version
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow
from tests.graphs.snapshots.sources import SourceRows

NODES: list[NodeRow | MalformedRow] = [
    NodeRow(f"X:{number}", "Drug", f"Drug {number}") for number in range(6)
]
YEARS = {"X:1": 1990, "X:2": 2000, "X:3": 2010, "X:4": None, "X:5": None}


def open_edges(folder: Path, edges: list[EdgeRow | MalformedRow]) -> OpenGraph:
    snapshot = open_snapshot(build_snapshot(SourceRows(NODES, edges), folder).path)
    version = Version(snapshot=snapshot.path.name)
    return OpenGraph(Graph(name="Dated"), version, snapshot, is_pinned=True)


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> OpenGraph:
    edges: list[EdgeRow | MalformedRow] = [
        EdgeRow("X:0", "binds", end, first_year=year) for end, year in YEARS.items()
    ]
    edges.append(EdgeRow("X:1", "binds", "X:3", first_year=1995))
    return open_edges(tmp_path_factory.mktemp("dated"), edges)


def neighbours(opened: OpenGraph, until: int | None, **more: object) -> NeighbourResult:
    arguments = {"id": "X:0", "first_seen_until": until, **more}
    return read_neighbours(opened, NeighbourArguments.model_validate(arguments))


def paths(opened: OpenGraph, until: int | None) -> PathResult:
    arguments = {"sources": ["X:0"], "targets": ["X:3"], "first_seen_until": until}
    return find_paths(opened, PathArguments.model_validate(arguments))


def ids(result: NeighbourResult) -> list[str]:
    return sorted(one.entity.id for one in result.neighbours)


@pytest.mark.parametrize(
    ("until", "expected"),
    [(1989, []), (1990, ["X:1"]), (2005, ["X:1", "X:2"]), (2010, ["X:1", "X:2", "X:3"])],
)
def test_neighbours_are_those_first_seen_until_the_year(
    dated: OpenGraph, until: int, expected: list[str]
) -> None:
    result = neighbours(dated, until)
    assert ids(result) == expected
    assert (result.total, result.undated) == (len(expected), 2)


def test_without_a_cutoff_every_edge_is_read_and_none_counts_as_undated(dated: OpenGraph) -> None:
    result = neighbours(dated, None)
    assert (ids(result), result.total, result.undated) == (sorted(YEARS), 5, None)


def test_pages_under_a_cutoff_have_each_edge_once(dated: OpenGraph) -> None:
    first = neighbours(dated, 2005, limit=1)
    second = neighbours(dated, 2005, limit=1, after=first.next)
    assert sorted([*ids(first), *ids(second)]) == ["X:1", "X:2"]
    assert first.total == second.total == 2


@pytest.mark.parametrize(("until", "expected"), [(1994, 0), (1995, 1), (2010, 2), (None, 2)])
def test_paths_take_no_step_that_is_later(
    dated: OpenGraph, until: int | None, expected: int
) -> None:
    result = paths(dated, until)
    assert (result.total, len(result.paths)) == (expected, expected)
    assert result.undated == (None if until is None else 2)


def test_the_schema_has_the_unit_of_dates(dated: OpenGraph, tmp_path: Path) -> None:
    assert read_schema(dated, SchemaArguments(edge_kinds=1)).date_unit == "year"
    undated = open_edges(tmp_path, [EdgeRow("X:0", "binds", "X:1")])
    assert read_schema(undated, SchemaArguments(edge_kinds=1)).date_unit is None


@pytest.mark.parametrize(("until", "count"), [(None, 6), (1989, 0), (1995, 2), (2010, 4)])
def test_the_schema_counts_the_edges_that_are_shown(
    dated: OpenGraph, until: int | None, count: int
) -> None:
    schema = read_schema(replace(dated, until=until), SchemaArguments(edge_kinds=5))
    assert schema.edges == count
    assert [(one.relation, one.count) for one in schema.relations] == [("binds", count)]
    assert sum(one.count for one in schema.edge_kinds) == count


def test_a_cutoff_of_a_graph_without_dates_is_refused(tmp_path: Path) -> None:
    undated = open_edges(tmp_path, [EdgeRow("X:0", "binds", "X:3")])
    for read in (neighbours, paths):
        with pytest.raises(DomainError) as refused:
            read(undated, 2000)
        assert refused.value.code == "no_dates"
