"""PubTator 3: a dictionary in a cell, composite genes, a hidden test set, papers to join."""

from pathlib import Path

import pytest

from backend.graphs.importers.common.input_files import FileRefused
from backend.graphs.importers.pubtator.format import EVIDENCE, RELATIONS, parse_mentions
from backend.graphs.importers.registry import OpenedGraph
from backend.graphs.source_records import EdgeRow, NodeRow, Section
from tests.graphs.importers.factories import drop_reasons, edge_rows, node_rows, open_files

NODES = (
    "Type\tConceptID\tmention\tmention_counts\ttax_id\n"
    'Chemical\tMESH:D001241\taspirin\t"{\'aspirin\': 9, \'ASA\': 12, ""5\'-x"": 1}"\t\n'
    "Gene\t5742\tCOX-1\t{}\t9606\n"
    "Gene\t5742;5743\tCOX\t\t\n"
    "Disease\tOMIM:157300\tmigraine\t\t\n"
    "Variant\trs7412\tE2\t\t\n"
    "CellLine\tCVCL_0030\tHeLa\t\t\n"
)
EDGES = (
    "x_id\ty_id\trelation\n"
    "Chemical|MESH:D001241\tGene|5742\tinhibit\n"
    "Chemical|MESH:D001241\tDisease|OMIM:157300\ttreat\n"
    "Gene|5742\tChemical|MESH:D001241\tpositive_correlate\n"
)
PAPERS = (
    "7\tinhibit\tChemical|MESH:D001241\tGene|5742\n"
    "12\ttreat\tDisease|OMIM:157300\tChemical|MESH:D001241\n"
    "3\ttreat\tChemical|MESH:D001241\tDisease|OMIM:157300\n"
    "3\ttreat\tChemical|MESH:D001241\tDisease|OMIM:157300\n"
    "9\tcause\tChemical|MESH:D001241\tDisease|OMIM:157300\n"
)
TEST = (
    "x_id\ty_id\tx_type\ty_type\trel_type\trelation\tquestion\n"
    "Chemical|MESH:D001241\tGene|5742\tChemical\tGene\tx\tstimulate\tIs it?\n"
)
DRUG, GENE, DISEASE = "MESH:D001241", "NCBIGene:5742", "OMIM:157300"


def truthhypo(folder: Path, **files: str) -> OpenedGraph:
    named = {"nodes.tsv": files.pop("nodes", NODES)}
    return open_files(folder, {**named, **{f"{name}.tsv.gz": text for name, text in files.items()}})


def test_concepts_become_entities_with_their_commonest_mentions(tmp_path: Path) -> None:
    graph = truthhypo(tmp_path, edges_train=EDGES)
    assert graph.format.name == "pubtator"
    drug, gene, genes, disease, variant, cell = node_rows(graph)
    assert drug == NodeRow(DRUG, "Chemical", "aspirin", ("ASA", "5'-x"))
    assert gene.document == (Section("Species", "9606", "PubTator 3"),)
    assert (genes.id, disease.id) == ("PUBTATOR.Gene:5742;5743", DISEASE)
    assert (variant.id, cell.id) == ("DBSNP:rs7412", "CVCL:0030")


def test_papers_are_joined_to_the_edges_whichever_end_comes_first(tmp_path: Path) -> None:
    assert edge_rows(truthhypo(tmp_path, edges_train=EDGES, relation2pubtator3=PAPERS)) == [
        EdgeRow(DRUG, "inhibit", GENE, None, EVIDENCE, publications=("PMID:7",), first_pmid=7),
        EdgeRow(DRUG, "treat", DISEASE, None, EVIDENCE, "", None, ("PMID:3", "PMID:12"), 3),
        EdgeRow(DRUG, "positive_correlate", GENE, evidence=EVIDENCE),
    ]


def test_without_edges_of_its_own_each_extracted_relation_is_an_edge(tmp_path: Path) -> None:
    edges = edge_rows(truthhypo(tmp_path, relation2pubtator3=PAPERS))
    assert len(edges) == 5
    assert edges[1] == EdgeRow(DRUG, "treat", DISEASE, None, EVIDENCE, "", None, ("PMID:12",), 12)


def test_an_edge_has_at_most_twenty_papers(tmp_path: Path) -> None:
    papers = "".join(
        f"{number}\tinhibit\tChemical|MESH:D001241\tGene|5742\n" for number in range(1, 31)
    )
    first, *_ = edge_rows(truthhypo(tmp_path, edges_train=EDGES, relation2pubtator3=papers))
    assert first.publications == tuple(f"PMID:{number}" for number in range(1, 21))


def test_an_edge_was_first_seen_in_the_earliest_of_all_its_papers(tmp_path: Path) -> None:
    papers = "".join(
        f"{number}\tinhibit\tChemical|MESH:D001241\tGene|5742\n" for number in range(130, 100, -1)
    )
    first, *_ = edge_rows(truthhypo(tmp_path, edges_train=EDGES, relation2pubtator3=papers))
    assert len(first.publications) == 20 and "PMID:101" not in first.publications
    assert first.first_pmid == 101


def test_a_column_of_the_edges_dates_them_unless_a_paper_is_earlier(tmp_path: Path) -> None:
    edges = (
        "x_id\ty_id\trelation\tfirst_seen\n"
        "Chemical|MESH:D001241\tGene|5742\tinhibit\t9\n"
        "Chemical|MESH:D001241\tDisease|OMIM:157300\ttreat\t2\n"
        "Gene|5742\tChemical|MESH:D001241\tpositive_correlate\t\n"
        "Gene|5742\tChemical|MESH:D001241\tassociate\t-3\n"
    )
    graph = truthhypo(tmp_path, edges_train=edges, relation2pubtator3=PAPERS)
    assert [edge.first_pmid for edge in edge_rows(graph)] == [7, 2, None]
    assert drop_reasons(graph) == [("edges_train.tsv.gz", 5, "number")]


def test_articles_of_an_edge_may_stand_in_a_column_of_it(tmp_path: Path) -> None:
    pmids = "|".join(map(str, range(1, 31)))
    edges = (
        "x_id\ty_id\trelation\tfirst_seen\tpmids\n"
        f"Chemical|MESH:D001241\tGene|5742\tinhibit\t1\t{pmids}\n"
        "Chemical|MESH:D001241\tDisease|OMIM:157300\ttreat\t2\t\n"
        "Gene|5742\tChemical|MESH:D001241\tpositive_correlate\t\t5|x\n"
    )
    graph = truthhypo(tmp_path, edges_train=edges)
    first, second = edge_rows(graph)
    assert first.publications == tuple(f"PMID:{number}" for number in range(1, 21))
    assert (first.first_pmid, second.publications) == (1, ())
    assert drop_reasons(graph) == [("edges_train.tsv.gz", 4, "number")]


def test_the_unseen_graph_never_becomes_part_of_the_seen_one(tmp_path: Path) -> None:
    unseen = EDGES.replace("relation\n", "relation\tfirst_unseen\n").replace("t\n", "t\t8\n")
    graph = truthhypo(tmp_path, edges_train=EDGES, edges_unseen=unseen)
    assert graph.ignored_files == ("edges_unseen.tsv.gz",)
    assert len(edge_rows(graph)) == 3


def test_the_hidden_test_set_never_becomes_part_of_the_graph(tmp_path: Path) -> None:
    graph = truthhypo(tmp_path, edges_train=EDGES, edges_test=TEST)
    assert graph.ignored_files == ("edges_test.tsv.gz",)
    assert all(edge.relation != "stimulate" for edge in edge_rows(graph))
    with pytest.raises(FileRefused):
        truthhypo(tmp_path / "alone", edges_test=TEST)


def test_rows_without_an_identifier_are_dropped_with_a_reason(tmp_path: Path) -> None:
    nodes = NODES + "Chemical\t-\tx\t\t\nGene\t1\tx\t__import__('os')\t\nGene\t2\tx\t[1]\t\n"
    edges = EDGES + "Chemical|-\tGene|1\ttreat\nGene|1\tGene|2\tadore\nGene\tGene|2\ttreat\n"
    assert drop_reasons(truthhypo(tmp_path, nodes=nodes, edges_train=edges)) == [
        ("nodes.tsv", 8, "identifier"),
        ("nodes.tsv", 9, "literal"),
        ("nodes.tsv", 10, "literal"),
        ("edges_train.tsv.gz", 5, "identifier"),
        ("edges_train.tsv.gz", 6, "relation"),
        ("edges_train.tsv.gz", 7, "identifier"),
    ]


@pytest.mark.parametrize("cell", ["{", "{'a': 'b'}", "(" * 10_000, "{1: 2}", "x" * 1_000_001])
def test_an_invalid_list_of_mentions_is_refused_and_never_evaluated(cell: str) -> None:
    assert parse_mentions(cell) is None


def test_every_relation_has_phrases_in_both_directions() -> None:
    assert len(RELATIONS) == 13
    assert all(info.forward and info.backward for info in RELATIONS.values())
