"""A path in SerenQA's notation: ends by identifier, what lies between by name and type."""

from __future__ import annotations

from backend.benchmarks.formats.serenqa.writer import format_path
from backend.graphs.path_queries import search_paths
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.runtime.cancellation import CancellationToken
from backend.science.paths import PathQuery
from tests.graphs.served_graph import medicine_rows
from tests.graphs.snapshots.sources import SourceRows, build_snapshot_of


def test_a_path_is_written_as_the_paper_prints_it() -> None:
    with build_snapshot_of(medicine_rows()) as snapshot:
        ends = [snapshot.find_number(one) for one in ("DRUGBANK:DB00945", "HP:0002315")]
        first, last = (number for number in ends if number is not None)
        paths = search_paths(
            snapshot, PathQuery((first,), (last,)), CancellationToken(), seconds=60
        ).paths
        output = {format_path(path) for path in paths}
        assert "DRUGBANK:DB00945--treats--HP:0002315" in output
        assert "DRUGBANK:DB00945--inhibits--COX-1:Protein--causes--HP:0002315" in output
        named = {first: "DB00945", last: "Headache"}
        shorter = {format_path(path, named) for path in paths}
        assert "DB00945--inhibits--COX-2:Protein--causes--Headache" in shorter


def test_an_entity_without_a_name_is_none_and_a_name_with_dashes_stays_as_it_is() -> None:
    nodes = [NodeRow("A", "Drug", "a"), NodeRow("B", "Peptide", ""), NodeRow("C", "Drug", "x--y")]
    edges = [EdgeRow("A", "r", "B"), EdgeRow("C", "s", "B"), EdgeRow("C", "t", "D")]
    rows = SourceRows([*nodes, NodeRow("D", "Drug", "d")], [*edges])
    with build_snapshot_of(rows) as snapshot:
        first, last = snapshot.find_number("A"), snapshot.find_number("D")
        assert first is not None and last is not None
        (path,) = search_paths(
            snapshot, PathQuery((first,), (last,)), CancellationToken(), seconds=60
        ).paths
        assert format_path(path) == "A--r--None:Peptide--s--x--y:Drug--t--D"
