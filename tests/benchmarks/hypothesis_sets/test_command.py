"""The command: files, a release of them, and the seen graph as an import."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from backend.benchmarks.models import HiddenAnswer, Release
from backend.graphs.models import Version
from tests.benchmarks.hypothesis_sets import oracle
from tests.benchmarks.hypothesis_sets.factories import (
    CHEMICAL,
    DISEASE,
    GENE,
    OTHER_GENE,
    SEEN_UNTIL,
    UNSEEN_FROM,
    random_statements,
    read_tsv,
    twice,
    write_statements,
)

pytestmark = pytest.mark.django_db
CUTOFFS = ("--seen-until", SEEN_UNTIL, "--unseen-from", UNSEEN_FROM)


def run(*arguments: object) -> tuple[int, Any]:
    out = io.StringIO()
    try:
        call_command("make_truthhypo", *map(str, arguments), "--json", stdout=out)
    except SystemExit as ended:
        return int(ended.code or 0), json.loads(out.getvalue())
    return 0, json.loads(out.getvalue())


def test_a_release_has_the_items_of_the_files(tmp_path: Path) -> None:
    source = write_statements(tmp_path, random_statements(0))
    code, result = run(source, *CUTOFFS, "--into", tmp_path / "out", "--name", "new-pairs")
    assert code == 0
    release = Release.objects.get(slug="new-pairs")
    assert (release.track, release.digest) == ("truthhypo", result["digest"])
    assert release.cutoff == result["cutoff"] == SEEN_UNTIL
    labels = [row["relation"] for row in read_tsv(tmp_path / "out" / "edges_test.tsv")]
    answers = HiddenAnswer.objects.order_by("item__position")
    # The items are in the order of their keys, whatever that of the file is.
    assert Counter(answer.content["label"] for answer in answers) == Counter(labels)
    assert sum(sum(one.values()) for one in result["labels"].values()) == len(labels)


def test_the_files_alone_make_the_same_release_through_make_release(tmp_path: Path) -> None:
    source = write_statements(tmp_path, random_statements(0))
    _, result = run(source, *CUTOFFS, "--name", "direct")
    assert not (tmp_path / "out").exists()
    run(source, *CUTOFFS, "--into", tmp_path / "out")
    call_command(
        "make_release", "truthhypo", tmp_path / "out" / "edges_test.tsv", "--name", "by-file"
    )
    assert Release.objects.get(slug="by-file").digest == result["digest"]


def test_the_seen_graph_is_imported_without_a_trace_of_the_test_set(tmp_path: Path) -> None:
    rows = random_statements(0)
    run(write_statements(tmp_path, rows), *CUTOFFS, "--into", tmp_path / "out")
    call_command("import_graph", "pubtator", str(tmp_path / "out"), "--name", "Seen")
    version = Version.objects.get()
    run(tmp_path / "relations.tsv", *CUTOFFS, "--name", "on-seen", "--graph", "seen")
    release = Release.objects.get(slug="on-seen")
    assert (release.cutoff, release.graph_version) == (SEEN_UNTIL, version)
    expected = oracle.construct(rows, SEEN_UNTIL, UNSEEN_FROM)
    assert version.edges == len(expected.seen_edges)
    assert version.entities == len({end for x, _, y in expected.seen_edges for end in (x, y)})


def test_faults_come_as_a_list_and_nothing_is_made(tmp_path: Path) -> None:
    source = write_statements(tmp_path, [(1, "likes", "Gene|1", "Gene|2")])
    code, result = run(source, "--name", "bad")
    assert code == 1
    (fault,) = result["faults"]
    assert (fault["place"], fault["code"]) == ("relations.tsv, line 1, relation", "relation")
    assert "positive_correlate" in fault["expected"]
    assert not Release.objects.exists()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), "no_target"),
        (("--seen-until", 200, "--unseen-from", 200), "cutoffs"),
        (("--seen-until", 1, "--unseen-from", 999_999), "no_hypotheses"),
    ],
)
def test_a_request_without_a_result_is_refused(
    tmp_path: Path, options: tuple[object, ...], code: str
) -> None:
    source = write_statements(tmp_path, random_statements(0))
    target = ("--into", tmp_path / "out") if options else ()
    status, result = run(source, *options, *target)
    assert (status, result["faults"][0]["code"]) == (1, code)


def test_missing_columns_are_listed_together_with_faulty_statements(tmp_path: Path) -> None:
    source = write_statements(tmp_path, [(1, "likes", "Gene|1", "Gene|2")])
    nodes = tmp_path / "nodes.tsv"
    nodes.write_text("Type\tName\nGene\tPTGS2\n", encoding="utf-8")
    code, result = run(source, "--nodes", nodes, "--into", tmp_path / "a" / "out")
    assert code == 1
    assert [(one["place"], one["message"]) for one in result["faults"]] == [
        ("relations.tsv, line 1, relation", "'likes' is no relation of PubTator."),
        ("nodes.tsv, line 1", "There is no column 'ConceptID'."),
        ("nodes.tsv, line 1", "There is no column 'mention'."),
    ]
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("counts", ["5", "{'PTGS2': 'many'}", "PTGS2", "['PTGS2']"])
def test_counts_of_mentions_that_the_import_would_refuse_are_named(
    tmp_path: Path, counts: str
) -> None:
    nodes = tmp_path / "nodes.tsv"
    nodes.write_text(
        "Type\tConceptID\tmention\tmention_counts\n"
        f"Gene\t1\tPTGS1\t{{'PTGS1': 4}}\nGene\t2\tPTGS2\t{counts}\nGene\t3\tPTGS3\t\n",
        encoding="utf-8",
    )
    source = write_statements(tmp_path, random_statements(0))
    code, result = run(source, *CUTOFFS, "--nodes", nodes, "--into", tmp_path / "out")
    (fault,) = result["faults"]
    assert (code, fault["place"]) == (1, "nodes.tsv, line 3, mention_counts")
    assert "{'aspirin': 12" in fault["expected"]


def test_pairs_of_other_types_and_relations_are_counted(tmp_path: Path) -> None:
    rows = [
        *twice(210, "positive_correlate", CHEMICAL, GENE),
        *twice(210, "inhibit", CHEMICAL, OTHER_GENE),
        *twice(210, "treat", CHEMICAL, DISEASE),
        *twice(1, "associate", "Chemical|MESH:C9", "Gene|9"),
    ]
    out = io.StringIO()
    arguments = (write_statements(tmp_path, rows), *CUTOFFS, "--into", tmp_path / "out")
    call_command("make_truthhypo", *map(str, arguments), stdout=out)
    assert "Pairs left out: 1 of other relations, 1 of other types." in out.getvalue()
    described = json.loads((tmp_path / "out" / "construction.json").read_text())["outcomes"]
    assert {name: count for name, count in described.items() if count} == {
        "hypotheses": 1,
        "of_other_relations": 1,
        "of_other_types": 1,
    }


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_empty_files_are_named(tmp_path: Path, text: str) -> None:
    files = [tmp_path / name for name in ("relations.tsv", "nodes.tsv")]
    for file in files:
        file.write_text(text, encoding="utf-8")
    code, result = run(files[0], "--nodes", files[1], "--into", tmp_path / "out")
    assert code == 1
    assert [(one["place"], one["message"]) for one in result["faults"]] == [
        ("relations.tsv", "relations.tsv is empty."),
        ("nodes.tsv", "nodes.tsv is empty: it has no header line."),
    ]
    assert not (tmp_path / "out").exists()


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    status, result = run(tmp_path / "in", "--into", tmp_path / "out")
    assert (status, result["faults"][0]["code"]) == (1, "empty")
    assert not (tmp_path / "out").exists()


def test_a_failed_run_leaves_a_folder_that_was_there(tmp_path: Path) -> None:
    source = write_statements(tmp_path, [(1, "likes", "Gene|1", "Gene|2")])
    (tmp_path / "out").mkdir()
    assert run(source, "--into", tmp_path / "out" / "new")[0] == 1
    assert [*(tmp_path / "out").iterdir()] == []


@pytest.mark.parametrize("value", ["0", "-1", "x", "1" * 10, "٣"])
def test_a_cutoff_is_a_pmid(tmp_path: Path, value: str) -> None:
    with pytest.raises(CommandError, match="PMID"):
        run(tmp_path, f"--seen-until={value}", "--into", tmp_path / "out")
