"""Text-mined networks: predications of SemRep and SemMedDB, and concepts of papers."""

from collections import defaultdict
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.graphs.importers.common.input_files import FileRefused
from backend.graphs.importers.paper_concepts.format import RELATION
from backend.graphs.importers.registry import OpenedGraph
from backend.graphs.importers.semrep.format import EVIDENCE, RELATIONS
from backend.graphs.importers.semrep.predications import TYPES
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.dated_view import get_edge_dates
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from tests.graphs.importers.factories import drop_reasons, edge_rows, node_rows, open_files

ASPIRIN = "C0004057|Aspirin|orch,phsu|phsu|||aspirin|||0|1000|10|17"
PATIENTS = "C0030705|Patients|podg|podg|||patients|||0|1000|30|38"
COX = "|PTGS2|gngm|gngm|5743,5742|PTGS2,PTGS1|cox-2|||0|900|50|55"
FIELDED = "".join(
    f"{line}\n"
    for line in (
        "[0]: *** ERROR *** ERROR *** ERROR ***",
        "SE|68||ti|1|text|15|92|Aspirin|inhibits|COX-2 in patients.",
        "SE|68||ti|1|entity|C0004057|Aspirin|orch,phsu|||aspirin|||0|1000|10|17",
        "",
        f"SE|68||ti|1|relation|1|1|{ASPIRIN}|VERB|INHIBITS||18|26|1|1|{COX}",
        f"SE|68||ab|2|relation|1|1|{ASPIRIN}|VERB|INHIBITS||18|26|1|1|{COX}",
        f"SE|7||ab|1|relation|1|1|{ASPIRIN}|PREP|TREATS|negation|18|26|1|1|{PATIENTS}",
        f"SE|9||ab|1|relation|1|1|{ASPIRIN}|VERB|INHIBITS||18|26|1|1|{COX}",
        f"SE|9||ab|1|relation|1|1|{ASPIRIN}|VERB|INHIBITS||18|26",
        f"SE|x||ab|1|relation|1|1|{ASPIRIN}|VERB|INHIBITS||18|26|1|1|{COX}",
        f"SE|9||ab|1|relation|1|1|{ASPIRIN}|VERB|IN HIBITS||18|26|1|1|{COX}",
        f"SE|9||ab|1|relation|1|1||nothing||||||||||||VERB|USES||18|26|1|1|{COX}",
    )
)
PREDICATIONS = (
    '"10","16","68","COEXISTS_WITH","C0030705","Patients","podg","0","C0004057","Aspirin, pure"'
    ',"phsu","1",\\N,\\N,\\N\n'
    '"11","17","9","COEXISTS_WITH","C0004057","Aspirin","phsu","1","C0030705","Patients","podg"'
    ',"0",\\N,\\N,\\N\n'
    '"12","18","9","INTERACTS_WITH","C1234567|3553","IL1 \\"b\\"|IL1B","aapp","1","5743","PTGS2"'
    ',"gngm","1",\\N,\\N,\\N\n'
)
CITATIONS = (
    '"68","0006-2944","1975 Jun","1976-01-16","1975"\n'
    '"9","0006-2944","1971","1971-01-16","1971"\n'
    '"5","0006-2944","","",\\N\n'
)
UMLS_ASPIRIN, UMLS_PATIENTS, GENE = "UMLS:C0004057", "UMLS:C0030705", "NCBIGene:5743"


def test_a_statement_of_several_sentences_and_papers_is_one_edge(tmp_path: Path) -> None:
    graph = open_files(tmp_path, {"out.semrep": FIELDED})
    assert graph.format.name == "semrep"
    assert edge_rows(graph) == [
        edge(UMLS_ASPIRIN, "INHIBITS", GENE, papers=(9, 68), first_pmid=9),
        edge(UMLS_ASPIRIN, "NEG_TREATS", UMLS_PATIENTS, papers=(7,), first_pmid=7),
    ]
    assert node_rows(graph) == [
        NodeRow(UMLS_ASPIRIN, "Pharmacologic Substance", "Aspirin"),
        NodeRow(GENE, "Gene or Genome", "PTGS2"),
        NodeRow(UMLS_PATIENTS, "Patient or Disabled Group", "Patients"),
    ]


def edge(
    source: str,
    relation: str,
    target: str,
    *,
    papers: tuple[int, ...],
    first_pmid: int | None = None,
    first_year: int | None = None,
) -> EdgeRow:
    return EdgeRow(
        source,
        relation,
        target,
        float(len(papers)),
        EVIDENCE,
        publications=tuple(f"PMID:{one}" for one in papers),
        first_pmid=first_pmid,
        first_year=first_year,
        date_source="first paper that states it" if first_year else "",
    )


def test_relations_that_cannot_be_read_are_dropped_with_their_line(tmp_path: Path) -> None:
    graph = open_files(tmp_path, {"out.semrep": FIELDED})
    assert drop_reasons(graph) == [
        ("out.semrep", 9, "columns"),
        ("out.semrep", 10, "number"),
        ("out.semrep", 11, "relation"),
        ("out.semrep", 12, "identifier"),
    ]


def test_semmeddb_is_dated_by_its_citations_and_symmetric_statements_are_one(
    tmp_path: Path,
) -> None:
    files = {"PREDICATION.csv.gz": PREDICATIONS, "CITATIONS.csv.gz": CITATIONS}
    graph = open_files(tmp_path, files)
    assert graph.ignored_files == ()
    assert edge_rows(graph) == [
        edge(GENE, "INTERACTS_WITH", "UMLS:C1234567", papers=(9,), first_year=1971),
        edge(UMLS_ASPIRIN, "COEXISTS_WITH", UMLS_PATIENTS, papers=(9, 68), first_year=1971),
    ]
    assert [one.name for one in node_rows(graph)] == [
        "Patients",
        "Aspirin, pure",
        'IL1 "b"',
        "PTGS2",
    ]
    assert drop_reasons(graph) == []


@pytest.mark.parametrize("width", [12, 15])
def test_a_header_line_and_the_shorter_older_table_are_read_too(tmp_path: Path, width: int) -> None:
    names = [
        "PREDICATION_ID",
        "SENTENCE_ID",
        "PMID",
        "PREDICATE",
        "SUBJECT_CUI",
        "SUBJECT_NAME",
        "SUBJECT_SEMTYPE",
        "SUBJECT_NOVELTY",
        "OBJECT_CUI",
        "OBJECT_NAME",
        "OBJECT_SEMTYPE",
        "OBJECT_NOVELTY",
        "FACT_VALUE",
        "MOD_SCALE",
        "MOD_VALUE",
    ]
    rows = [*PREDICATIONS.splitlines()]
    shortened = [row.removesuffix(",\\N" * 3) + ",\\N" * (width - 12) for row in rows]
    text = "\n".join([",".join(names[:width]), *shortened, ""])
    citations = f"PMID,ISSN,DP,EDAT,PYEAR\n{CITATIONS.splitlines()[0]}\n"
    graph = open_files(tmp_path, {"p.csv": text, "c.csv": citations})
    assert [one.first_year for one in edge_rows(graph)] == [None, 1975]
    headless = open_files(tmp_path / "other", {"p.csv": "\n".join([*shortened, ""])})
    assert [{*one.publications} for one in edge_rows(headless)] == [
        {*one.publications} for one in edge_rows(graph)
    ]


def test_a_table_of_papers_dates_predications_too(tmp_path: Path) -> None:
    papers = "pmid\tdate\tcuis\n68\t1975-03\tC0004057\n9\t\tC0004057\n7\tsoon\tC0004057\n"
    graph = open_files(tmp_path, {"out.semrep": FIELDED, "papers.tsv": papers})
    assert graph.format.name == "semrep"
    assert [one.first_year for one in edge_rows(graph)] == [1975, None]
    assert edge_rows(graph)[0].publications == ("PMID:68", "PMID:9")
    assert ("papers.tsv", 4, "number") in drop_reasons(graph)


def test_every_predicate_of_semrep_has_a_phrase_both_ways() -> None:
    assert len(RELATIONS) == 30
    assert all(one.forward and one.backward for one in RELATIONS.values())
    assert (len(TYPES), TYPES["podg"]) == (138, "Patient or Disabled Group")


CONCEPTS = [f"C000000{one}" for one in range(6)]
listed_papers = st.lists(
    st.tuples(st.integers(1990, 1993), st.sets(st.sampled_from(CONCEPTS), max_size=4)), max_size=15
)


@settings(max_examples=30)
@given(listed_papers)
def test_concepts_of_papers_are_linked_as_pair_by_pair(
    tmp_path_factory: pytest.TempPathFactory, papers: list[tuple[int, set[str]]]
) -> None:
    lines = [
        f"{number}\t{year}-06\t{'|'.join(sorted(names))}"
        for number, (year, names) in enumerate(papers, start=1)
    ]
    graph = open_concepts(tmp_path_factory.mktemp("papers"), "\n".join(lines))
    expected: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for number, (year, names) in enumerate(papers, start=1):
        for pair in combinations(sorted(f"UMLS:{name}" for name in names), 2):
            expected[pair].append((year, number))
    edges = {(one.source, one.target): one for one in edge_rows(graph)}
    assert edges.keys() == expected.keys()
    for pair, mentions in expected.items():
        one, first = edges[pair], sorted(mentions)
        assert (one.relation, one.first_year, one.score) == (RELATION, first[0][0], len(first))
        assert one.publications == tuple(f"PMID:{number}" for _, number in first)
    assert {one.id for one in node_rows(graph)} == {
        f"UMLS:{name}" for _, names in papers for name in names
    }


def open_concepts(folder: Path, lines: str) -> OpenedGraph:
    named = "cui,name,type\nC0000001,Patients,Patient or Disabled Group\n"
    return open_files(folder, {"p.tsv": f"pmid\tdate\tcuis\n{lines}\n", "names.csv": named})


def test_concepts_have_names_and_types_where_a_table_names_them(tmp_path: Path) -> None:
    graph = open_concepts(tmp_path, "1\t1999\tC0000001|C0000002\n1\t1999\tC0000001\nx\t1999\tC1")
    assert graph.format.name == "paper-concepts"
    assert node_rows(graph) == [
        NodeRow("UMLS:C0000001", "Patient or Disabled Group", "Patients"),
        NodeRow("UMLS:C0000002", "Concept", "UMLS:C0000002"),
    ]
    assert drop_reasons(graph) == [("p.tsv", 3, "repeated"), ("p.tsv", 4, "number")]


def test_a_text_mined_network_is_a_graph_with_years(tmp_path: Path) -> None:
    files = {"PREDICATION.csv": PREDICATIONS, "CITATIONS.csv": CITATIONS}
    opened = open_files(tmp_path / "files", files)
    graph = open_snapshot(build_snapshot(opened.source, tmp_path / "graph").path)
    dates = get_edge_dates(graph)
    assert dates is not None
    assert (dates.unit, sorted(dates.values.tolist())) == ("year", [1971, 1971])


def test_other_tables_are_not_taken_for_predications(tmp_path: Path) -> None:
    with pytest.raises(FileRefused):
        open_files(tmp_path, {"a.csv": "1,2,3,four,5\n"}, format_name="semrep")
