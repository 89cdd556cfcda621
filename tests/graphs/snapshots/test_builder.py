"""A build stores exactly what the rows state, in any row order and with any amount of memory."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.graphs.snapshots.build_report import MAX_REPORTED_FAULTS, BuildReport
from backend.graphs.snapshots.builder import build_snapshot, resolve_relation
from backend.graphs.snapshots.errors import SnapshotNotBuilt
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, RelationInfo, Section
from tests.graphs.snapshots.sources import (
    SYMMETRIC_RELATION,
    SourceRows,
    build_snapshot_of,
    facts_expected,
    folder_contents,
    graphs,
    read_facts,
    read_statements,
    small_graph,
    statements_expected,
)

TINY = 1  # bytes of memory: every table goes through the disk


@given(graphs(), st.sampled_from([TINY, 1 << 20]))
@settings(max_examples=150, deadline=None)
def test_a_snapshot_holds_exactly_the_entities_and_edges_of_the_rows(
    rows: SourceRows, memory: int
) -> None:
    with build_snapshot_of(rows, memory) as snapshot:
        assert read_facts(snapshot) == facts_expected(rows)
        assert read_statements(snapshot) == statements_expected(rows)
        assert snapshot.edge_count == len(statements_expected(rows))


@given(graphs(), st.randoms(use_true_random=False))
@settings(max_examples=75, deadline=None)
def test_the_same_rows_in_any_order_give_the_same_bytes(
    rows: SourceRows, chance: random.Random
) -> None:
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        first = build_snapshot(rows, Path(one))
        second = build_snapshot(rows.shuffled(chance), Path(other), memory_bytes=TINY)
        assert first.path.name == second.path.name
        assert folder_contents(first.path) == folder_contents(second.path)
        assert first.report.dropped_rows == second.report.dropped_rows
        assert first.report.conflicts == second.report.conflicts


@given(graphs())
@settings(max_examples=75, deadline=None)
def test_entities_are_numbered_by_descending_degree_then_identifier(rows: SourceRows) -> None:
    degrees: Counter[str] = Counter()
    for source, _, target, *_ in statements_expected(rows):
        degrees.update([str(source), str(target)])
    with build_snapshot_of(rows) as snapshot:
        ids = [one.id for one in snapshot.entities()]
        assert ids == sorted(facts_expected(rows), key=lambda one: (-degrees[one], one))
        assert [snapshot.degree(n) for n in range(len(ids))] == [degrees[one] for one in ids]


@given(graphs())
@settings(max_examples=75, deadline=None)
def test_both_sides_are_sorted_and_hold_the_same_edges(rows: SourceRows) -> None:
    with build_snapshot_of(rows, TINY) as snapshot:
        edges = [(e.source, e.relation, e.target) for e in snapshot.edges()]
        assert edges == sorted(edges)
        backward = []
        for number in range(snapshot.entity_count):
            row = snapshot.row(number, outgoing=False)
            entries = list(zip(row.relations, row.neighbours, row.edge_ids(), strict=True))
            assert entries == sorted(entries)
            backward += [(int(n), int(r), number, int(e)) for r, n, e in entries]
        assert sorted(backward) == [(*edge, number) for number, edge in enumerate(edges)]


def test_a_graph_larger_than_memory_is_sorted_recursively(tmp_path: Path) -> None:
    rng = random.Random(7)  # noqa: S311  test data
    ids = [f"X:{number}" for number in range(400)]
    nodes = [NodeRow(one, "thing", f"name of {one}", (one.lower(),)) for one in ids]
    star = [EdgeRow("X:0", "points to", one, score=rng.random()) for one in ids * 5]
    rest = [EdgeRow(rng.choice(ids), "meets", rng.choice(ids)) for _ in range(3000)]
    rows = SourceRows([*nodes], [*star, *rest])
    small = build_snapshot(rows, tmp_path / "small", memory_bytes=TINY)
    large = build_snapshot(rows, tmp_path / "large")
    assert folder_contents(small.path) == folder_contents(large.path)
    assert read_statements(open_snapshot(small.path)) == statements_expected(rows)


def test_identifiers_with_equal_hashes_stay_distinct(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def same_for_all(pool: object, offsets: object, result: np.ndarray) -> None:
        result[:] = 42

    # No two texts are known whose 64-bit hashes are equal.
    monkeypatch.setattr("backend.graphs.snapshots.kernels.hash_texts", same_for_all)
    rows = small_graph()
    snapshot = open_snapshot(build_snapshot(rows, tmp_path).path)
    assert read_facts(snapshot) == facts_expected(rows)
    numbers = [snapshot.find_number(one.id) for one in snapshot.entities()]
    assert numbers == [0, 1, 2, 3]
    assert snapshot.find_number("DRUGBANK:DB00000") is None


def test_conflicting_rows_use_the_smallest_value_and_are_counted(tmp_path: Path) -> None:
    rows = SourceRows(
        [
            NodeRow("X:1", "gene", "Zeta", ("b",), (), (Section("B", "", ""),)),
            NodeRow("X:1", "disease", "Alpha", ("a", "b"), ("Y:1",), (Section("A", "", ""),)),
            NodeRow("X:1", "", ""),
            NodeRow("X:2", "gene", "once"),
        ]
    )
    built = build_snapshot(rows, tmp_path)
    snapshot = open_snapshot(built.path)
    number = snapshot.find_number("X:1")
    assert number is not None
    assert read_facts(snapshot)["X:1"] == ("disease", "Alpha", ("a", "b"), ("Y:1",))
    assert snapshot.document(number) == (Section("A", "", ""),)
    assert built.report.conflicts == {"type": 1, "name": 1, "document": 1}
    assert built.report.repeated_rows == 2
    assert built.types == {"disease": 1, "gene": 1}


def test_equal_rows_fold_and_others_stay_parallel(tmp_path: Path) -> None:
    built = build_snapshot(small_graph(), tmp_path)
    snapshot = open_snapshot(built.path)
    assert (built.edges, built.report.folded_rows) == (4, 1)
    assert sorted(edge.row_count for edge in snapshot.edges()) == [1, 1, 1, 2]
    assert built.relations == {SYMMETRIC_RELATION: 2, "treats": 2}


def test_dangling_edges_are_counted_by_reason_with_examples(tmp_path: Path) -> None:
    lost = [EdgeRow("X:1", "meets", f"NOWHERE:{n}") for n in range(150)]
    rows = SourceRows(
        [NodeRow("X:1", "thing", "one"), MalformedRow("nodes.csv", 7, "wrong-columns", "a;b")],
        [*lost, EdgeRow("A:1", "meets", "X:1"), EdgeRow("A:1", "meets", "A:2")],
    )
    built = build_snapshot(rows, tmp_path)
    assert built.report.dropped_rows == {
        "wrong-columns": 1,
        "unknown-target": 150,
        "unknown-source": 1,
        "unknown-source-and-target": 1,
    }
    assert len(built.report.faults) == MAX_REPORTED_FAULTS
    assert built.report.faults[0] == MalformedRow("nodes.csv", 7, "wrong-columns", "a;b")
    assert built.report.faults[1] == MalformedRow(
        "edges", 1, "unknown-target", "X:1 → meets → NOWHERE:0"
    )


def test_rows_that_cannot_be_stored_are_dropped_alone(
    tmp_path: Path,
) -> None:
    rows = SourceRows(
        [
            NodeRow("", "thing", "no id"),
            NodeRow("X:1", "thing", "half of a pair: \ud800"),
            NodeRow("X:2", "thing", "good"),
        ],
        [
            EdgeRow("X:2", "", "X:2"),
            EdgeRow("X:2", "meets", ""),
            EdgeRow("X:2", "meets", "X:2", score=1e300),
            EdgeRow("X:2", "meets", "X:2", p_value=float("inf")),
            EdgeRow("X:2", "meets", "X:2", evidence="\udfff"),
            EdgeRow("X:2", "meets", "X:2"),
        ],
    )
    built = build_snapshot(rows, tmp_path)
    assert (built.entities, built.edges) == (1, 1)
    assert built.report.dropped_rows == {
        "no-identifier": 2,
        "bad-text": 2,
        "no-relation": 1,
        "bad-number": 2,
    }
    assert MalformedRow("entities", 2, "bad-text", "X:1") in built.report.faults


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_float32_score_round_trips(tmp_path: Path, sign: int) -> None:
    """It is read as 3.4028235e38, the shortest decimal, which is slightly larger."""
    score: float | None = sign * float(np.finfo(np.float32).max)
    for _ in range(2):
        edges: list[EdgeRow | MalformedRow] = [EdgeRow("X:1", "meets", "X:1", score)]
        built = build_snapshot(SourceRows([NodeRow("X:1", "thing", "")], edges), tmp_path)
        assert built.edges == 1 and not built.report.dropped_rows
        score = open_snapshot(built.path).edge(0).score
    assert score == sign * 3.4028235e38


def test_dropped_edges_leave_no_trace(tmp_path: Path) -> None:
    output = [EdgeRow("X:1", "meets", "X:1")]
    lost = [EdgeRow("X:1", "hates", "X:9", 0.5, "gossip", "low", 0.1, ("PMID:9",))]
    nodes: list[NodeRow | MalformedRow] = [NodeRow("X:1", "thing", "one")]
    clean = build_snapshot(SourceRows(nodes, [*output]), tmp_path / "clean")
    dirty = build_snapshot(SourceRows(nodes, [*output, *lost]), tmp_path / "dirty")
    assert folder_contents(clean.path) == folder_contents(dirty.path)
    assert not [name for name in folder_contents(dirty.path) if name.startswith("edge.")]


def test_long_names_of_any_script_round_trip(
    tmp_path: Path,
) -> None:
    long = "Ωμέγα 🧬 \u0000 " * 100_000
    rows = SourceRows(
        [NodeRow("X:ж 🧬", "Тип", long, (" two  spaces ",)), NodeRow("X:\u0000", "t", "")]
    )
    snapshot = open_snapshot(build_snapshot(rows, tmp_path).path)
    number = snapshot.find_number("X:ж 🧬")
    assert number is not None
    assert snapshot.entity(number).name == long
    assert snapshot.entity(number).synonyms == (" two  spaces ",)
    assert snapshot.find_number("X:\u0000") is not None
    assert snapshot.find_number("X:") is None


@pytest.mark.parametrize("rows", [SourceRows([]), SourceRows([NodeRow("X:1", "thing", "alone")])])
def test_an_empty_graph_can_be_built(tmp_path: Path, rows: SourceRows) -> None:
    snapshot = open_snapshot(build_snapshot(rows, tmp_path).path, verify=True)
    assert snapshot.entity_count == len(rows.node_rows)
    assert snapshot.edge_count == 0
    assert list(snapshot.edges()) == []
    assert all(not len(snapshot.neighbours(n)) for n in range(snapshot.entity_count))


def test_documents_have_their_own_digest_and_do_not_change_the_id(tmp_path: Path) -> None:
    def with_document(text: str) -> SourceRows:
        return SourceRows([NodeRow("X:1", "thing", "one", document=(Section("T", text, "S"),))])

    plain = build_snapshot(SourceRows([NodeRow("X:1", "thing", "one")]), tmp_path)
    one = build_snapshot(with_document("a"), tmp_path)
    other = build_snapshot(with_document("b"), tmp_path)
    assert plain.id == one.id == other.id
    assert len({plain.path, one.path, other.path}) == 3
    assert open_snapshot(other.path).document(0) == (Section("T", "b", "S"),)


def test_every_visible_change_changes_the_id(tmp_path: Path) -> None:
    rows = small_graph()
    edge = rows.edge_rows[0]
    assert isinstance(edge, EdgeRow)
    node = NodeRow("DOID:6364", "disease", "migraine", ("megrim",))
    others = [
        SourceRows(rows.node_rows, rows.edge_rows[1:]),
        SourceRows([*rows.node_rows, node], rows.edge_rows),
        SourceRows([*rows.node_rows, NodeRow("X:1", "thing", "new")], rows.edge_rows),
        SourceRows(rows.node_rows, [*rows.edge_rows, edge]),
    ]
    ids = {build_snapshot(one, tmp_path).id for one in [rows, *others]}
    assert len(ids) == 5


def test_the_same_graph_built_again_is_the_same_folder(tmp_path: Path) -> None:
    first = build_snapshot(small_graph(), tmp_path)
    inode = first.path.stat().st_ino
    second = build_snapshot(small_graph(), tmp_path)
    assert second.path == first.path
    assert second.path.stat().st_ino == inode


def test_an_altered_folder_is_replaced_by_a_build_of_the_same_graph(tmp_path: Path) -> None:
    first = build_snapshot(small_graph(), tmp_path)
    good = folder_contents(first.path)
    (first.path / "names.pool").unlink()
    assert folder_contents(build_snapshot(small_graph(), tmp_path).path) == good


def test_a_rejected_report_leaves_nothing_behind(tmp_path: Path) -> None:
    def refuse(report: BuildReport) -> None:
        assert report.node_rows == 4
        raise SnapshotNotBuilt("Too many rows were dropped.")

    with pytest.raises(SnapshotNotBuilt, match="Too many"):
        build_snapshot(small_graph(), tmp_path, check_report=refuse)
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_a_source_error_propagates_and_leaves_nothing_behind(tmp_path: Path) -> None:
    class Broken(SourceRows):
        def edges(self):  # type: ignore[no-untyped-def]  # it yields nothing, it raises
            raise EOFError("Compressed file ended")
            yield

    with pytest.raises(EOFError):
        build_snapshot(Broken(small_graph().node_rows), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_progress_reports_phases_and_may_cancel_the_build(tmp_path: Path) -> None:
    reported: list[tuple[str, int]] = []
    build_snapshot(
        small_graph(), tmp_path, progress=lambda doing, rows: reported.append((doing, rows))
    )
    assert ("reading entities", 4) in reported
    assert ("reading edges", 5) in reported

    def stop(doing: str, _rows: int) -> None:
        if doing == "writing edges":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_snapshot(small_graph(), tmp_path / "stopped", progress=stop)
    assert [path.name for path in (tmp_path / "stopped").iterdir()] == [".lock"]


def test_too_many_distinct_evidence_values_are_rejected(tmp_path: Path) -> None:
    edges = [EdgeRow("X:1", "meets", "X:1", evidence=f"sentence {n}") for n in range(1000)]
    with pytest.raises(SnapshotNotBuilt, match="evidence"):
        build_snapshot(
            SourceRows([NodeRow("X:1", "t", "")], [*edges]), tmp_path, memory_bytes=50_000
        )


@pytest.mark.parametrize("what", ["types of entities", "relations"])
def test_too_many_types_or_relations_are_rejected(tmp_path: Path, what: str) -> None:
    many = [f"kind {number}" for number in range(2**16 + 1)]
    if what == "relations":
        rows = SourceRows([NodeRow("X:1", "t", "")], [EdgeRow("X:1", kind, "X:1") for kind in many])
    else:
        rows = SourceRows([NodeRow(f"X:{kind}", kind, "") for kind in many])
    with pytest.raises(SnapshotNotBuilt, match=rf"too many different values of {what} \(65,536 "):
        build_snapshot(rows, tmp_path)


@pytest.mark.parametrize(
    ("info", "forward", "backward"),
    [
        (None, "acts on", "acts on (reverse)"),
        (RelationInfo("ACTS_ON", "acts on", "is acted on by"), "acts on", "is acted on by"),
        (RelationInfo("ACTS_ON", symmetric=True), "acts on", "acts on"),
    ],
)
def test_a_relation_has_a_phrase_for_each_direction(
    info: RelationInfo | None, forward: str, backward: str
) -> None:
    relation = resolve_relation(0, "ACTS_ON", info, 3)
    assert (relation.forward, relation.backward) == (forward, backward)
