"""A path in SerenQA's notation: ends by identifier, what lies between by name and type."""

from __future__ import annotations

from backend.benchmarks.serenqa.writing import path_notation
from backend.graphs.paths import search_paths
from backend.graphs.rows import EdgeRow, NodeRow
from backend.science.paths import Question
from backend.science.stopping import Stop
from tests.graphs.living import medicine
from tests.graphs.snapshots.sources import Rows, snapshot_of


def test_a_path_is_written_as_the_paper_prints_it() -> None:
    with snapshot_of(medicine()) as snapshot:
        ends = [snapshot.number_of(one) for one in ("DRUGBANK:DB00945", "HP:0002315")]
        first, last = (number for number in ends if number is not None)
        found = search_paths(snapshot, Question((first,), (last,)), Stop(), seconds=60).paths
        told = {path_notation(path) for path in found}
        assert "DRUGBANK:DB00945--treats--HP:0002315" in told
        assert "DRUGBANK:DB00945--inhibits--COX-1:Protein--causes--HP:0002315" in told
        named = {first: "DB00945", last: "Headache"}
        shorter = {path_notation(path, named) for path in found}
        assert "DB00945--inhibits--COX-2:Protein--causes--Headache" in shorter


def test_an_entity_without_a_name_is_none_and_a_name_with_dashes_stays_as_it_is() -> None:
    nodes = [NodeRow("A", "Drug", "a"), NodeRow("B", "Peptide", ""), NodeRow("C", "Drug", "x--y")]
    edges = [EdgeRow("A", "r", "B"), EdgeRow("C", "s", "B"), EdgeRow("C", "t", "D")]
    rows = Rows([*nodes, NodeRow("D", "Drug", "d")], [*edges])
    with snapshot_of(rows) as snapshot:
        first, last = snapshot.number_of("A"), snapshot.number_of("D")
        assert first is not None and last is not None
        (path,) = search_paths(snapshot, Question((first,), (last,)), Stop(), seconds=60).paths
        assert path_notation(path) == "A--r--None:Peptide--s--x--y:Drug--t--D"
