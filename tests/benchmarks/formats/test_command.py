"""The command that imports question sets: what it stores, and what it tells."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.models import Partition, Question, QuestionSet, Resolution
from tests.benchmarks.formats import factories
from tests.benchmarks.formats.test_storing import clinical
from tests.graphs.served_graph import make_graph
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A QA set as it is printed beside one that is clean, and their partitions."""
    short = factories.question(2, answer=[factories.answer("P1", "NOS3")])
    (tmp_path / "qa.json").write_bytes(factories.source([factories.question(1), short]).content)
    (tmp_path / "printed.jsonl").write_text(factories.printed())
    (tmp_path / "parts.json").write_bytes(factories.source([factories.partitions(1)]).content)
    (tmp_path / "notes.txt").write_text("not read")
    make_graph("Clinical", rows=clinical("CORUM:5716"))
    return tmp_path


def run(*arguments: Any, name: str = "SerenQA", graph: str = "clinical") -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    words = ["serenqa", *map(str, arguments), "--name", name, "--graph", graph]
    try:
        call_command("import_questions", *words, stdout=out, stderr=err)
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def test_a_folder_is_imported_and_joined_to_the_graph(folder: Path) -> None:
    code, out, _ = run(folder, graph="clinical@1")
    assert code == 0
    assert "Question set 'SerenQA': 3 questions (3 new), 3 partitions (3 new)." in out
    assert "Of 3 patterns, 3 could be run on clinical@1; 2 have exactly" in out
    assert "Question 2: 1 answer in the file, 2 in the graph, 1 in both." in out
    assert out.count("Notice: printed.jsonl, line ") == 2
    assert Question.objects.count() == 3 and Partition.objects.count() == 3
    resolution = Resolution.objects.get()
    assert resolution.counts["candidates"]["identifier"] == 5


def test_again_it_changes_nothing(folder: Path) -> None:
    run(folder)
    code, out, _ = run(folder)
    assert code == 0 and "3 questions (0 new), 3 partitions (0 new)" in out


def test_a_dry_run_tells_the_same_and_stores_nothing(folder: Path) -> None:
    code, out, _ = run(folder, "--dry-run")
    assert code == 0 and out.endswith("Nothing was imported.\n")
    assert "Pattern types: 1.1 0, 1.2 1, 2.1 0," in out
    assert not QuestionSet.objects.exists()


def test_the_last_line_of_json_has_the_counts_and_the_tables(folder: Path) -> None:
    code, out, _ = run(folder, "--json")
    output = json.loads(out.splitlines()[-1])
    assert code == 0
    assert output["question_set"]["name"] == "SerenQA"
    assert (output["questions"], output["added"], output["partitions_added"]) == (3, 3, 3)
    assert output["graph"] == {"slug": "clinical", "number": 1}
    assert output["statistics"]["types"]["4.1"] == 2
    assert output["statistics"]["type_labels"] == {"1.2": {"9": 1}, "4.1": {"9": 2}}
    assert (output["statistics"]["most_answers"], output["statistics"]["entities"]) == (2, 5)
    assert (output["on_graph"]["runnable"], output["on_graph"]["identical"]) == (3, 2)


def test_faults_are_told_and_nothing_is_stored(folder: Path) -> None:
    (folder / "more.json").write_bytes(
        factories.source([factories.question(5, question="")]).content
    )
    code, out, err = run(folder)
    assert code == 1 and out == ""
    assert "more.json, entry 1 (qid 5), question: This text is empty." in err
    assert "Nothing was imported, because the files have 1 error." in err
    assert not QuestionSet.objects.exists()
    code, out, _ = run(folder, "--json")
    assert code == 1
    assert json.loads(out)["faults"][0]["place"] == "more.json, entry 1 (qid 5), question"


def test_what_the_graph_lacks_is_told_and_the_questions_are_kept(folder: Path) -> None:
    odd = factories.question(6)
    odd["graph_query"]["nodes"][1]["id"] = "DOID:404"
    (folder / "odd.json").write_bytes(factories.source([odd]).content)
    code, out, _ = run(folder)
    assert code == 0 and Question.objects.count() == 4
    assert "Not in the graph: odd.json, entry 1 (qid 6), node 1, id: This graph has no" in out


@pytest.mark.parametrize("graph", ["nowhere", "clinical@9", "../clinical", ""])
def test_a_graph_that_is_not_there_is_a_fault(folder: Path, graph: str) -> None:
    code, _, err = run(folder, graph=graph)
    assert code == 1 and err
    assert not QuestionSet.objects.exists()


def test_a_folder_without_files_and_a_file_that_is_not_there_are_faults(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    code, _, err = run(tmp_path / "empty", tmp_path / "gone.json")
    assert code == 1
    assert "This folder contains no questions." in err and "There is no such file." in err


def test_a_set_has_an_owner_who_sees_it_or_is_for_administrators(
    folder: Path, outsider: Person
) -> None:
    owner = make_person("owner")
    code, out, _ = run(folder, "--owner", "Owner@example.org")
    assert code == 0 and "for owner@example.org and administrators" in out
    assert [len(sets_of(person)) for person in (owner, outsider)] == [1, 0]
    code, out, _ = run(folder, name="Nobody's")
    assert code == 0 and "under Benchmarks for administrators." in out
    assert len(sets_of(owner)) == 1


def test_an_owner_who_is_not_there_is_told_before_anything_is_read(folder: Path) -> None:
    code, _, err = run(folder, "--owner", "nobody@example.org")
    assert code == 1 and "No account has the address nobody@example.org." in err
    assert not QuestionSet.objects.exists()


def sets_of(person: Person) -> list[Any]:
    result: list[Any] = person.browser.get("/api/v1/question-sets").json()["results"]
    return result
