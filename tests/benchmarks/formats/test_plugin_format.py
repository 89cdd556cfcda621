"""A format of question files in a plugin: found, imported, linked, partitioned and exported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from backend.benchmarks.formats.registry import question_formats
from backend.benchmarks.models import QuestionSet
from backend.graphs.models import Version
from backend.runtime.discovery import PLUGINS_VARIABLE
from tests.benchmarks.rns.factories import drug, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(PLUGINS_VARIABLE, "tests.plugins")
    question_formats.cache_clear()
    yield
    question_formats.cache_clear()


@pytest.fixture
def version(plugin: None) -> Version:
    return make_version()


def import_lines(version: Version, file: Path, name: str = "Lines") -> None:
    call_command("import_questions", "lines", file, name=name, graph=version.graph.slug)


def test_the_formats_are_the_built_in_one_and_those_of_plugins(plugin: None) -> None:
    assert [*question_formats()] == ["serenqa", "lines"]


def test_its_questions_are_imported_and_exported_as_they_were(
    version: Version, tmp_path: Path
) -> None:
    file = tmp_path / "questions.txt"
    file.write_text(f"q1 | Which one? | {drug(1)}, {drug(2)}, {drug(3)}\nq2 | And? | {drug(4)}\n")
    import_lines(version, file)
    import_lines(version, file)  # changes nothing
    (question_set,) = QuestionSet.objects.filter(name="Lines")
    assert [one.file_id for one in question_set.questions.all()] == ["q1", "q2"]
    assert question_set.resolutions.get().counts["candidates"] == {"identifier": 4}
    call_command("export_questions", "Lines", format="lines", into=tmp_path / "out")
    assert (tmp_path / "out" / "questions.txt").read_text() == file.read_text()


def test_its_questions_are_partitioned(
    version: Version, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "questions.txt"
    file.write_text(f"q1 | Which one? | {', '.join(map(drug, range(6)))}\n")
    import_lines(version, file)
    call_command("partition", "Lines", graph=version.graph.slug, json=True)
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["questions"] == 1
    (question,) = QuestionSet.objects.get(name="Lines").questions.all()
    assert question.partitions.get().method == "rns"


def test_its_faults_are_reported_with_their_places(
    version: Version, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "questions.txt").write_text("q1 | Which one?\nq2\n")
    with pytest.raises(SystemExit):
        import_lines(version, tmp_path / "questions.txt")
    err = capsys.readouterr().err
    assert "questions.txt, line 1" in err and "questions.txt, line 2" in err
    assert not QuestionSet.objects.filter(name="Lines").exists()
