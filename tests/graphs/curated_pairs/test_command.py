"""From tables of databases and papers to a graph with years, by the commands."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from backend.graphs.importers.registry import open_source
from backend.graphs.source_records import EdgeRow, NodeRow
from tests.graphs.curated_pairs.test_cross_reference import CTD, DISGENET
from tests.graphs.importers.factories import write_files

FILES = {
    "ctd.tsv": CTD,
    "disgenet.tsv": DISGENET,
    "own.csv": "left,right\n=1+1,X:9\nNCBIGene:7157,MESH:D001241\n",
    "map.tsv": (
        "id\tcui\tname\ttype\n"
        "MESH:D001241\tC0004057\taspirin\tOrganic Chemical\n"
        "MESH:D020521\tC0038454\tStroke\tDisease or Syndrome\n"
        "NCBIGene:7157\tC0079419\tTP53 gene\tGene or Genome\n"
        "UMLS:C0006142\tC0006142\tBreast cancer\tNeoplastic Process\n"
    ),
    "papers.tsv": (
        "pmid\tdate\tcuis\n"
        "10\t1975-03\tC0004057|C0038454\n"
        "11\t1971\tC0004057|C0038454|C0079419\n"
        "12\t1975\tC0004057|C0038454\n"
        "13\t1995\tC0004057|C0079419|C9999999\n"
    ),
}


def run(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    write_files(folder, {**FILES})
    names = ["--concepts", "map.tsv", "--papers", "papers.tsv", "ctd.tsv", "disgenet.tsv"]
    arguments = [str(folder / it) if not it.startswith("-") else it for it in names]
    arguments += [*more, "--into", str(folder / "out")]
    call_command("cross_reference_pairs", *arguments, "--json")
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def test_pairs_of_databases_become_a_graph_that_can_be_imported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, capsys) == {
        "rows": 2,
        "pairs": 2,
        "mentioned": 1,
        "unmentioned": 1,
        "papers": 4,
        "databases": {"CTD": 1},
        "years": {"1971": 1},
        "left_out": {"inferred": 1},
        "dropped": {},
    }
    graph = open_source([tmp_path / "out" / "graph-csv.zip"])
    nodes = [row for row in graph.source.nodes() if isinstance(row, NodeRow)]
    assert [(row.id, row.type, row.name) for row in nodes] == [
        ("UMLS:C0004057", "Organic Chemical", "aspirin"),
        ("UMLS:C0038454", "Disease or Syndrome", "Stroke"),
    ]
    (edge,) = (row for row in graph.source.edges() if isinstance(row, EdgeRow))
    assert (edge.first_year, edge.score, edge.evidence) == (1971, 3, "CTD")
    assert edge.publications == ("PMID:11", "PMID:10", "PMID:12")
    assert graph.source.relations[edge.relation].symmetric


def test_mentions_by_year_and_pairs_that_nobody_mentions_are_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, capsys)
    with (tmp_path / "out" / "mentions.csv").open(newline="") as file:
        assert [*csv.reader(file)] == [
            ["source", "target", "year", "count"],
            ["UMLS:C0004057", "UMLS:C0038454", "1971", "1"],
            ["UMLS:C0004057", "UMLS:C0038454", "1975", "2"],
        ]
    with (tmp_path / "out" / "unmentioned.csv").open(newline="") as file:
        assert [*csv.reader(file)][1:] == [["UMLS:C0006142", "UMLS:C0079419", "DisGeNET"]]


def test_the_same_files_give_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, capsys)
    first = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    run(tmp_path, capsys)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == first


def test_tables_that_cannot_be_read_are_refused_with_their_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {**FILES, "broken.csv": "subject,object\nX:1,X:2\nX:1\n,X:2\n"})
    arguments = [str(tmp_path / "broken.csv"), "--papers", str(tmp_path / "papers.tsv")]
    with pytest.raises(SystemExit):
        call_command("cross_reference_pairs", *arguments, "--into", str(tmp_path / "o"), "--json")
    faults = json.loads(capsys.readouterr().out)["faults"]
    assert [(it["place"], it["code"]) for it in faults] == [
        ("broken.csv, line 3", "columns"),
        ("broken.csv, line 4", "missing"),
    ]
    assert not (tmp_path / "o").exists()


def test_identifiers_of_another_scheme_are_stated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {**FILES, "own.csv": "subject,object\nX:1,X:2\n"})
    arguments = ["--papers", str(tmp_path / "papers.tsv"), "--concepts", str(tmp_path / "map.tsv")]
    with pytest.raises(SystemExit):
        call_command(
            "cross_reference_pairs",
            str(tmp_path / "own.csv"),
            *arguments,
            "--into",
            str(tmp_path / "o"),
        )
    assert "Check the identifiers of the concept map" in capsys.readouterr().err


def test_a_table_of_ones_own_is_merged_with_known_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = str(write_files(tmp_path, {**FILES}) / "own.csv")
    columns = ("--column", "subject=left", "--column", "object=right")
    result = run(tmp_path, capsys, own, *columns)
    assert result["databases"] == {"CTD": 1, "own.csv": 1}
    assert result["left_out"] == {"inferred": 1, "unmapped": 1}
    with pytest.raises(CommandError, match="left is none of subject, object, database"):
        run(tmp_path, capsys, "--column", "left=subject")


def test_papers_of_other_identifiers_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {**FILES, "papers.tsv": "pmid\tdate\tcuis\n1\t1999\tD001241|D020521\n"})
    arguments = [str(tmp_path / "ctd.tsv"), "--papers", str(tmp_path / "papers.tsv")]
    with pytest.raises(SystemExit):
        call_command("cross_reference_pairs", *arguments, "--into", str(tmp_path / "o"))
    assert "Check the identifiers of the papers" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()
