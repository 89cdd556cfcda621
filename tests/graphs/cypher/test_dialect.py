"""What of a query the dialect rewrites: node patterns and comparisons of nodes, in linear time."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.graphs.cypher.database_builder import build_database
from backend.graphs.cypher.dialect import Dialect, NamesByType
from backend.graphs.cypher.errors import ForbiddenQuery, InvalidQuery
from backend.graphs.cypher.query_runner import run_query
from backend.graphs.cypher.query_validation import check_query, read_tokens
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.masking import mask_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from tests.graphs.snapshots.sources import SourceRows

HOSTILE = Path(__file__).parent / "hostile_queries.jsonl"
NAMES: NamesByType = {("disease", "Ailment"): "DOID:5716"}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    nodes = [
        NodeRow("DOID:5716", "Disease", "An illness"),
        NodeRow("DRUGBANK:DB1", "Drug", "One"),
        NodeRow("DRUGBANK:DB2", "Drug", "Two"),
    ]
    edges = [
        EdgeRow("DRUGBANK:DB1", "treats disease", "DOID:5716", first_pmid=7),
        EdgeRow("DRUGBANK:DB2", "treats disease", "DOID:5716", first_pmid=70, date_source="papers"),
        EdgeRow("DRUGBANK:DB1", "interacts", "DRUGBANK:DB2"),
    ]
    folder = tmp_path_factory.mktemp("dialect")
    return open_snapshot(build_snapshot(SourceRows([*nodes], [*edges]), folder).path)


UNCHANGED = [
    'RETURN {id: "5716"} AS m',
    'MATCH (n) RETURN {id: "5716", name: "Ailment"}',
    'MATCH (n) RETURN COLLECT(DISTINCT {id: "5716", name: "Ailment"})',
    'MATCH (n) RETURN ({id: "5716"}).id',
    'MATCH (n) WITH [{id: "5716"}] AS maps RETURN maps',
    'MATCH (a)-[r:interacts {id: "5716"}]-(b) RETURN r',
    'WITH {id: "5716"} AS m WHERE m.id = "5716" RETURN m',
    'WITH {id: "5716"} AS m WHERE m.id IN ["5716"] RETURN m',
    'UNWIND ["5716"] AS x RETURN x',
    'MATCH (n {note: {id: "5716"}}) RETURN n',
    'MATCH (n) WHERE n.note = "5716" RETURN "id: 5716"',
    'MATCH (n) RETURN n["id"] = "5716"',
    'MATCH (n) WHERE n.id = "57" + "16" RETURN n',
    'MATCH (n) WHERE "57" + "16" = n.id RETURN n',
    'MATCH (n) WHERE "5716" = n.id + "" RETURN n',
    "MATCH (n) WHERE n.id = 5715 + 1 RETURN n",
    "MATCH (n) WHERE n.id = 5716.0 RETURN n",
    "MATCH (n) WHERE n.score = 5716 OR 5716 = n.score RETURN 5716",
    'MATCH (n) WHERE n.name IN ["Ailment" + "", "One"] RETURN n',
    'MATCH (n) WHERE n.name IN ["One", x.name] RETURN n',
    'MATCH (n) WHERE n.name IN ["One", "Two"] RETURN n',
    "MATCH (n) WHERE n.name = 5716 RETURN n",
    'WITH {id: "5716"} AS m WHERE "5716" = m.id RETURN m',
]


@pytest.mark.parametrize("query", UNCHANGED)
def test_maps_that_are_values_stay_as_they_are(snapshot: Snapshot, query: str) -> None:
    assert Dialect(snapshot).translate(query, NAMES) == query


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('MATCH ({id: "5716"}) RETURN 1', 'MATCH ({id: "DOID:5716"}) RETURN 1'),
        (
            'MATCH (n:disease {name: "Ailment"}) RETURN n',
            'MATCH (n:Disease {id: "DOID:5716"}) RETURN n',
        ),
        (
            'MATCH (a)-[:TREATS_DISEASE]->(:disease {id: "5716"}) RETURN a',
            'MATCH (a)-[:treats_disease]->(:Disease {id: "DOID:5716"}) RETURN a',
        ),
        (
            'MATCH (a) WHERE (a)--(:Disease {id: "5716"}) RETURN a',
            'MATCH (a) WHERE (a)--(:Disease {id: "DOID:5716"}) RETURN a',
        ),
        (
            'MATCH (a) WHERE EXISTS { MATCH (a)<-[]-({id: "5716"}) } RETURN {id: "5716"}',
            'MATCH (a) WHERE EXISTS { MATCH (a)<-[]-({id: "DOID:5716"}) } RETURN {id: "5716"}',
        ),
        (
            'MATCH p = (a {id: "5716"}), (b) WHERE b.id IN ["5716", "1"] RETURN p',
            'MATCH p = (a {id: "DOID:5716"}), (b) WHERE b.id IN ["DOID:5716", "1"] RETURN p',
        ),
        (
            'MATCH (a) WITH a AS b WHERE b.id = "5716" RETURN b',
            'MATCH (a) WITH a AS b WHERE b.id = "DOID:5716" RETURN b',
        ),
        (
            'MATCH (n:Disease) WHERE "5716" = n.id OR "Ailment" = n.name RETURN n',
            'MATCH (n:Disease) WHERE "DOID:5716" = n.id OR "DOID:5716" = n.id RETURN n',
        ),
        (
            'MATCH (n:Disease) WHERE n.id <> "5716" AND "5716" <> n.id RETURN n',
            'MATCH (n:Disease) WHERE n.id <> "DOID:5716" AND "DOID:5716" <> n.id RETURN n',
        ),
        (
            "MATCH (n:Disease {id: 5716})--(m:Disease) WHERE m.id = 5716 OR 5716=m.id RETURN n",
            'MATCH (n:Disease {id: "DOID:5716"})--(m:Disease) WHERE m.id = "DOID:5716" OR '
            '"DOID:5716"=m.id RETURN n',
        ),
        (
            "MATCH (n:Disease) WHERE n.id IN [5716, 12] RETURN n",
            'MATCH (n:Disease) WHERE n.id IN ["DOID:5716", "12"] RETURN n',
        ),
        (
            'MATCH (n:Disease) WHERE NOT n.name IN ["Ailment"] RETURN n',
            'MATCH (n:Disease) WHERE NOT n.id IN ["DOID:5716"] RETURN n',
        ),
        (
            'MATCH (n) WHERE NOT n.name IN ["Ailment", "One"] RETURN n',
            'MATCH (n) WHERE NOT (n.id IN ["DOID:5716"] OR n.name IN ["One", "One"]) RETURN n',
        ),
        (
            'MATCH (n:Disease) WHERE (n.id) = ("5716") OR ("5716") = ((n.id)) RETURN n',
            'MATCH (n:Disease) WHERE (n.id) = ("DOID:5716") OR ("DOID:5716") = ((n.id)) RETURN n',
        ),
        (
            'MATCH (n:Disease) WHERE (n.id IN (["5716"])) AND NOT (n.id) IN ["5716"] RETURN n',
            'MATCH (n:Disease) WHERE (n.id IN (["DOID:5716"])) AND NOT (n.id) IN ["DOID:5716"] '
            "RETURN n",
        ),
        (
            'MATCH (`n`:Disease {`id`: "5716"}) WHERE n.`id` = "5716" OR `n`.id = "5716" RETURN n',
            'MATCH (`n`:Disease {`id`: "DOID:5716"}) WHERE n.`id` = "DOID:5716" OR '
            '`n`.id = "DOID:5716" RETURN n',
        ),
        (
            'MATCH (n:Disease) WHERE toLower(n.id) = "5716" AND toLower("5716") = n.id RETURN n',
            'MATCH (n:Disease) WHERE toLower(n.id) = "5716" AND toLower("5716") = n.id RETURN n',
        ),
        # With an identifier beside it, a name stays a name, wherever the two stand.
        (
            'MATCH (n:Disease {name: "Ailment", id: "5716"}) RETURN n',
            'MATCH (n:Disease {name: "Ailment", id: "DOID:5716"}) RETURN n',
        ),
    ],
)
def test_node_patterns_and_comparisons_of_nodes_are_rewritten(
    snapshot: Snapshot, query: str, expected: str
) -> None:
    assert Dialect(snapshot).translate(query, NAMES) == expected


def test_without_a_label_an_identifier_means_what_the_question_names_or_all_that_have_it(
    tmp_path: Path,
) -> None:
    nodes = [NodeRow("DOID:5716", "Disease", "A"), NodeRow("DRUGBANK:5716", "Drug", "B")]
    edges = [EdgeRow("DRUGBANK:5716", "treats", "DOID:5716")]
    dialect = Dialect(open_snapshot(build_snapshot(SourceRows([*nodes], [*edges]), tmp_path).path))
    queries = {
        'MATCH (n) WHERE n.id="5716" RETURN n': (
            'MATCH (n) WHERE n.id IN ["DOID:5716", "DRUGBANK:5716"] RETURN n'
        ),
        'MATCH (n) WHERE n.id IN ["5716", "x"] RETURN n': (
            'MATCH (n) WHERE n.id IN ["DOID:5716", "DRUGBANK:5716", "x"] RETURN n'
        ),
        'MATCH (n {id: "5716"}) RETURN n': 'MATCH (n {id: "5716"}) RETURN n',
    }
    assert {one: dialect.translate(one) for one in queries} == queries
    named = {one: dialect.translate(one, NAMES) for one in queries}
    assert named == {one: one.replace("5716", "DOID:5716") for one in queries}


WORDS = ("set", "use", "call", "load", "delete", "copy", "import", "begin", "update")


@pytest.mark.parametrize("word", WORDS)
def test_words_of_clauses_are_names_where_the_grammar_has_names(
    snapshot: Snapshot, tmp_path_factory: pytest.TempPathFactory, word: str
) -> None:
    names = (
        "MATCH (n:Disease) RETURN n.id AS {}",
        "MATCH (n:Disease) WITH n AS {0}, 1 AS one WHERE {0}.id <> '' RETURN {0}.id",
        "MATCH ({0}:Disease) RETURN {0}.id ORDER BY {0}.id",
        "MATCH ({0}) WHERE NOT {0}.type <> 'Disease' RETURN {0}.id",
    )
    for query in names:
        check_query(query.format(word), {})
    clauses = ("{} x", "MATCH (n) {} n.x = 1", "MATCH (n) RETURN n UNION {} x", "WITH * {} x")
    for query in (*clauses, "MATCH (n) WITH n AS {0} {0} x", "MATCH (n) RETURN EXISTS {{ {0} x }}"):
        with pytest.raises(ForbiddenQuery, match=word.upper()):
            check_query(query.format(word), {})


def test_a_clause_behind_a_variable_that_is_named_like_a_keyword_is_refused() -> None:
    rows = [json.loads(line) for line in HOSTILE.read_text().splitlines()]
    queries = [row["query"] for row in rows if row["kind"] == "keyword_name"]
    assert len(queries) >= 20
    for query in queries:
        with pytest.raises(ForbiddenQuery, match="only read the graph"):
            check_query(query, {})


def test_clauses_behind_such_a_variable_may_have_names_again() -> None:
    check_query("WITH 1 AS by, 2 AS limit UNWIND by AS set RETURN set, limit ORDER BY set", {})
    check_query("MATCH (set) WHERE NOT set.by IN [1] RETURN DISTINCT set SKIP 1", {})
    check_query("RETURN CASE WHEN true THEN 1 ELSE 2 END AS by, 2 * 3 AS load", {})


def test_the_engine_takes_such_names(snapshot: Snapshot, tmp_path: Path) -> None:
    database = build_database(snapshot, tmp_path / "cypher")
    columns = ", ".join(f"n.id AS {word}" for word in WORDS)
    result = run_query(database, f"MATCH (n:Disease) WITH {columns} RETURN {', '.join(WORDS)}")
    assert result.columns == WORDS
    assert result.rows == (("DOID:5716",) * len(WORDS),)


def test_of_names_that_differ_in_case_the_exact_one_is_meant(tmp_path: Path) -> None:
    nodes = [
        NodeRow("DRUGBANK:DB1", "Drug", "One"),
        NodeRow("DRUGBANK:DB2", "drug", "Two"),
        NodeRow("DRUGBANK:DB3", "DRUG", "Three"),
    ]
    edges = [
        EdgeRow("DRUGBANK:DB1", "TREATS", "DRUGBANK:DB2"),
        EdgeRow("DRUGBANK:DB2", "treats", "DRUGBANK:DB3"),
    ]
    snapshot = open_snapshot(build_snapshot(SourceRows([*nodes], [*edges]), tmp_path).path)
    dialect, database = Dialect(snapshot), build_database(snapshot, tmp_path / "cypher")

    def rows_of(query: str) -> object:
        return run_query(database, dialect.translate(query)).rows

    for node in nodes:
        assert rows_of(f"MATCH (n:{node.type}) RETURN n.id") == ((node.id,),)
    for edge in edges:
        assert rows_of(f"MATCH (n)-[:{edge.relation}]->() RETURN n.id") == ((edge.source,),)


Parts = tuple[str, str]  # as written, and as the engine gets it
VALUES = st.sampled_from(["5716", "1", "(", "{id: ", "//", "'", "Ailment"])
SPACES = st.sampled_from(["", " ", "\n", ' /* {id: "5716"} ( */ ', ' // (n {id: "5716"})\n'])


NAMES_BY_LABEL = {"": "ab", ":Disease": "de", ":Drug": "fg"}


def translated(value: str) -> str:
    return json.dumps("DOID:5716" if value == "5716" else value)


def literal(depth: int) -> st.SearchStrategy[str]:
    """Values in which nothing is rewritten."""
    text = VALUES.map(json.dumps)
    if not depth:
        return text
    inner = literal(depth - 1)
    return st.one_of(
        text,
        inner.map("{{id: {0}}}".format),
        st.tuples(inner, inner).map(lambda two: f"{{name: {two[0]}, id: {two[1]}}}"),
        inner.map("[{0}, 1]".format),
        inner.map("collect(DISTINCT {0})".format),
        inner.map("({0})".format),
    )


def same(text: str) -> Parts:
    return text, text


@st.composite
def node_patterns(draw: Callable[..., Any]) -> Parts:
    space = draw(SPACES)
    # A variable has the labels of all of its patterns, so that each has one here.
    own = draw(st.sampled_from(["", ":Disease", ":Drug"]))
    name = draw(st.sampled_from(["", *NAMES_BY_LABEL[own]]))
    label = ":disease" if own == ":Disease" else own
    kind = draw(st.sampled_from(["none", "id", "value"]))
    head, tail = f"({name}", ")"
    if kind == "none":
        return f"{head}{label}{space}{tail}", f"{head}{own}{space}{tail}"
    value = draw(VALUES)
    if kind == "value":
        inner = draw(literal(1))
        other = f"{space}{{score: {inner}}}{tail}"
        return f"{head}{label}{other}", f"{head}{own}{other}"
    is_found = value == "5716" and label != ":Drug"
    new = translated(value) if is_found else json.dumps(value)
    return (
        f"{head}{label}{space}{{id:{space}{json.dumps(value)}}}{tail}",
        f"{head}{own}{space}{{id:{space}{new}}}{tail}",
    )


RELATIONS = st.sampled_from(
    [same("--"), same("-->"), same("<-[r]-"), ("-[:TREATS_DISEASE]->", "-[:treats_disease]->")]
)


@st.composite
def queries(draw: Callable[..., Any]) -> Parts:
    parts = [same("MATCH "), draw(node_patterns())]
    for _ in range(draw(st.integers(0, 3))):
        parts += [draw(RELATIONS | st.just(same(", "))), draw(node_patterns())]
    if draw(st.booleans()):
        pattern, arrow = draw(node_patterns()), draw(RELATIONS)
        parts += [same(" WHERE "), same("(c)"), arrow, pattern]
    parts += [same(" WITH "), same(draw(literal(2))), same(" AS m")]
    parts += [same(" RETURN "), same(draw(literal(3))), same(" AS x")]
    return "".join(one for one, _ in parts), "".join(other for _, other in parts)


@given(queries())
def test_made_up_queries_are_rewritten_in_their_node_patterns_alone(
    snapshot: Snapshot, query: Parts
) -> None:
    before, after = query
    assert Dialect(snapshot).translate(before) == after
    # Only texts and names differ: as many tokens, with the same signs.
    assert Dialect(snapshot).translate(after) == after


@pytest.mark.parametrize(
    "shape",
    [
        lambda n: "MATCH (n:Disease {" + ", ".join(['name: "x"'] * n) + "}) RETURN n",
        lambda n: "MATCH (n) WHERE n.id IN [" + ", ".join(['"x"'] * n) + "] RETURN n",
        lambda n: "MATCH (n) WHERE n.name IN [" + ", ".join(['"x"'] * n) + "] RETURN n",
        lambda n: "MATCH " + "(" * n + ")" * n + " RETURN 1",
        lambda n: "MATCH " + "(n {" * n + " RETURN 1",
        lambda n: "MATCH (n" + ":Disease" * n + ") RETURN n",
        lambda n: "RETURN " + "{name: " * n + '"x"' + "}" * n,
    ],
)
def test_the_work_grows_with_the_length_of_a_query(
    snapshot: Snapshot, shape: Callable[[int], str]
) -> None:
    dialect = Dialect(snapshot)
    queries = [shape(size) for size in (100, 200, 400)]
    dialect.translate(queries[0], NAMES)  # what is cached, such as patterns, is counted for none
    calls = [count_calls(partial(dialect.translate, query, NAMES)) for query in queries]
    assert calls[2] - calls[1] < 2.2 * (calls[1] - calls[0])


@pytest.mark.parametrize(
    "rest",
    [
        "'" + "\\'" * 9_000,
        '"' + '\\"' * 9_000,
        "'" + "\\'" * 9_000 + "\\",
        "`a'b\"",
        "/*" + " '" * 9,
    ],
)
def test_what_never_ends_is_read_once_and_refused_at_its_place(
    snapshot: Snapshot, rest: str
) -> None:
    query = f"RETURN {rest}"
    assert [one.text for one in read_tokens(query)] == ["RETURN", rest]
    with pytest.raises(InvalidQuery, match="Syntax error") as caught:
        check_query(query, {})
    assert caught.value.data == {"line": 1, "column": 8}
    begun = 'MATCH (n:Disease) WHERE n.id = "5716'
    assert Dialect(snapshot).translate(begun) == begun


def count_calls(act: Callable[[], object]) -> int:
    """Without the garbage of earlier tests, whose finalizers are calls too."""
    count = 0

    def add(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    gc.disable()
    sys.setprofile(add)
    try:
        act()
    finally:
        sys.setprofile(before)
        gc.enable()
    return count


def test_queries_filter_by_when_an_edge_was_first_seen_also_on_a_masked_graph(
    snapshot: Snapshot, tmp_path: Path
) -> None:
    until = "MATCH (d)-[r]->() WHERE r.first_seen <= {} RETURN d.id"
    undated = "MATCH ()-[r]->() WHERE r.first_seen IS NULL RETURN label(r)"
    database = build_database(snapshot, tmp_path / "cypher")
    assert run_query(database, until.format(69)).rows == (("DRUGBANK:DB1",),)
    assert run_query(database, undated).rows == (("interacts",),)
    stated = "MATCH (d)-[r]->() WHERE r.date_source = 'papers' RETURN d.id, r.first_seen"
    assert run_query(database, stated).rows == (("DRUGBANK:DB2", 70),)
    first = next(one.edge for one in snapshot.edges() if one.first_pmid == 7)
    masked = open_snapshot(mask_snapshot(snapshot, [first], tmp_path / "masked").path)
    database = build_database(masked, tmp_path / "cypher")
    assert run_query(database, until.format(69)).rows == ()
    assert run_query(database, until.format(70)).rows == (("DRUGBANK:DB2",),)
