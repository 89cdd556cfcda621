"""Hetionet's two kinds of files give one graph. The real sample is read where it is at hand."""

import gzip
import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from backend.graphs.importers.common.drop_report import DropReport
from backend.graphs.importers.common.input_files import FileRefused, ReadLimits
from backend.graphs.importers.hetionet.format import METAEDGES, RELATIONS, SYMMETRIC
from backend.graphs.importers.registry import OpenedGraph, open_source
from backend.graphs.source_records import EdgeRow, NodeRow, Section
from tests.graphs.importers.factories import (
    drop_reasons,
    dropped_rows,
    edge_rows,
    node_rows,
    open_files,
)

NODES = (
    "id\tname\tkind\r\n"
    "Compound::DB00945\tAspirin\tCompound\r\n"
    "Gene::5742\tPTGS1\tGene\r\n"
    "Gene::5743\tPTGS2\tGene\r\n"
    "Disease::DOID:6364\tmigraine\tDisease\r\n"
    "Pathway::PC7_5\tA pathway\tPathway\r\n"
    "Pathway::WP98_r1\tAnother pathway\tPathway\r\n"
    "Side Effect::C0018681\tHeadache\tSide Effect\r\n"
    "Symptom::D006261\tHeadache\tSymptom\r\n"
    "Anatomy::UBERON:0000955\tbrain\tAnatomy\r\n"
    "Biological Process::GO:0006954\tinflammatory response\tBiological Process\r\n"
    "Pharmacologic Class::N0000000160\tA class\tPharmacologic Class\r\n"
)
EDGES = (
    "source\tmetaedge\ttarget\n"
    "Compound::DB00945\tCbG\tGene::5742\n"
    "Gene::5742\tGr>G\tGene::5743\n"
    "Gene::5742\tG<rG\tGene::5743\n"
    "Disease::DOID:6364\tCpD\tCompound::DB00945\n"
)


def tables(folder: Path, nodes: str = NODES, edges: str = EDGES) -> OpenedGraph:
    return open_files(folder, {"nodes.tsv": nodes, "edges.sif.gz": edges})


def test_identifiers_become_standard_curies(tmp_path: Path) -> None:
    graph = tables(tmp_path)
    assert graph.format.name == "hetionet"
    assert [row.id for row in node_rows(graph)] == [
        "DRUGBANK:DB00945",
        "NCBIGene:5742",
        "NCBIGene:5743",
        "DOID:6364",
        "PC7:5",
        "WIKIPATHWAYS:WP98_r1",
        "UMLS:C0018681",
        "MESH:D006261",
        "UBERON:0000955",
        "GO:0006954",
        "NDFRT:N0000000160",
    ]
    assert node_rows(graph)[0] == NodeRow("DRUGBANK:DB00945", "Compound", "Aspirin")
    assert dropped_rows(graph) == []


def test_the_sign_of_a_metaedge_gives_its_direction(tmp_path: Path) -> None:
    drug, one, two = "DRUGBANK:DB00945", "NCBIGene:5742", "NCBIGene:5743"
    assert edge_rows(tables(tmp_path)) == [
        EdgeRow(drug, "CbG", one),
        EdgeRow(one, "Gr>G", two),
        EdgeRow(two, "Gr>G", one),
        EdgeRow(drug, "CpD", "DOID:6364"),
    ]


def test_every_metaedge_has_phrases_in_both_directions() -> None:
    assert len(METAEDGES) == len(RELATIONS) == 24
    for name, info in RELATIONS.items():
        assert info.name == name and info.forward and info.backward
        assert info.symmetric == (name in SYMMETRIC)
        assert not info.symmetric or info.forward == info.backward
    assert RELATIONS["CtD"].forward == "treats"
    assert RELATIONS["CtD"].backward == "is treated by"
    assert not RELATIONS["Gr>G"].symmetric


def test_ends_that_a_metaedge_cannot_have_are_dropped(tmp_path: Path) -> None:
    edges = EDGES + (
        "Gene::5742\tCtD\tDisease::DOID:6364\n"
        "Gene::5742\tXyZ\tGene::5743\n"
        "5742\tGiG\tGene::5743\n"
        "Gene::\tGiG\tGene::5743\n"
        "Gene::5742\tGiG\n"
    )
    assert drop_reasons(tables(tmp_path, NODES + "Gene::7\tx\tDisease\r\n", edges)) == [
        ("nodes.tsv", 13, "identifier"),
        ("edges.sif.gz", 6, "relation"),
        ("edges.sif.gz", 7, "relation"),
        ("edges.sif.gz", 8, "identifier"),
        ("edges.sif.gz", 9, "identifier"),
        ("edges.sif.gz", 10, "columns"),
    ]


def test_one_of_two_files_is_not_a_graph(tmp_path: Path) -> None:
    with pytest.raises(FileRefused, match="No format matches"):
        open_files(tmp_path, {"nodes.tsv": NODES}, format_name="hetionet")


JSON: dict[str, Any] = {
    "metanode_kinds": ["Gene"],
    "metaedge_tuples": [["Gene", "Gene", "regulates", "forward"]],
    "kind_to_abbrev": {"Gene": "G"},
    "nodes": [
        {
            "kind": "Gene",
            "identifier": 5742,
            "name": "PTGS1",
            "data": {"description": "makes prostaglandins", "source": "Entrez Gene"},
        },
        {"kind": "Gene", "identifier": 5743, "name": "PTGS2", "data": {}},
        {
            "kind": "Anatomy",
            "identifier": "UBERON:0000955",
            "name": "brain",
            "data": {"mesh_id": "D001921"},
        },
        {"kind": "Compound", "identifier": "DB00945", "name": "Aspirin", "data": {}},
    ],
    "edges": [
        {
            "source_id": ["Gene", 5742],
            "target_id": ["Gene", 5743],
            "kind": "regulates",
            "direction": "forward",
            "data": {"source": "LINCS", "z_score": -3.5, "unbiased": True},
        },
        {
            "source_id": ["Compound", "DB00945"],
            "target_id": ["Gene", 5742],
            "kind": "binds",
            "direction": "both",
            "data": {"sources": ["DrugBank", "BindingDB"], "pubmed_ids": [1, 2]},
        },
        {
            "source_id": ["Gene", 5743],
            "target_id": ["Compound", "DB00945"],
            "kind": "binds",
            "direction": "both",
            "data": {"urls": ["https://www.example.org/1"], "p_fisher": 0.25},
        },
    ],
}


@pytest.mark.parametrize("indent", [None, 1])
def test_the_json_file_carries_sources_scores_and_publications(
    tmp_path: Path, indent: int | None
) -> None:
    graph = open_files(tmp_path, {"hetionet.json.bz2": json.dumps(JSON, indent=indent)})
    gene, other, brain, drug = node_rows(graph)
    assert gene.document == (Section("Description", "makes prostaglandins", "Entrez Gene"),)
    assert (other.id, other.name) == ("NCBIGene:5743", "PTGS2")
    assert brain.xrefs == ("MESH:D001921",)
    assert drug.id == "DRUGBANK:DB00945"
    assert edge_rows(graph) == [
        EdgeRow(gene.id, "Gr>G", other.id, -3.5, "LINCS"),
        EdgeRow(
            drug.id,
            "CbG",
            gene.id,
            evidence="DrugBank, BindingDB",
            publications=("PMID:1", "PMID:2"),
        ),
        EdgeRow(
            drug.id,
            "CbG",
            other.id,
            p_value=0.25,
            publications=("https://www.example.org/1",),
        ),
    ]


def test_items_that_are_not_of_the_form_are_dropped_one_by_one(tmp_path: Path) -> None:
    broken = {
        **JSON,
        "nodes": [*JSON["nodes"], 7, {"kind": "Gene"}, {"kind": "X", "identifier": 1, "name": "x"}],
        "edges": [*JSON["edges"], {**JSON["edges"][0], "target_id": "Gene"}, None],
    }
    result = [
        row.reason for row in dropped_rows(open_files(tmp_path, {"h.json": json.dumps(broken)}))
    ]
    assert result == ["json", "json", "identifier", "json", "json"]


def test_a_lone_surrogate_in_a_name_drops_the_item(tmp_path: Path) -> None:
    text = json.dumps(JSON).replace("PTGS2", "PTGS\\ud800")
    assert [row.reason for row in dropped_rows(open_files(tmp_path, {"h.json": text}))] == [
        "encoding"
    ]


@pytest.mark.parametrize(
    ("harm", "code"),
    [
        (lambda text: text[: text.index("LINCS")], "truncated"),
        (lambda text: text.replace('"PTGS2"', "NaN"), "json"),
        (lambda text: text.replace('"PTGS2"', '"PTGS2" x'), "json"),
        (lambda text: text.replace('"PTGS2"', "[" * 100_000), "json"),
        (lambda text: text.replace('"PTGS2"', "9" * 10_000), "json"),
        (lambda text: text.replace('"PTGS2"', f'"{"x" * 2_000_000}"'), "json"),
    ],
)
def test_a_json_file_that_breaks_in_the_middle_is_refused(
    tmp_path: Path, harm: Any, code: str
) -> None:
    text = harm(json.dumps(JSON))
    graph = open_files(tmp_path, {"h.json": text}, limits=ReadLimits(line_bytes=300_000))
    with pytest.raises(FileRefused) as refused:
        dropped_rows(graph)
    assert refused.value.code == code


def test_a_long_json_file_is_read_through_a_small_window(tmp_path: Path) -> None:
    nodes = [{**JSON["nodes"][1], "identifier": i, "name": "é" * 999} for i in range(1, 2_000)]
    graph = open_files(
        tmp_path, {"h.json": json.dumps({**JSON, "nodes": nodes}, ensure_ascii=False)}
    )
    assert [row.id for row in node_rows(graph)] == [f"NCBIGene:{i}" for i in range(1, 2_000)]
    assert len(edge_rows(graph)) == 3


def _counts(path: Path, column: int) -> Counter[str]:
    """An independent count: what awk finds in a column of the file, without its header."""
    text = gzip.decompress(path.read_bytes())
    program = 'NR > 1 { sub(/\\r$/, ""); n[$c]++ } END { for (k in n) print n[k] FS k }'
    program = program.replace("$c", f"${column}")
    command = ["awk", "-F", "\t", program]
    done = subprocess.run(command, input=text, capture_output=True, check=True)
    lines = [line.split("\t", 1) for line in done.stdout.decode().splitlines()]
    return Counter({name: int(number) for number, name in lines})


@pytest.mark.skipif("SERENDIB_DATA" not in os.environ, reason="SERENDIB_DATA names no folder")
def test_the_published_sample_has_the_counts_that_awk_finds() -> None:
    folder = Path(os.environ["SERENDIB_DATA"]) / "hetionet"
    graph = open_source([folder])
    report = DropReport()
    kinds = Counter(
        row.type
        for row in report.count_rows("nodes", graph.source.nodes())
        if isinstance(row, NodeRow)
    )
    relations = Counter(
        row.relation
        for row in report.count_rows("edges", graph.source.edges())
        if isinstance(row, EdgeRow)
    )
    assert not report.reasons
    assert kinds == _counts(folder / "nodes.tsv.gz", 3)
    assert relations == _counts(folder / "edges-5k.sif.gz", 2)
    assert (kinds.total(), relations.total()) == (47_031, 99_676)
