"""Curated pairs and papers: the graph equals one that is made pair by pair, with sets."""

from collections import Counter, defaultdict
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.common.errors import DomainError
from backend.graphs.curated_pairs import cross_reference, dated_pairs
from backend.graphs.curated_pairs.concept_map import ConceptMap
from backend.graphs.curated_pairs.cross_reference import MOST_DATABASES, PairCollector
from backend.graphs.curated_pairs.dated_pairs import PairDates
from backend.graphs.curated_pairs.dynamic_graph import DynamicGraph
from backend.graphs.curated_pairs.pair_tables import CuratedPair, PairTable
from backend.graphs.importers.common.input_files import FileRefused, InputFile, find_input_files
from backend.graphs.importers.paper_concepts.paper_table import (
    MOST_CONCEPTS,
    PaperConcepts,
    PaperNumbers,
    PaperTable,
)
from backend.graphs.source_records import EdgeRow, MalformedRow
from tests.graphs.importers.factories import write_files

NAMES = "ABCDEFG"
CONCEPT_MAP = {"A": ["C1"], "B": ["C2", "C3"], "C": ["C3"], "D": ["C4"], "E": ["C5", "C1"]}
identifiers = st.sampled_from(NAMES)
databases = st.sampled_from(["KEGG", "CTD", "STRING"])
curated = st.lists(st.builds(CuratedPair, identifiers, identifiers, databases), max_size=30)
concept_sets = st.sets(st.sampled_from(["C1", "C2", "C3", "C4", "C5", "C6"]), max_size=5)
papers = st.lists(st.tuples(st.integers(1990, 1995), concept_sets), max_size=40)


def concept_map(tmp_path: Path) -> ConceptMap:
    lines = [f"{one},{cui},name of {cui},Gene" for one, cuis in CONCEPT_MAP.items() for cui in cuis]
    concepts = ConceptMap()
    concepts.read(a_file(tmp_path, "map.csv", "\n".join(["id,cui,name,type", *lines])))
    return concepts


def a_file(folder: Path, name: str, text: str | bytes) -> InputFile:
    return find_input_files([write_files(folder, {name: text}) / name])[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pairs")


@given(curated, papers)
def test_the_graph_equals_one_that_is_made_pair_by_pair(
    folder: Path, pairs: list[CuratedPair], listed: list[tuple[int, set[str]]]
) -> None:
    given_papers = [
        PaperConcepts(number, year, tuple(sorted(names)))
        for number, (year, names) in enumerate(listed, start=1)
    ]
    expected: dict[frozenset[str], set[str]] = defaultdict(set)
    for pair in pairs:
        for one, other in product(*(CONCEPT_MAP.get(it, []) for it in (pair.subject, pair.object))):
            if one != other:
                expected[frozenset((one, other))].add(pair.database)
    mentions: dict[frozenset[str], list[tuple[int, int]]] = defaultdict(list)
    for paper in given_papers:
        for ends in map(frozenset, combinations(paper.concepts, 2)):
            if ends in expected:
                mentions[ends].append((paper.year, paper.pmid))

    graph = graph_of(concept_map(folder), pairs, given_papers)

    edges = {frozenset((row.source, row.target)): row for row in graph.edges()}
    assert edges.keys() == mentions.keys()
    for ends, row in edges.items():
        first = sorted(mentions[ends])
        assert (row.first_year, row.score) == (first[0][0], len(first))
        assert row.publications == tuple(f"PMID:{pmid}" for _, pmid in first[:20])
        assert {*row.evidence.split("; ")} == expected[ends]
    assert {row.id for row in graph.nodes()} == {end for ends in edges for end in ends}
    yearly = {(frozenset(row[:2]), row[2]): row[3] for row in graph.mention_rows()}
    assert yearly == {
        (ends, str(year)): str(count)
        for ends, dates in mentions.items()
        for year, count in Counter(year for year, _ in dates).items()
    }
    unmentioned = {frozenset(row[:2]): {*row[2].split("; ")} for row in graph.unmentioned_rows()}
    assert unmentioned == {ends: expected[ends] for ends in expected.keys() - mentions.keys()}


def graph_of(
    concepts: ConceptMap, pairs: list[CuratedPair], given_papers: list[PaperConcepts]
) -> DynamicGraph:
    collector = PairCollector(concepts)
    for pair in pairs:
        collector.add(pair)
    merged = collector.pairs()
    dates = PairDates(merged)
    for mentions in merged.find_mentions(given_papers):
        dates.add(mentions)
    return DynamicGraph(merged, dates)


def test_papers_in_batches_give_the_same_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More papers than are listed of a pair, the earliest of them last."""
    pairs = [CuratedPair("A", "B", "KEGG"), CuratedPair("D", "A", "CTD")]
    given_papers = [
        PaperConcepts(number, 2030 - number % 30, ("C1", "C2", "C4")) for number in range(1, 101)
    ]
    whole = [*graph_of(concept_map(tmp_path), pairs, given_papers).edges()]
    monkeypatch.setattr(cross_reference, "BATCH", 7)
    assert [*graph_of(concept_map(tmp_path), pairs, given_papers).edges()] == whole
    assert [row.score for row in whole] == [100, 100]
    assert len(whole[0].publications) == dated_pairs.MOST_PAPERS
    assert whole[0].publications[:3] == ("PMID:29", "PMID:59", "PMID:89")
    assert whole[0].first_year == 2001


def test_unmapped_identifiers_and_pairs_of_one_concept_are_counted(tmp_path: Path) -> None:
    collector = PairCollector(concept_map(tmp_path))
    for one, other in ("AB", "AZ", "ZZ", "AA", "BC"):
        collector.add(CuratedPair(one, other, "KEGG"))
    assert collector.dropped == {"unmapped": 2, "same_concept": 1}
    assert len(collector.pairs().keys) == 3  # C1-C2, C1-C3; C2-C3 of B and C, where C3 is in both


def test_without_a_map_identifiers_are_concepts() -> None:
    graph = graph_of(
        ConceptMap(),
        [CuratedPair("MESH:D1", "MESH:D2", "mine")],
        [PaperConcepts(7, 1999, ("MESH:D1", "MESH:D2", "MESH:D3"))],
    )
    assert [*graph.edges()] == [
        EdgeRow(
            "MESH:D1",
            "associated_with",
            "MESH:D2",
            score=1.0,
            evidence="mine",
            publications=("PMID:7",),
            first_year=1999,
            date_source="first paper with both concepts",
        )
    ]
    assert [row.type for row in graph.nodes()] == ["Concept", "Concept"]


def test_more_databases_than_a_pair_can_store_are_refused() -> None:
    collector = PairCollector(ConceptMap())
    for number in range(MOST_DATABASES):
        collector.add(CuratedPair("A", "B", str(number)))
    assert len(collector.pairs().databases_of(0)) == MOST_DATABASES
    with pytest.raises(DomainError, match="more than 62 databases"):
        collector.add(CuratedPair("A", "B", "one more"))


CTD = (
    "# Report created: Mon Nov 30 2026\n#\n# Fields:\n"
    "# ChemicalName\tChemicalID\tCasRN\tDiseaseName\tDiseaseID\tDirectEvidence\t"
    "InferenceGeneSymbol\tInferenceScore\tOmimIDs\tPubMedIDs\n#\n"
    "Aspirin\tD001241\t50-78-2\tStroke\tMESH:D020521\ttherapeutic\t\t\t\t1|2\n"
    "Aspirin\tD001241\t50-78-2\tGout\tMESH:D006073\t\tTP53\t4.2\t\t3\n"
)
DISGENET = (
    "geneId\tgeneSymbol\tdiseaseId\tdiseaseName\tYearInitial\tsource\n"
    "7157\tTP53\tC0006142\tBreast cancer\t1990\tCTD_human\n"
)
STRING = "protein1 protein2 combined_score\n9606.ENSP1 9606.ENSP2 913\n"
KEGG = "hsa:7157\tds:H00031\nhsa:672\tds:H00031\n"


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        (CTD, [("MESH:D001241", "MESH:D020521", "CTD")]),
        (DISGENET, [("NCBIGene:7157", "UMLS:C0006142", "DisGeNET")]),
        (STRING, [("STRING:9606.ENSP1", "STRING:9606.ENSP2", "STRING")]),
        (KEGG, [("hsa:7157", "ds:H00031", "KEGG"), ("hsa:672", "ds:H00031", "KEGG")]),
        ("subject,object,database\nX:1,X:2,mine\n", [("X:1", "X:2", "mine")]),
        ("Object;Subject\nX:2;X:1\n", [("X:1", "X:2", "table.tsv")]),
    ],
    ids=["ctd", "disgenet", "string", "kegg", "database", "semicolons"],
)
def test_tables_of_databases_are_recognised(
    tmp_path: Path, text: str, pairs: list[tuple[str, str, str]]
) -> None:
    skipped: Counter[str] = Counter()
    table = PairTable(a_file(tmp_path, "table.tsv", text), {}, skipped)
    assert [*table] == [CuratedPair(*pair) for pair in pairs]
    assert skipped == ({"inferred": 1} if text == CTD else {})


def test_columns_of_other_tables_are_named(tmp_path: Path) -> None:
    text = "Protein A;Gene A;Protein B;Score\nP04637;TP53;Q00987;0.9\n;;Q1;1\nP1;x\n"
    file = a_file(tmp_path, "table.csv", text)
    mapping = {"subject": "Protein A", "object": "Protein B"}
    known = a_file(tmp_path, "ctd.tsv", CTD)
    assert [
        one.database for one in PairTable(known, mapping, Counter()) if isinstance(one, CuratedPair)
    ] == ["CTD"]
    first, *faults = PairTable(file, mapping, Counter())
    assert first == CuratedPair("P04637", "Q00987", "table.csv")
    assert [(it.line, it.reason) for it in faults if isinstance(it, MalformedRow)] == [
        (3, "missing"),
        (4, "columns"),
    ]
    with pytest.raises(FileRefused, match="no columns subject and object") as refused:
        [*PairTable(file, {}, Counter())]
    assert "CTD, DisGeNET, STRING, KEGG" in refused.value.faults[0].expected


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("0\t1999\tC1", "number"),
        ("12x\t1999\tC1", "number"),
        ("1234567890\t1999\tC1", "number"),
        ("9" * 5000 + "\t1999\tC1", "number"),
        ("٣\t1999\tC1", "number"),
        ("2\t99\tC1", "number"),
        ("2\t19999\tC1", "number"),
        ("2\t199905012\tC1", "number"),
        ("2\t\tC1", "number"),
        ("1\t1999\tC1", "repeated"),
        ("2\t1999\t" + "|".join(f"C{n}" for n in range(MOST_CONCEPTS + 1)), "too_long"),
    ],
)
def test_a_paper_that_cannot_be_read_has_its_line_and_reason(
    tmp_path: Path, line: str, reason: str
) -> None:
    text = f"PMID\tdate\tCUIs\n1\t1998-05\tC2; C1\n{line}\n"
    paper, fault = PaperTable(a_file(tmp_path, "papers.tsv", text), PaperNumbers())
    assert paper == PaperConcepts(1, 1998, ("C1", "C2"))
    assert isinstance(fault, MalformedRow)
    assert (fault.file, fault.line, fault.reason) == ("papers.tsv", 3, reason)


def test_papers_without_a_column_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileRefused, match="no column cuis"):
        [*PaperTable(a_file(tmp_path, "p.csv", "pmid,date\n1,1999\n"), PaperNumbers())]


@pytest.mark.parametrize("date", ["1999", "1999-05-12", "1999 May", "199905", "19990512"])
def test_the_year_of_a_paper_is_the_beginning_of_its_date(tmp_path: Path, date: str) -> None:
    file = a_file(tmp_path, "p.csv", f"pmid,date,cuis\n1,{date},C0000001\n")
    assert [*PaperTable(file, PaperNumbers())] == [PaperConcepts(1, 1999, ("UMLS:C0000001",))]


def test_concepts_of_umls_are_the_same_with_and_without_their_prefix(tmp_path: Path) -> None:
    concepts = ConceptMap()
    concepts.read(a_file(tmp_path, "map.csv", "id,cui\nA,umls:C0000001\nB,C0000002\n"))
    text = "pmid,date,cuis\n1,1999,C0000001|UMLS:C0000002\n"
    papers = [*PaperTable(a_file(tmp_path, "p.csv", text), PaperNumbers())]
    read = [one for one in papers if isinstance(one, PaperConcepts)]
    (edge,) = graph_of(concepts, [CuratedPair("A", "B", "mine")], read).edges()
    assert (edge.source, edge.target) == ("UMLS:C0000001", "UMLS:C0000002")
