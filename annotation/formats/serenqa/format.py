"""A study in SerenQA's own files: its batches as questionnaire files, and a table of answers.

The questionnaire files are what `import_questionnaire` reads. Questions with a known answer, which
would be like any other there, are in the table alone.
"""

import json
from collections import Counter
from typing import IO, Any

from annotation.export_records import ExportRecord
from annotation.exports import consistent_snapshot, iterate_questions
from annotation.exports_csv import export_csv
from annotation.formats.base import StudyFormat
from annotation.formats.zip_files import open_part, open_zip
from annotation.models import Batch, BatchQuestion
from backend.benchmarks.questionnaire import CATALOGUE_FILE
from backend.studies.models import Study


def write_serenqa(study: Study, file: IO[bytes], with_names: bool) -> None:
    with open_zip(file) as archive, consistent_snapshot():
        catalogue = []
        for batch in study.batches.all():
            categories = Counter[str]()
            with open_part(archive, f"batch{batch.number}.json") as part:
                part.write(b"[")
                for entry, _ in iterate_questions(batch, events=False):
                    if hasattr(entry, "known_answer"):
                        continue
                    part.write((",\n" if categories else "\n").encode() + _as_json(_entry(entry)))
                    categories[entry.question.category] += 1
                part.write(b"\n]\n")
            catalogue.append(_catalogue_entry(batch, categories))
        with open_part(archive, CATALOGUE_FILE) as part:
            part.write(_as_json(catalogue) + b"\n")
        with open_part(archive, "answers.csv") as part:
            for text in export_csv(study, with_names=with_names):
                part.write(text.encode())


def _as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _entry(entry: BatchQuestion) -> ExportRecord:
    """As in its file."""
    question = entry.question
    candidates = question.candidates.all()
    own: dict[str, Any] = {
        "question_number": question.number,
        "qid": _identity(question.file_id),
        "text": question.text,
        "category": question.category,
        **question.payload,
    }
    if candidates:
        own["llm_ranking"] = [
            {"entity_name": one.name, "llm_rank": one.prior_rank, "entity_link": one.link}
            for one in candidates
        ]
        own["resource"] = [
            {"entity_name": one.name, "entity_link": one.link} for one in question.resources.all()
        ]
    return own


def _identity(file_id: str) -> int | str:
    """A whole number only if it is read back as the same id: '007' stays text."""
    is_number = file_id.isdecimal() and str(int(file_id)) == file_id
    return int(file_id) if is_number else file_id


def _catalogue_entry(batch: Batch, categories: Counter[str]) -> ExportRecord:
    return {
        "batch_id": batch.number,
        "batch_name": batch.name,
        "total": categories.total(),
        "categories": dict(categories),
    }


FORMAT = StudyFormat(
    name="serenqa",
    title="SerenQA",
    description="Questionnaire files as SerenQA has them, with a table of the answers, zipped.",
    media_type="application/zip",
    extension="zip",
    write=write_serenqa,
)
