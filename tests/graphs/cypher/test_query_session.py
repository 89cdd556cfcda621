"""Many queries in one process: none does harm, and each has the result it has alone."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from backend.common.errors import DomainError
from backend.graphs.cypher.database_builder import Database, build_database
from backend.graphs.cypher.dialect import Dialect
from backend.graphs.cypher.errors import InvalidQuery, QueryLimitExceeded
from backend.graphs.cypher.query_runner import QueryLimits, QueryResult, run_query
from backend.graphs.cypher.query_session import QuerySession
from backend.graphs.importers.registry import open_source
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.runtime import stopwatch
from tests.child_processes import child_processes
from tests.graphs.cypher.factories import DEMO
from tests.graphs.snapshots.sources import SourceRows

HOSTILE = Path(__file__).parent / "hostile_queries.jsonl"
SHORT = QueryLimits(seconds=1, memory_bytes=256 << 20, max_rows=2_000, max_result_bytes=1_000_000)
# Of queries that a busy machine must not stop.
LONG = QueryLimits(seconds=60, memory_bytes=256 << 20)
STOPPING = QueryLimits(seconds=8, memory_bytes=256 << 20)
SLOW = "MATCH (a), (b), (c) WHERE a.name = b.name + c.name RETURN count(*)"
SECRET = "canary-0b7d1c"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Database:
    folder = tmp_path_factory.mktemp("demo")
    built = build_snapshot(open_source([DEMO]).source, folder / "snapshots")
    snapshot = open_snapshot(built.path)
    return build_database(snapshot, folder / "cypher", both_directions=True)


def run_or_fail(session: QuerySession, database: Database, query: str) -> QueryResult | DomainError:
    try:
        return session.run(query, Dialect(database.snapshot).translate)
    except DomainError as error:
        return error


def hash_files(folder: Path) -> dict[str, str]:
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_no_hostile_query_reads_writes_or_stays(
    demo: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary, outside = tmp_path / "tmp", tmp_path / "outside"
    temporary.mkdir()
    outside.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    canary = tmp_path / "canary.csv"
    canary.write_text(f"{SECRET}\n")
    rows = [json.loads(line) for line in HOSTILE.read_text().splitlines()]
    assert len(rows) >= 200
    before, files = child_processes(), hash_files(demo.path.parent)
    outcomes: dict[str, int] = {}
    with QuerySession(demo, SHORT) as session:
        for row in rows:
            query = row["query"].replace("{secret}", str(canary)).replace("{folder}", str(outside))
            result = run_or_fail(session, demo, query)
            if isinstance(result, DomainError):
                assert 400 <= result.status < 500, (row, result)
                assert SECRET not in result.detail and str(tmp_path) not in result.detail, row
                outcomes[result.code] = outcomes.get(result.code, 0) + 1
            else:
                assert row.get("is_harmless"), row
                assert SECRET not in json.dumps(result.rows), row
                assert len(result.rows) <= SHORT.max_rows
        assert len(child_processes() - before) <= 1
    assert child_processes() == before
    assert list(temporary.iterdir()) == []
    assert hash_files(demo.path.parent) == files
    assert list(outside.iterdir()) == []
    assert {"cypher_refused", "cypher_wrong", "cypher_time"} <= outcomes.keys()


def test_queries_share_a_process_until_one_is_stopped(demo: Database) -> None:
    with QuerySession(demo, STOPPING) as session:
        for number in range(5):
            assert session.run(f"RETURN {number}").rows == ((number,),)
        with pytest.raises(InvalidQuery):
            session.run("MATCH (n:Nothing) RETURN n")
        assert session.processes == 1
        with pytest.raises(QueryLimitExceeded):
            session.run(SLOW)
        assert session.run("RETURN 7").rows == ((7,),)
        assert session.processes == 2


def test_the_time_of_a_query_includes_its_check_and_translation(
    demo: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(passed=0.0)
    clock.monotonic = lambda: time.monotonic() + clock.passed
    monkeypatch.setattr(stopwatch, "time", clock)

    def translate(query: str) -> str:
        clock.passed += 1_000
        return query

    with QuerySession(demo, LONG) as session:
        assert session.run("RETURN 1", translate).rows == ((1,),)
        assert 1_000 <= session.watch.seconds < 2_000


def test_a_dead_process_is_replaced(demo: Database) -> None:
    with QuerySession(demo, LONG) as session:
        before = child_processes()
        session.run("RETURN 1")
        (worker,) = child_processes() - before
        os.kill(worker, 9)
        with pytest.raises(QueryLimitExceeded):
            session.run("RETURN 2")
        assert session.run("RETURN 3").rows == ((3,),)


def test_results_are_those_of_single_queries(demo: Database) -> None:
    queries = [
        "MATCH (d:Drug)-[:treats]->(x:Disease) RETURN d.id, x.id ORDER BY d.id, x.id",
        "MATCH (n) RETURN count(n)",
        "RETURN 'a', 1, [1, 2], {a: 1}",
    ]
    with QuerySession(demo, LONG) as session:
        for query in queries:
            assert session.run(query).rows == run_query(demo, query, limits=LONG).rows


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """Two drugs, a disease and a process; drugs interact symmetrically."""
    folder = tmp_path_factory.mktemp("small")
    nodes = [
        NodeRow("DRUGBANK:DB1", "Drug", "One"),
        NodeRow("DRUGBANK:DB2", "Drug", "Two"),
        NodeRow("DOID:5716", "Disease", "An illness"),
        NodeRow("GO:1", "Biological process", "A process"),
    ]
    edges = [
        EdgeRow("DRUGBANK:DB1", "interacts with", "DRUGBANK:DB2"),
        EdgeRow("DRUGBANK:DB1", "treats", "DOID:5716"),
        EdgeRow("DOID:5716", "interacts with", "GO:1"),
    ]
    built = build_snapshot(SourceRows([*nodes], [*edges]), folder / "snapshots")
    return build_database(open_snapshot(built.path), folder / "cypher", both_directions=True)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('MATCH (a:Drug {id: "DB1"})-[:INTERACTS_WITH]->(b:Drug) RETURN b.id', {"DRUGBANK:DB2"}),
        ('MATCH (a:drug {id: "DB2"})-[:interacts_with]->(b) RETURN b.id', {"DRUGBANK:DB1"}),
        ('MATCH (a:Drug {id: "DB2"})<-[:interacts_with]-(b) RETURN b.id', {"DRUGBANK:DB1"}),
        ("MATCH (a:Biological_process)-[:interacts_with]->(b) RETURN b.id", {"DOID:5716"}),
        ("MATCH (a:`Biological process`)-[]->(b) RETURN b.id", {"DOID:5716"}),
        ('MATCH (n0:Drug)-[:treats]->(n1:Disease {id: "5716"}) RETURN n0.id', {"DRUGBANK:DB1"}),
        ('MATCH (n0)-[:treats]->(n1:Disease) WHERE n1.id = "5716" RETURN n0.id', {"DRUGBANK:DB1"}),
        ('MATCH (n1:Disease) WHERE n1.id IN ["5716", "x"] RETURN n1.id', {"DOID:5716"}),
        ('MATCH (n:Disease {name: "Ailment of the file"}) RETURN n.id', {"DOID:5716"}),
        ('MATCH (n:Disease) WHERE n.name = "Ailment of the file" RETURN n.id', {"DOID:5716"}),
        ('MATCH (n1:Disease) WHERE "5716" = n1.id RETURN n1.id', {"DOID:5716"}),
        ("MATCH (n1:Disease) WHERE n1.id = 5716 RETURN n1.id", {"DOID:5716"}),
        ("MATCH (n1:Disease {id: 5716}) WHERE n1.id IN [1, 5716] RETURN n1.id", {"DOID:5716"}),
        (
            'MATCH (n) WHERE n.name IN ["Ailment of the file", "Two"] RETURN n.id',
            {"DOID:5716", "DRUGBANK:DB2"},
        ),
        ('MATCH (n:Drug {name: "Two"}) RETURN n.id', {"DRUGBANK:DB2"}),
        ('MATCH (n:Drug {name: "Ailment of the file"}) RETURN n.id', set()),
        ("MATCH (a)-[:treats]->(b:Drug) RETURN b.id", set()),
        ("RETURN 'id: \"5716\"'", {'id: "5716"'}),
    ],
)
def test_the_dialect_of_the_files_finds_what_their_names_mean(
    small: Database, query: str, expected: set[str]
) -> None:
    names = {("disease", "Ailment of the file"): "DOID:5716"}
    dialect = Dialect(small.snapshot)
    with QuerySession(small, LONG) as session:
        rows = session.run(query, lambda text: dialect.translate(text, names)).rows
    assert {row[0] for row in rows} == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ('(a:Drug {id: "DB1"})-[r:INTERACTS_WITH]-(b)', 1),
        ('(b)-[r:interacts_with]-(a:Drug {id: "DB1"})', 1),
        ("(a:Drug)-[r:interacts_with]-(b:Drug)", 2),
        ('(a:Drug {id: "DB1"})-[r:interacts_with]->(b)', 1),
        ('(a:Drug {id: "DB1"})<-[r:interacts_with]-(b)', 1),
        ('(a:Drug {id: "DB1"})-[r:treats]-(b)', 1),
        ("(a)-[r:treats]-(b)", 2),
    ],
)
def test_a_pattern_without_an_arrow_has_an_edge_once_for_each_direction_that_fits(
    small: Database, pattern: str, expected: int
) -> None:
    """As in Neo4j; the database has edges of symmetric relations in both directions."""
    dialect = Dialect(small.snapshot)
    with QuerySession(small, LONG) as session:
        query = f"MATCH {pattern} RETURN count(r)"
        assert session.run(query, dialect.translate).rows == ((expected,),)


def test_a_query_without_names_of_the_graph_stays_as_it_is(small: Database) -> None:
    dialect = Dialect(small.snapshot)
    for line in HOSTILE.read_text().splitlines():
        query = json.loads(line)["query"]
        if "Drug" not in query and "treats" not in query:
            assert dialect.translate(query) == query
