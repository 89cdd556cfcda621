"""TruthHypo's construction against its definition (metrics.md, section 4)."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.benchmarks.hypothesis_sets import non_links
from backend.benchmarks.hypothesis_sets.construction import (
    HypothesisSetRequest,
    make_hypothesis_set,
)
from backend.benchmarks.hypothesis_sets.non_links import KindRange
from backend.common.errors import DomainError
from tests.benchmarks.hypothesis_sets import oracle
from tests.benchmarks.hypothesis_sets.factories import (
    BETWEEN,
    CHEMICAL,
    DISEASE,
    GENE,
    OTHER_GENE,
    SEEN_UNTIL,
    UNSEEN_FROM,
    construct,
    hypotheses,
    positives,
    random_statements,
    read_tsv,
    twice,
    write_statements,
)
from tests.benchmarks.hypothesis_sets.oracle import Statement

POSITIVE = twice(UNSEEN_FROM, "positive_correlate", CHEMICAL, GENE)
FREE: list[Statement] = [
    (1, "associate", "Chemical|MESH:C9", DISEASE),
    (1, "associate", "Gene|9", DISEASE),
]
FILES = ("edges_test.tsv", "edges_train.tsv", "edges_unseen.tsv", "nodes.tsv")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("memory", [1 << 28, 1 << 10])
def test_the_files_are_those_of_the_definition(tmp_path: Path, seed: int, memory: int) -> None:
    rows = random_statements(seed)
    result = construct(tmp_path, rows, seed=seed, memory=memory)
    expected = oracle.construct(rows, SEEN_UNTIL, UNSEEN_FROM)
    assert len(expected.positives) > 40
    check_hypotheses(tmp_path, expected)
    check_graphs(tmp_path, expected)
    assert result.seen_edges == len(expected.seen_edges)
    assert result.unseen_edges == len(expected.unseen_edges) > 60
    assert result.linked_pairs == len(expected.linked)
    assert result.outcomes["hypotheses"] == len(expected.positives)


def check_hypotheses(folder: Path, expected: oracle.Expected) -> None:
    rows = hypotheses(folder)
    assert positives(folder) == expected.positives
    pairs = [(row["x_id"], row["y_id"]) for row in rows]
    assert pairs == sorted(set(pairs))
    negatives: dict[str, int] = {}
    for row in rows:
        ends = frozenset((row["x_id"], row["y_id"]))
        assert ends not in expected.seen_links
        assert row["rel_type"] == f"{row['x_type']} & {row['y_type']}"
        assert (row["x_type"], row["y_type"]) == tuple(map(oracle.kind, pairs[rows.index(row)]))
        if row["relation"] == "no_relation":
            assert len(ends) == 2 and ends not in expected.linked
            negatives[row["rel_type"]] = negatives.get(row["rel_type"], 0) + 1
    assert negatives == {type_: count for type_, count in expected.negatives.items() if count}


def check_graphs(folder: Path, expected: oracle.Expected) -> None:
    assert read_edges(folder, "edges_train.tsv", "first_seen") == expected.seen_edges
    unseen = read_edges(folder, "edges_unseen.tsv", "first_unseen")
    assert unseen == expected.unseen_edges
    pairs = {frozenset((x, y)) for x, _, y in unseen}
    assert not pairs & expected.seen_links
    assert {frozenset(pair) for pair in expected.positives} <= pairs
    nodes = {f"{row['Type']}|{row['ConceptID']}" for row in read_tsv(folder / "out" / "nodes.tsv")}
    assert nodes == {end for x, _, y in expected.seen_edges for end in (x, y)}


def read_edges(folder: Path, name: str, date: str) -> oracle.Edges:
    edges: oracle.Edges = {}
    for row in read_tsv(folder / "out" / name):
        pmids = [int(one) for one in row["pmids"].split("|")]
        assert (int(row[date]), int(row["articles"])) == (pmids[0], len(pmids))
        assert row["rel_type"] == f"{oracle.kind(row['x_id'])} & {oracle.kind(row['y_id'])}"
        edges[row["x_id"], row["relation"], row["y_id"]] = pmids
    return edges


ENTITY = st.sampled_from(
    [f"{kind}|{n}" for kind in ("Chemical", "Disease", "Gene") for n in range(3)]
)
RELATION = st.sampled_from(["positive_correlate", "negative_correlate", "inhibit", "treat"])
PMID = st.sampled_from(
    [1, SEEN_UNTIL, SEEN_UNTIL + 1, UNSEEN_FROM - 1, UNSEEN_FROM, UNSEEN_FROM + 1, UNSEEN_FROM + 2]
)


@given(st.lists(st.tuples(PMID, RELATION, ENTITY, ENTITY), min_size=1, max_size=40))
@settings(max_examples=40, deadline=None)
def test_any_statements_give_the_positives_of_the_definition(rows: list[Statement]) -> None:
    expected = oracle.construct(rows, SEEN_UNTIL, UNSEEN_FROM)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        code = construct_or_code(folder, rows)
        if code:
            assert code == ("too_few_non_links" if expected.positives else "no_hypotheses")
            assert not (folder / "out").exists()
        else:
            check_hypotheses(folder, expected)
            check_graphs(folder, expected)


def construct_or_code(folder: Path, rows: list[Statement]) -> str:
    """The code of the error, '' if there is none."""
    try:
        construct(folder, rows)
    except DomainError as error:
        return error.code
    return ""


def test_neither_the_order_of_lines_nor_the_memory_changes_a_byte(tmp_path: Path) -> None:
    rows = random_statements(1)
    construct(tmp_path / "one", rows, seed=3)
    other = [rows[at] for at in np.random.default_rng(0).permutation(len(rows)).tolist()]
    construct(tmp_path / "two", other + rows[:50], seed=3, memory=1 << 12)
    for name in FILES:
        one, two = (tmp_path / folder / "out" / name for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    again = construct(tmp_path / "one", random_statements(1), seed=3)
    description = json.loads((tmp_path / "one/out/construction.json").read_text())
    assert description["sha256"] == again.sha256


def test_another_seed_draws_other_negatives_of_the_same_positives(tmp_path: Path) -> None:
    construct(tmp_path / "one", random_statements(1), seed=1)
    construct(tmp_path / "two", random_statements(1), seed=2)
    assert positives(tmp_path / "one") == positives(tmp_path / "two")
    assert hypotheses(tmp_path / "one") != hypotheses(tmp_path / "two")


@pytest.mark.parametrize("kinds", [("Chemical", "Gene"), ("Gene", "Gene")])
def test_many_pairs_are_drawn_by_rejection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: tuple[str, str]
) -> None:
    monkeypatch.setattr(non_links, "MAX_LISTED_PAIRS", 0)
    rows = random_statements(2)
    construct(tmp_path, rows)
    check_hypotheses(tmp_path, oracle.construct(rows, SEEN_UNTIL, UNSEEN_FROM))


def test_a_rejected_type_without_a_free_pair_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(non_links, "MAX_LISTED_PAIRS", 0)
    monkeypatch.setattr(non_links, "MAX_ROUNDS", 3)
    names = ["Gene|1", "Gene|2", "Gene|3"]
    linked = non_links.list_pairs(KindRange.of(names, "Gene"), KindRange.of(names, "Gene"))
    with pytest.raises(DomainError, match="0 pairs without a link; 1 are needed"):
        non_links.draw_non_links(names, ("Gene", "Gene"), linked, 1, 0)


@pytest.mark.parametrize(
    ("more", "label"),
    [
        ([], "positive_correlate"),
        ([(SEEN_UNTIL, "associate", GENE, CHEMICAL)], None),
        ([(SEEN_UNTIL, "associate", CHEMICAL, GENE)], None),
        ([(BETWEEN, "associate", GENE, CHEMICAL)], "positive_correlate"),
        ([(UNSEEN_FROM, "negative_correlate", CHEMICAL, GENE)], "positive_correlate"),
        (twice(UNSEEN_FROM, "negative_correlate", GENE, CHEMICAL), None),
        (twice(UNSEEN_FROM, "associate", CHEMICAL, GENE), "positive_correlate"),
    ],
)
def test_what_else_is_stated_of_a_pair_decides(
    tmp_path: Path, more: list[Statement], label: str | None
) -> None:
    other = twice(UNSEEN_FROM, "positive_correlate", OTHER_GENE, GENE)
    construct(tmp_path, [*POSITIVE, *other, *FREE, *more])
    assert positives(tmp_path).get((CHEMICAL, GENE)) == label


def test_one_article_that_states_both_directions_is_one_article(tmp_path: Path) -> None:
    both = [(UNSEEN_FROM, "inhibit", GENE, DISEASE), (UNSEEN_FROM, "inhibit", DISEASE, GENE)]
    construct(tmp_path, [*POSITIVE, *FREE, *both])
    assert (DISEASE, GENE) not in positives(tmp_path)
    free = (1, "associate", "Disease|MESH:D2", "Gene|9")
    construct(
        tmp_path, [*POSITIVE, *FREE, *both, free, (UNSEEN_FROM + 1, "inhibit", GENE, DISEASE)]
    )
    assert positives(tmp_path)[DISEASE, GENE] == "inhibit"


def test_an_edge_has_all_its_articles_not_the_first_twenty(tmp_path: Path) -> None:
    many = [(pmid, "treat", CHEMICAL, DISEASE) for pmid in range(1, 41)]
    construct(tmp_path, [*POSITIVE, *FREE, *many])
    edges = read_edges(tmp_path, "edges_train.tsv", "first_seen")
    assert edges[CHEMICAL, "treat", DISEASE] == [*range(1, 41)]


def test_a_question_lists_the_labels_of_its_type_and_not_its_own(tmp_path: Path) -> None:
    construct(tmp_path, random_statements(4))
    endings: dict[str, set[str]] = {}
    for row in hypotheses(tmp_path):
        endings.setdefault(row["rel_type"], set()).add(row["question"].rpartition("Choose")[2])
    assert endings["Disease & Gene"] == {" one of inhibit, no_relation, stimulate."}
    assert all(len(one) == 1 for one in endings.values())


def test_names_come_from_the_table_of_nodes(tmp_path: Path) -> None:
    nodes = tmp_path / "nodes.tsv"
    nodes.write_text('Type\tConceptID\tmention\nChemical\tMESH:C1\t"as\tpirin\n5"\nGene\t9\tNINE\n')
    construct(tmp_path, [*POSITIVE, *FREE], nodes=[nodes])
    row = next(one for one in hypotheses(tmp_path) if one["relation"] != "no_relation")
    assert "Chemical as pirin 5 (MESH:C1) and Gene 1 " in row["question"]
    written = {row["ConceptID"]: row["mention"] for row in read_tsv(tmp_path / "out/nodes.tsv")}
    assert written == {"9": "NINE", "MESH:D1": "MESH:D1", "MESH:C9": "MESH:C9"}


def test_a_compressed_file_gives_the_same_set(tmp_path: Path) -> None:
    plain = construct(tmp_path / "plain", random_statements(5))
    packed = construct(tmp_path / "packed", random_statements(5), name="relations.tsv.gz")
    assert plain.sha256 == packed.sha256


def test_every_faulty_line_is_named_at_once(tmp_path: Path) -> None:
    rows = [
        "12\tassociate\tGene|1\tGene|2",
        "x\tassociate\tGene|1\tGene|2",
        "12\tlikes\tGene|1\tGene",
        "12\tassociate\tGene|1",
        "0\tassociate\tGene|1\tGene|-",
        "12\tassociate\tGene|1\tGene|-",
        f"12\tassociate\tGene|{'9' * 300}\tGene|a\x07",
        "1234567890\tassociate\tGene|1\t|3",
    ]
    path = write_statements(tmp_path, [])
    path.write_text("\n".join(rows) + "\n")
    with pytest.raises(DomainError) as raised:
        construct_file(path, tmp_path)
    places = [fault.place.removeprefix("relations.tsv, ") for fault in raised.value.faults]
    assert places == [
        "line 2, pmid",
        "line 3, relation",
        "line 3, second",
        "line 4",
        "line 5, pmid",
        "line 7, first",
        "line 7, second",
        "line 8, pmid",
        "line 8, second",
    ]
    assert all(fault.expected for fault in raised.value.faults)
    assert not (tmp_path / "out").exists()


def test_many_faults_are_counted_and_the_first_listed(tmp_path: Path) -> None:
    path = write_statements(tmp_path, [])
    path.write_text("x\tassociate\tGene|1\tGene|2\n" * 5_000)
    with pytest.raises(DomainError, match="5,000 faults") as raised:
        construct_file(path, tmp_path)
    assert len(raised.value.faults) == 200
    assert raised.value.data == {"faults_total": 5_000}


def construct_file(path: Path, folder: Path) -> None:
    make_hypothesis_set(HypothesisSetRequest([path]), folder / "out")
