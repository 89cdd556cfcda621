"""Commands that give a question set out: as files, and as the graph that a model may see."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.demo import DEMO_QUESTIONS_FILE
from backend.benchmarks.formats.serenqa.parser import parse_serenqa
from backend.benchmarks.formats.serenqa.writer import build_partition_record, serialize_records
from backend.benchmarks.models import Partition, QuestionSet
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.benchmarks.question_import import import_questions
from backend.benchmarks.question_sets import get_or_create_question_set
from backend.benchmarks.questionnaire import SourceFile
from backend.graphs.models import Graph, Version
from tests.benchmarks.formats import factories
from tests.benchmarks.formats.test_storing import clinical
from tests.benchmarks.rns.factories import make_set
from tests.graphs.served_graph import make_graph

pytestmark = pytest.mark.django_db


def run(name: str, *words: str) -> tuple[int, Any]:
    out = io.StringIO()
    try:
        call_command(name, *words, "--json", stdout=out, stderr=io.StringIO())
    except SystemExit as ended:
        return int(ended.code or 0), json.loads(out.getvalue())
    return 0, json.loads(out.getvalue())


def test_what_was_imported_is_given_out_as_it_was(tmp_path: Path) -> None:
    records = [factories.question(7), factories.question(9)], [factories.partitions(9)]
    files = [factories.source(one, f"{place}.json") for place, one in enumerate(records)]
    question_set = get_or_create_question_set(actor=None, name="Theirs")
    import_questions(actor=None, question_set=question_set, parsed=parse_serenqa(files))
    code, report = run("export_questions", "Theirs", "--into", str(tmp_path / "out"))
    assert (code, report["files"]) == (0, {"questions.json": 2, "partitions.json": 1})
    assert json.loads((tmp_path / "out" / "questions.json").read_bytes()) == records[0]
    assert json.loads((tmp_path / "out" / "partitions.json").read_bytes()) == records[1]


def test_partitions_that_were_made_since_come_with_their_paths(
    tmp_path: Path, version: Version
) -> None:
    questions = make_set(version, split="dev")
    call_command("partition", questions.name, graph=version.graph.slug)
    for more, paths in ((["--without-paths"], False), ([], True)):
        assert run("export_questions", questions.name, "--into", str(tmp_path), *more)[0] == 0
        content = (tmp_path / "partitions.json").read_bytes()
        read = parse_serenqa([SourceFile("partitions.json", content)])
        assert read.notices == () and [one.qid for one in read.partitions] == ["1", "2", "3", "4"]
        for record, question in zip(read.partitions, questions.questions.all(), strict=True):
            names = dict(question.candidates.values_list("position", "identifier"))
            stored = question.partitions.get(method="rns")
            (rns,) = [one for one in record.splits if one.method == "rns"]
            assert rns.serendipity == tuple(names[at] for at in stored.serendipity)
            assert rns.existing == tuple(names[at] for at in stored.existing)
            assert bool(rns.paths) is paths


@pytest.mark.parametrize("graph", ["", "no-such-graph"])
def test_each_error_of_a_command_is_one_line(version: Version, graph: str) -> None:
    err, named = io.StringIO(), graph or version.graph.slug
    with pytest.raises(SystemExit):
        call_command("rns", named, existing=["X:1"], serendipity=["X:2"], stderr=err)
    expected = ["There is no"] if graph else ["existing: This", "serendipity: This"]
    lines = err.getvalue().splitlines()
    assert len(lines) == len(expected), lines


def test_a_set_that_is_not_there_is_refused(tmp_path: Path, version: Version) -> None:
    assert run("export_questions", "No such", "--into", str(tmp_path))[0] == 1
    words = ("--graph", version.graph.slug, "--method", "llm")
    assert run("mask_questions", "No such", *words)[0] == 1


def test_a_mask_lists_excluded_questions_with_the_reason(tmp_path: Path) -> None:
    graph = make_graph("Clinical", rows=clinical("CORUM:5716"))
    question_set = get_or_create_question_set(actor=None, name="Masked")
    read = parse_serenqa(
        [factories.source([factories.question(1), factories.question(2)], "qa.json")]
    )
    import_questions(actor=None, question_set=question_set, parsed=read)
    question = question_set.questions.get(file_id="1")
    new = NewPartition(question.pk, Partition.Method.LLM, [0], [1])
    add_partitions(actor=None, partitions=[new])
    file = tmp_path / "mask.json"
    words = ["--graph", "clinical", "--method", "llm", "--into", str(file)]
    words += ["--masked-graph", "Clinical, masked"]
    code, report = run("mask_questions", "Masked", *words)
    assert (code, report["included"], report["left_out"]) == (0, ["1"], [])
    assert report["not_maskable"] == {"2": "no partition by llm"}
    written = json.loads(file.read_bytes())
    assert len(written["edges"]) == report["removed"] > 0
    assert all(len(edge) == 3 for edge in written["edges"])
    masked = Version.objects.get(graph__slug=report["masked_graph"])
    assert masked.edges == graph.versions.get().edges - report["removed"]
    assert masked.graph.visibility == Graph.Visibility.PRIVATE
    assert run("mask_questions", "Masked", *words)[0] == 1
    # Its graph is known by now; the masked one does not count.
    assert run("mask_questions", "Masked", "--method", "llm")[1]["included"] == ["1"]
    make_graph("Other", rows=clinical("CORUM:5716"))
    run("mask_questions", "Masked", "--graph", "other", "--method", "llm")
    assert run("mask_questions", "Masked", "--method", "llm")[0] == 1
    assert QuestionSet.objects.filter(resolutions__version__graph=graph).exists()


def test_the_demos_questions_are_written_as_they_are(tmp_path: Path) -> None:
    content = DEMO_QUESTIONS_FILE.read_bytes()
    question_set = get_or_create_question_set(actor=None, name="Demo's own")
    read = parse_serenqa([SourceFile(DEMO_QUESTIONS_FILE.name, content)])
    import_questions(actor=None, question_set=question_set, parsed=read)
    assert run("export_questions", "Demo's own", "--into", str(tmp_path))[0] == 0
    assert (tmp_path / "questions.json").read_bytes() == content
    assert serialize_records([build_partition_record(1, "", ())][:0]) == b"[]\n"
