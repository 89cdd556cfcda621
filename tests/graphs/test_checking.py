"""Identifiers held against files that a user has: what is told, and what is refused."""

from __future__ import annotations

import gzip
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from backend.graphs.checking import compare
from backend.graphs.importers.files import FileRefused
from backend.graphs.management.commands.check_graph_identifiers import Command

ENTITIES = """id,name,type,synonyms,xrefs
DRUGBANK:DB01041,Thalidomide,Drug,Contergan,
DRUGBANK:DB00945,Acetylsalicylic acid,Drug,aspirin,
UniProtKB:P35354,cyclooxygenase-2,Protein,PTGS2,NCBIGene:5743
CHEBI:18243,dopamine,Metabolite,,
WIKIPATHWAYS:WP430,Statin Pathway,Pathway,,
"""
EDGES = """source,relation,target
DRUGBANK:DB00945,inhibits,UniProtKB:P35354
"""
NAMES = """id\tname\tkind
Compound::DB01041\tthalidomide\tCompound
Compound::DB00945\tAspirin\tCompound
Gene::5743\tPTGS2\tGene
Gene::1\tA1BG\tGene
Pathway::WP430_r82344\tStatin  pathway\tPathway
"""
COX_2 = "https://www.uniprot.org/uniprotkb/P35354/entry"


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    folder = tmp_path / "graph"
    folder.mkdir()
    (folder / "entities.csv").write_text(ENTITIES, encoding="utf-8")
    (folder / "edges.csv").write_text(EDGES, encoding="utf-8")
    return folder


@pytest.fixture
def names(tmp_path: Path) -> Path:
    path = tmp_path / "nodes.tsv.gz"
    path.write_bytes(gzip.compress(NAMES.encode()))
    return path


def links(folder: Path, name: str, link: str) -> Path:
    path = folder / "batch1.json"
    question = {"llm_ranking": [{"entity_name": name, "entity_link": link}], "resource": []}
    path.write_text(json.dumps([question]), encoding="utf-8")
    return path


def explain(graph: Path, *rows: str) -> None:
    (graph / "explained.csv").write_text("\n".join(["identifier,why", *rows, ""]), encoding="utf-8")


def test_an_identifier_is_confirmed_by_name_or_synonym_whatever_the_case(
    graph: Path, names: Path
) -> None:
    found = compare(graph, [names], [])
    assert {"DRUGBANK:DB01041", "DRUGBANK:DB00945"} <= found.confirmed


def test_a_cross_reference_is_confirmed_too_but_does_not_stand_for_the_identifier(
    graph: Path, names: Path
) -> None:
    found = compare(graph, [names], [])
    assert "NCBIGene:5743" in found.confirmed
    assert found.cross_references == 1
    assert found.absent["UniProtKB"] == ["UniProtKB:P35354"]


def test_a_revision_of_a_pathway_is_the_same_pathway(graph: Path, names: Path) -> None:
    assert "WIKIPATHWAYS:WP430" in compare(graph, [names], []).confirmed


def test_a_link_of_a_questionnaire_confirms_a_protein_by_its_symbol(
    graph: Path, tmp_path: Path
) -> None:
    found = compare(graph, [], [links(tmp_path, "PTGS2", COX_2)])
    assert found.confirmed == {"UniProtKB:P35354"}


def test_another_name_is_told_with_both(graph: Path, tmp_path: Path) -> None:
    found = compare(graph, [], [links(tmp_path, "PTGS1", COX_2)])
    (other,) = found.others
    assert (other.identifier, other.ours, other.theirs) == (
        "UniProtKB:P35354",
        "cyclooxygenase-2",
        "PTGS1",
    )
    assert other.file == "batch1.json"


def test_one_file_that_agrees_settles_what_another_calls_differently(
    graph: Path, tmp_path: Path
) -> None:
    table = tmp_path / "names.csv"
    table.write_text("id,name,type\nUniProtKB:P35354,PTGS2,Protein\n", encoding="utf-8")
    found = compare(graph, [table], [links(tmp_path, "PTGS1", COX_2)])
    assert found.others == []


def test_a_scheme_is_explained_as_a_whole_where_no_file_has_it(graph: Path, names: Path) -> None:
    explain(graph, "CHEBI:*,Hetionet has no metabolites.", "UniProtKB:P35354,Looked up by hand.")
    assert compare(graph, [names], []).unexplained == []


def test_another_name_is_not_explained_by_its_scheme(graph: Path, tmp_path: Path) -> None:
    explain(graph, "UniProtKB:*,No file has proteins.", "CHEBI:*,Nor metabolites.")
    found = compare(graph, [], [links(tmp_path, "PTGS1", COX_2)])
    assert "UniProtKB:P35354" in found.unexplained


def test_the_command_ends_well_only_when_all_is_explained(graph: Path, names: Path) -> None:
    told = StringIO()
    with pytest.raises(CommandError, match="2 identifiers are not explained"):
        call_command(Command(), str(graph), names=[names], stdout=told)
    assert "CHEBI:18243: NOT EXPLAINED" in told.getvalue()
    explain(graph, "CHEBI:*,Hetionet has no metabolites.", "UniProtKB:*,Nor proteins.")
    told = StringIO()
    call_command(Command(), str(graph), names=[names], stdout=told)
    assert told.getvalue().endswith("0 identifiers unexplained\n")


def test_the_command_asks_for_a_file(graph: Path) -> None:
    with pytest.raises(CommandError, match="Name at least one file"):
        call_command(Command(), str(graph))


def test_a_missing_file_is_told_by_its_name(graph: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"There is no file nodes\.tsv"):
        call_command(Command(), str(graph), names=[tmp_path / "nodes.tsv"])


def test_a_broken_row_of_the_graph_is_refused_with_its_line(graph: Path, names: Path) -> None:
    with (graph / "entities.csv").open("a", encoding="utf-8") as stream:
        stream.write("one cell only\n")
    with pytest.raises(FileRefused, match=r"entities\.csv, line 7"):
        compare(graph, [names], [])


def test_links_that_are_no_json_are_refused(graph: Path, tmp_path: Path) -> None:
    path = tmp_path / "batch1.json"
    path.write_text("[", encoding="utf-8")
    with pytest.raises(FileRefused, match="is not JSON"):
        compare(graph, [], [path])


def test_explanations_without_their_columns_are_refused(graph: Path, names: Path) -> None:
    (graph / "explained.csv").write_text("id,reason\nCHEBI:*,None.\n", encoding="utf-8")
    with pytest.raises(FileRefused, match="identifier and why"):
        compare(graph, [names], [])
