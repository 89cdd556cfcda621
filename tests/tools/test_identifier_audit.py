"""Comparison of identifiers with files of a user: reports and errors."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tools.identifier_audit import compare_identifiers, main

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
    result = compare_identifiers(graph, [names], [])
    assert {"DRUGBANK:DB01041", "DRUGBANK:DB00945"} <= result.confirmed


def test_a_cross_reference_is_confirmed_too_but_does_not_stand_for_the_identifier(
    graph: Path, names: Path
) -> None:
    result = compare_identifiers(graph, [names], [])
    assert "NCBIGene:5743" in result.confirmed
    assert result.cross_references == 1
    assert result.unreferenced["UniProtKB"] == ["UniProtKB:P35354"]


def test_a_revision_of_a_pathway_is_the_same_pathway(graph: Path, names: Path) -> None:
    assert "WIKIPATHWAYS:WP430" in compare_identifiers(graph, [names], []).confirmed


def test_a_link_of_a_questionnaire_confirms_a_protein_by_its_symbol(
    graph: Path, tmp_path: Path
) -> None:
    result = compare_identifiers(graph, [], [links(tmp_path, "PTGS2", COX_2)])
    assert result.confirmed == {"UniProtKB:P35354"}


def test_another_name_is_told_with_both(graph: Path, tmp_path: Path) -> None:
    result = compare_identifiers(graph, [], [links(tmp_path, "PTGS1", COX_2)])
    (other,) = result.mismatches
    assert (other.identifier, other.graph_name, other.reference_name) == (
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
    result = compare_identifiers(graph, [table], [links(tmp_path, "PTGS1", COX_2)])
    assert result.mismatches == []


def test_a_scheme_is_explained_as_a_whole_where_no_file_has_it(graph: Path, names: Path) -> None:
    explain(graph, "CHEBI:*,Hetionet has no metabolites.", "UniProtKB:P35354,Looked up by hand.")
    assert compare_identifiers(graph, [names], []).unexplained == []


def test_another_name_is_not_explained_by_its_scheme(graph: Path, tmp_path: Path) -> None:
    explain(graph, "UniProtKB:*,No file has proteins.", "CHEBI:*,Nor metabolites.")
    result = compare_identifiers(graph, [], [links(tmp_path, "PTGS1", COX_2)])
    assert "UniProtKB:P35354" in result.unexplained


def test_the_command_succeeds_only_when_all_is_explained(
    graph: Path, names: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(graph), "--names", str(names)]) == 1
    output = capsys.readouterr().out
    assert "CHEBI:18243: NOT EXPLAINED" in output and "2 identifiers unexplained" in output
    explain(graph, "CHEBI:*,Hetionet has no metabolites.", "UniProtKB:*,Nor proteins.")
    assert main([str(graph), "--names", str(names)]) == 0
    assert capsys.readouterr().out.endswith("0 identifiers unexplained\n")


def test_the_command_requires_a_file(graph: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(graph)])
    assert "at least one file" in capsys.readouterr().err


def test_a_missing_file_is_reported_by_name(
    graph: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(graph), "--names", str(tmp_path / "nodes.tsv")]) == 1
    assert "The file nodes.tsv does not exist" in capsys.readouterr().err
