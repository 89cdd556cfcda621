"""Commands that give a question set out: as files, and as the graph that a model may see."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.demo import FILE
from backend.benchmarks.importing import store_serenqa
from backend.benchmarks.models import Partition, QuestionSet
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.benchmarks.questionnaire import SourceFile
from backend.benchmarks.serenqa.reading import read_serenqa
from backend.benchmarks.serenqa.writing import partitions_object, written
from backend.benchmarks.services import create_question_set
from backend.graphs.models import Version
from tests.benchmarks.serendipity.making import make_set
from tests.benchmarks.serenqa import making
from tests.benchmarks.serenqa.test_storing import clinical
from tests.graphs.living import make_graph

pytestmark = pytest.mark.django_db


def run(name: str, *words: str) -> tuple[int, Any]:
    out = io.StringIO()
    try:
        call_command(name, *words, "--json", stdout=out, stderr=io.StringIO())
    except SystemExit as ended:
        return int(ended.code or 0), json.loads(out.getvalue())
    return 0, json.loads(out.getvalue())


def test_what_was_imported_is_given_out_as_it_was(tmp_path: Path) -> None:
    records = [making.question(7), making.question(9)], [making.partitions(9)]
    files = [making.source(one, f"{place}.json") for place, one in enumerate(records)]
    question_set = create_question_set(actor=None, name="Theirs")
    store_serenqa(actor=None, question_set=question_set, read=read_serenqa(files))
    code, told = run("export_questions", "Theirs", "--into", str(tmp_path / "out"))
    assert (code, told["files"]) == (0, {"questions.json": 2, "partitions.json": 1})
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
        read = read_serenqa([SourceFile("partitions.json", content)])
        assert read.notices == () and [one.qid for one in read.partitions] == ["1", "2", "3", "4"]
        for record, question in zip(read.partitions, questions.questions.all(), strict=True):
            names = dict(question.candidates.values_list("position", "identifier"))
            stored = question.partitions.get(method="rns")
            (rns,) = [one for one in record.splits if one.method == "rns"]
            assert rns.serendipity == tuple(names[at] for at in stored.serendipity)
            assert rns.existing == tuple(names[at] for at in stored.existing)
            assert bool(rns.paths) is paths


def test_a_set_that_is_not_there_is_refused(tmp_path: Path, version: Version) -> None:
    assert run("export_questions", "No such", "--into", str(tmp_path))[0] == 1
    words = ("--graph", version.graph.slug, "--method", "llm")
    assert run("mask_questions", "No such", *words)[0] == 1


def test_masks_are_told_with_what_is_left_out_and_why(tmp_path: Path) -> None:
    graph = make_graph("Clinical", rows=clinical("CORUM:5716"))
    question_set = create_question_set(actor=None, name="Masked")
    read = read_serenqa([making.source([making.question(1), making.question(2)], "qa.json")])
    store_serenqa(actor=None, question_set=question_set, read=read)
    asked = question_set.questions.get(file_id="1")
    new = NewPartition(asked.pk, Partition.Method.LLM, [0], [1])
    add_partitions(actor=None, partitions=[new])
    file = tmp_path / "mask.json"
    words = ("--graph", "clinical", "--method", "llm", "--into", str(file))
    code, told = run("mask_questions", "Masked", *words)
    assert (code, told["kept"], told["left_out"]) == (0, ["1"], [])
    assert told["without"] == {"2": "no partition by llm"}
    kept = json.loads(file.read_bytes())
    assert len(kept["links"]) == told["removed"] > 0
    assert all(len(link) == 3 for link in kept["links"])
    assert QuestionSet.objects.filter(resolutions__version__graph=graph).exists()


def test_the_demos_questions_are_written_as_they_are(tmp_path: Path) -> None:
    content = FILE.read_bytes()
    question_set = create_question_set(actor=None, name="Demo's own")
    read = read_serenqa([SourceFile(FILE.name, content)])
    store_serenqa(actor=None, question_set=question_set, read=read)
    assert run("export_questions", "Demo's own", "--into", str(tmp_path))[0] == 0
    assert (tmp_path / "questions.json").read_bytes() == content
    assert written([partitions_object(1, "", ())][:0]) == b"[]\n"
