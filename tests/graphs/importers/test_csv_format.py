"""The plain tables, as somebody writes them by hand or saves them from a spreadsheet."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backend.graphs.cell_encoding import join_document, join_list, split_document, split_list
from backend.graphs.importers.common.base import ImportOptions
from backend.graphs.importers.common.input_files import FileRefused
from backend.graphs.importers.registry import open_source
from backend.graphs.source_records import EdgeRow, NodeRow, RelationInfo, Section
from tests.graphs.importers.factories import (
    drop_reasons,
    edge_rows,
    node_rows,
    open_files,
    write_files,
)

GRAPH: dict[str, str | bytes] = {
    "entities.csv": (
        "type,id,name,synonyms,xrefs,document\n"
        "Drug,DRUGBANK:DB00945,Aspirin,ASA|acetylsalicylic acid,CHEBI:15365,An old drug.\n"
        "Disease,DOID:6364,migraine,,,\n"
    ),
    "edges.csv": (
        "source,relation,target,score,evidence,level,p_value,publications\n"
        "DRUGBANK:DB00945,treats,DOID:6364,-0.5,trial,high,1e-5,PMID:1|DOI:10.1/x\n"
        "DRUGBANK:DB00945,treats,DOID:6364,,,,,\n"
    ),
    "relations.csv": "name,forward,backward,symmetric\ntreats,treats,is treated by,no\n",
    "notes.txt": "made by hand",
}


def test_a_graph_in_tables_is_read_with_all_that_it_says(tmp_path: Path) -> None:
    graph = open_files(tmp_path, GRAPH)
    assert graph.format.name == "csv"
    assert graph.ignored_files == ("notes.txt",)
    assert node_rows(graph) == [
        NodeRow(
            "DRUGBANK:DB00945",
            "Drug",
            "Aspirin",
            ("ASA", "acetylsalicylic acid"),
            ("CHEBI:15365",),
            (Section("", "An old drug.", ""),),
        ),
        NodeRow("DOID:6364", "Disease", "migraine"),
    ]
    ends = ("DRUGBANK:DB00945", "treats", "DOID:6364")
    assert edge_rows(graph) == [
        EdgeRow(*ends, -0.5, "trial", "high", 1e-5, ("PMID:1", "DOI:10.1/x")),
        EdgeRow(*ends),
    ]
    assert graph.source.relations == {"treats": RelationInfo("treats", "treats", "is treated by")}


@pytest.mark.parametrize("name", ["", "   ", "\u00a0\t"])
def test_an_entity_with_a_blank_name_is_named_by_its_identifier(tmp_path: Path, name: str) -> None:
    entities = f'id,name,type\nX:1,"{name}",Gene\nX:2," BRCA1 ",Gene\n'
    edges = "source,relation,target\nX:1,binds,X:2\n"
    graph = open_files(tmp_path, {"entities.csv": entities, "edges.csv": edges})
    assert node_rows(graph) == [NodeRow("X:1", "Gene", "X:1"), NodeRow("X:2", "Gene", " BRCA1 ")]


def test_semicolons_tabs_and_upper_case_are_recognised(tmp_path: Path) -> None:
    graph = open_files(
        tmp_path,
        {
            "a.csv": 'ID; Name ;TYPE\nMESH:D1;"one; two";Drug\n',
            "b.tsv": 'source\trelation\ttarget\tevidence\nMESH:D1\tis\tMESH:D1\t"so" said\n',
        },
    )
    assert [row.name for row in node_rows(graph)] == ["one; two"]
    assert [row.evidence for row in edge_rows(graph)] == ['"so" said']


def test_columns_of_other_names_are_mapped(tmp_path: Path) -> None:
    files = {
        "nodes.csv": "key,label,class\nMESH:D1,one,Drug\n",
        "links.csv": "from,how,to,weight\nMESH:D1,is,MESH:D1,2\n",
    }
    write_files(tmp_path, files)
    with pytest.raises(FileRefused):
        open_source([tmp_path])
    mapping = {
        "id": "key",
        "name": "label",
        "type": "class",
        "source": "from",
        "relation": "how",
        "target": "to",
        "score": "weight",
    }
    graph = open_source([tmp_path], "csv", options=ImportOptions(mapping))
    assert node_rows(graph) == [NodeRow("MESH:D1", "Drug", "one")]
    assert edge_rows(graph) == [EdgeRow("MESH:D1", "is", "MESH:D1", 2.0)]


@pytest.mark.parametrize("cell", ["nan", "inf", "1e999", "1_0", "٣", "0x1", " 1", "high", "1,5"])
def test_an_invalid_score_drops_the_row(tmp_path: Path, cell: str) -> None:
    edges = f'source,relation,target,score\nA:1,r,A:1,"{cell}"\nA:1,r,A:1,.5e1\n'
    graph = open_files(tmp_path, {"entities.csv": "id,name,type\nA:1,a,T\n", "edges.csv": edges})
    assert drop_reasons(graph) == [("edges.csv", 2, "number")]
    assert [row.score for row in edge_rows(graph)] == [5.0]


@pytest.mark.parametrize("cell", ["-0.1", "1.5", "p<0.05"])
def test_an_invalid_p_value_drops_the_row(tmp_path: Path, cell: str) -> None:
    edges = f"source,relation,target,p_value\nA:1,r,A:1,{cell}\n"
    graph = open_files(tmp_path, {"entities.csv": "id,name,type\nA:1,a,T\n", "edges.csv": edges})
    assert drop_reasons(graph) == [("edges.csv", 2, "number")]


@pytest.mark.parametrize(
    "text",
    [
        "name,forward,backward,symmetric\nr,a,b,perhaps\n",
        "name,forward,backward\nr,a,b\nr,c,d\n",
        "name,forward,backward\nr,a\n",
        f"name,forward,backward\nr,a,{'b' * 501}\n",
    ],
)
def test_an_invalid_table_of_relations_is_refused(tmp_path: Path, text: str) -> None:
    graph = open_files(tmp_path, {**GRAPH, "relations.csv": text})
    with pytest.raises(FileRefused, match=r"relations\.csv"):
        _ = graph.source.relations


def test_an_escaped_formula_is_unescaped_and_other_apostrophes_are_unchanged(
    tmp_path: Path,
) -> None:
    entities = "id,name,type\nA:1,'=SUM(1),T\nA:2,''=x,T\nA:3,'tis,T\nA:4,=1+1,T\n"
    graph = open_files(tmp_path, {"entities.csv": entities, "edges.csv": GRAPH["edges.csv"]})
    assert [row.name for row in node_rows(graph)] == ["=SUM(1)", "'=x", "'tis", "=1+1"]


def test_a_document_may_have_sections(tmp_path: Path) -> None:
    sections = (Section("Use", "For pain.", "own words"), Section("", "More.", ""))
    assert split_document(join_document(sections)) == sections
    assert split_document('["not", "sections"]') == (Section("", '["not", "sections"]', ""),)
    assert split_document('[{"title": 1}]') == (Section("", '[{"title": 1}]', ""),)
    assert split_document("[" * 100_000) == (Section("", "[" * 100_000, ""),)


items = st.lists(st.text(st.sampled_from("a|\\é ") | st.characters(), min_size=1), max_size=6)


@given(items)
@example(["ends in \\\n", "more"])
def test_a_list_in_one_cell_round_trips(listed: list[str]) -> None:
    assert split_list(join_list(listed)) == tuple(listed)


@given(st.text(st.characters(exclude_characters="|"), min_size=1))
def test_a_text_without_a_bar_is_one_item_as_it_is(text: str) -> None:
    assert split_list(text) == (text,)
    assert join_list([text]) == text


@given(st.lists(st.builds(Section, st.text(), st.text(), st.text()), min_size=1, max_size=4))
def test_a_document_in_one_cell_round_trips(document: list[Section]) -> None:
    assert split_document(join_document(document)) == tuple(document)
