"""Every format holds the same answers; other programs read what is for them."""

import csv
import hashlib
import io
import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.management import call_command

from annotation.formats.parquet import writer
from annotation.formats.registry import study_formats
from annotation.imports import import_study
from annotation.kinds.registry import study_kinds
from backend.benchmarks.file_discovery import read_source_files
from backend.studies.models import Study
from backend.validation.csv_escaping import unescape
from tests.annotation.archive_study import HOSTILE_TEXT, export, make_answered_study
from tests.annotation.personas import Cast, client_of

pytestmark = pytest.mark.django_db


def read_csv(content: bytes) -> list[dict[str, str]]:
    rows = csv.DictReader(io.StringIO(content.decode(), newline=""))
    return [{name: unescape(cell) for name, cell in row.items()} for row in rows]


def as_cell(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "", True: "yes", False: "no"}[value]
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


@pytest.mark.parametrize("kind", study_kinds())
def test_table_records_and_parquet_hold_the_same(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "ROWS_OF_GROUP", 4)
    study = make_answered_study(kind)
    rows = read_csv(export(study, "csv"))
    file = pq.ParquetFile(io.BytesIO(export(study, "parquet")))
    assert file.num_row_groups > 1
    table = file.read()
    assert [{name: as_cell(it) for name, it in row.items()} for row in table.to_pylist()] == rows
    assert table.schema.field("submitted_at").type == pa.timestamp("us", tz="UTC")
    records = [json.loads(line) for line in export(study, "jsonl").splitlines()]
    stored = {
        (one["id"], str(it["number"]), it["outcome"], it["submitted_at"]): it["payload"]
        for one in records
        if one["record"] == "assignment"
        for it in one["revisions"]
    }
    names = ("assignment_id", "revision", "outcome", "submitted_at")
    assert stored == {
        tuple(row[name] for name in names): json.loads(row["answer_json"])
        for row in rows
        if row["answer_json"]
    }
    texts = {row["question_id"]: row["question"] for row in rows}
    questions = [one for one in records if one["record"] == "question"]
    assert {one["id"]: one["text"] for one in questions} == texts
    assert HOSTILE_TEXT in texts.values()


def unzip(content: bytes, folder: Path) -> Path:
    with ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
    return folder


def test_mlcroissant_reads_the_card_and_the_answers(tmp_path: Path) -> None:
    import mlcroissant  # here, because loading it takes seconds

    study = make_answered_study("ranking")
    folder = unzip(export(study, "croissant"), tmp_path)
    dataset: Any = mlcroissant.Dataset(str(folder / "croissant.json"))
    assert dataset.metadata.ctx.issues.errors == set()
    assert dataset.metadata.annotator_demographics == [
        "3 experts, of whom 2 are simulated by a program; 2 answered; under pseudonyms; no "
        "demographics."
    ]
    assert "Seed of everything drawn by chance: 5." in dataset.metadata.data_annotation_protocol
    assert dataset.metadata.data_annotation_analysis[0].startswith("Kendall's W: ")
    records = list(dataset.records("answers"))
    rows = read_csv(export(study, "csv"))
    assert [one["answers/question_id"].decode() for one in records] == [
        row["question_id"] for row in rows
    ]
    [table] = json.loads((folder / "croissant.json").read_bytes())["distribution"]
    assert table["sha256"] == hashlib.sha256((folder / table["name"]).read_bytes()).hexdigest()


def test_a_hugging_face_card_names_its_table_and_holds_no_markup(tmp_path: Path) -> None:
    study = make_answered_study("claims")
    Study.objects.update(name="# <b>Study</b>\\", description="---\nlicense: mit\n<script>")
    folder = unzip(export(study, "huggingface"), tmp_path)
    _, front_matter, text = (folder / "README.md").read_text().split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front_matter.splitlines())
    assert json.loads(fields["license"]) == "unknown"
    assert json.loads(fields["configs"]) == [
        {"config_name": "answers", "data_files": "data/answers.parquet"}
    ]
    assert "<" not in text.replace("\\<", "")
    assert pq.read_table(folder / "data" / "answers.parquet").num_rows == 9
    assert (folder / "study.jsonl").read_bytes() == export(study, "jsonl")


@pytest.mark.parametrize("kind", ["ranking", "ratings", "claims", "hypothesis_pairs"])
def test_a_questionnaire_is_imported_again_from_serenqas_files(kind: str, tmp_path: Path) -> None:
    study = make_answered_study(kind)
    folder = unzip(export(study, "serenqa"), tmp_path)
    sources, faults = read_source_files([folder])
    again = import_study(actor=None, name="Again", sources=sources, faults=faults, kind=kind)
    assert again.notices == ()
    first, second = (
        [
            (it.number, one.file_id, one.number, one.text, one.category, one.payload)
            for it in one_study.batches.all()
            for one in it.questions.all()
        ]
        for one_study in (study, again.study)
    )
    assert first == second
    assert (folder / "answers.csv").read_bytes() == export(study, "csv")


def test_the_command_and_the_page_get_the_same_file_in_each_format(
    cast: Cast, tmp_path: Path
) -> None:
    client = client_of(cast.coordinator)
    listed = client.get("/api/v1/study-formats").json()["results"]
    assert [one["name"] for one in listed if one["can_export"]] == [
        one.name for one in study_formats().values() if one.write
    ]
    for one in listed:
        if one["can_export"]:
            path = tmp_path / one["name"]
            call_command("export_study", cast.study.name, format=one["name"], output=path)
            url = f"/api/v1/studies/{cast.study.id}/export?format={one['name']}"
            sent: Any = client.get(url)
            assert sent["Content-Disposition"].endswith(f'.{one["extension"]}"')
            content = b"".join(sent)
            assert sent["Content-Length"] == str(len(content))
            if one["name"] != "json":  # which holds the moment of the export
                assert content == path.read_bytes()


@pytest.mark.parametrize("name", ["", "nonsense", "label_studio", "jsonl\0"])
def test_an_unknown_format_is_refused_with_those_that_there_are(cast: Cast, name: str) -> None:
    url = f"/api/v1/studies/{cast.study.id}/export"
    refused = client_of(cast.coordinator).get(url, {"format": name})
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_format")
    assert "jsonl" in refused.json()["errors"][0]["expected"]


def test_a_plugin_adds_a_format(cast: Cast) -> None:
    assert export(cast.study, "counts") == b"10"
