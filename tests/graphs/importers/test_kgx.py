"""KGX as other people write it: tables and JSON lines of the Biolink model."""

import json
from pathlib import Path

import pytest

from backend.graphs.importers.kgx.biolink import (
    RELATIONS,
    category_for,
    predicate_for,
    type_for_categories,
)
from backend.graphs.importers.registry import OpenedGraph
from backend.graphs.source_records import EdgeRow, NodeRow, Section
from tests.graphs.importers.factories import drop_reasons, edge_rows, node_rows, open_files

NODES: list[dict[str, object]] = [
    {
        "id": "DRUGBANK:DB00945",
        "category": ["biolink:ChemicalEntity", "biolink:NamedThing"],
        "name": 'Aspirin "ASA"',
        "synonym": ["ASA", "1,2-acid"],
        "xref": ["CHEBI:15365"],
        "description": "An old drug.",
        "provided_by": "infores:drugbank",
    },
    {"id": "HP:0002315", "category": ["biolink:NamedThing", "biolink:PhenotypicFeature"]},
]
EDGES: list[dict[str, object]] = [
    {
        "id": "e1",
        "subject": "DRUGBANK:DB00945",
        "predicate": "biolink:treats",
        "object": "HP:0002315",
        "primary_knowledge_source": "infores:ctd",
        "knowledge_level": "knowledge_assertion",
        "agent_type": "manual_agent",
        "publications": ["PMID:1", "PMID:2"],
        "score": 0.5,
        "p_value": 1e-9,
        "negated": False,
    },
    {
        "id": "e2",
        "subject": "DRUGBANK:DB00945",
        "predicate": "biolink:causes",
        "object": "HP:0002315",
        "negated": True,
    },
]


def as_table(records: list[dict[str, object]]) -> str:
    columns = list(records[0])

    def cell(value: object) -> str:
        return "|".join(value) if isinstance(value, list) else str(value)

    rows = [[cell(record.get(column, "")) for column in columns] for record in records]
    return "".join("\t".join(row) + "\n" for row in [columns, *rows])


def as_lines(records: list[dict[str, object]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture(params=["tables", "lines", "both"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> OpenedGraph:
    files: dict[str, str | bytes] = {
        "g_nodes.jsonl" if request.param == "lines" else "g_nodes.tsv": (
            as_lines(NODES) if request.param == "lines" else as_table(NODES)
        ),
        "g_edges.tsv.gz" if request.param == "tables" else "g_edges.jsonl": (
            as_table(EDGES) if request.param == "tables" else as_lines(EDGES)
        ),
    }
    return open_files(tmp_path, files)


def test_nodes_and_edges_are_read_in_words(graph: OpenedGraph) -> None:
    assert graph.format.name == "kgx"
    assert node_rows(graph) == [
        NodeRow(
            "DRUGBANK:DB00945",
            "Chemical",
            'Aspirin "ASA"',
            ("ASA", "1,2-acid"),
            ("CHEBI:15365",),
            (Section("Description", "An old drug.", "drugbank"),),
        ),
        NodeRow("HP:0002315", "Phenotype", "HP:0002315"),
    ]
    assert edge_rows(graph) == [
        EdgeRow(
            "DRUGBANK:DB00945",
            "treats",
            "HP:0002315",
            0.5,
            "ctd (knowledge assertion)",
            "",
            1e-9,
            ("PMID:1", "PMID:2"),
        ),
        EdgeRow("DRUGBANK:DB00945", "not causes", "HP:0002315"),
    ]


def test_lines_that_break_the_form_are_dropped_one_by_one(tmp_path: Path) -> None:
    lines = as_lines(EDGES)
    broken = lines + '{"subject": "A:1"\n[1]\n{"subject": "A:1", "object": "A:2"}\n{"score": NaN}\n'
    graph = open_files(
        tmp_path,
        {"nodes.jsonl": as_lines(NODES), "edges.jsonl": broken},
    )
    assert drop_reasons(graph) == [
        ("edges.jsonl", 3, "json"),
        ("edges.jsonl", 4, "json"),
        ("edges.jsonl", 5, "missing"),
        ("edges.jsonl", 6, "json"),
    ]


def test_a_score_that_is_text_drops_the_edge(tmp_path: Path) -> None:
    edges = as_lines([{**EDGES[0], "score": "high"}, {**EDGES[0], "p_value": 2}])
    nodes = as_lines(NODES)
    graph = open_files(tmp_path, {"nodes.jsonl": nodes, "edges.jsonl": edges})
    assert [reason for _, _, reason in drop_reasons(graph)] == ["number", "number"]


@pytest.mark.parametrize(
    ("categories", "kind"),
    [
        (["biolink:SmallMolecule"], "Small molecule"),
        (["biolink:Entity", "biolink:DiseaseOrPhenotypicFeature", "biolink:Disease"], "Disease"),
        (["biolink:NamedThing"], "Named thing"),
        (["biolink:RNAProduct"], "RNA product"),
        (["custom:Thing"], "custom:Thing"),
        ([], ""),
    ],
)
def test_a_category_becomes_a_type_in_words(categories: list[str], kind: str) -> None:
    assert type_for_categories(categories) == kind


def test_types_and_relations_map_back_to_biolink() -> None:
    assert category_for("Drug") == "biolink:Drug"
    assert category_for("gene/protein") == "biolink:Gene"
    assert category_for("Phenotype") == "biolink:PhenotypicFeature"
    assert category_for("Spaceship") == "biolink:NamedThing"
    assert predicate_for("CtD", "treats") == "biolink:treats"
    assert predicate_for("causes", "") == "biolink:causes"
    assert predicate_for("GiG", "interacts with") == "biolink:interacts_with"
    assert predicate_for("x", "does something else to") == "biolink:related_to"


def test_every_predicate_has_phrases_in_both_directions() -> None:
    assert all(info.forward and info.backward for info in RELATIONS.values())
