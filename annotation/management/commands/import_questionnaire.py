from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.coordinator_invites import Coordinator, check_coordinator_email, ensure_coordinator
from annotation.imports import StudyImport, import_study
from backend.benchmarks.file_discovery import read_source_files
from backend.benchmarks.rns.lookup import get_set_by_name_or_raise
from backend.benchmarks.study_links import question_set_of
from backend.common.command_utils import JsonCommand, Output, progress_bar
from backend.common.pluralize import pluralize


class Command(JsonCommand):
    lists_faults_of = "study"
    help = (
        "Import questionnaire files (one for each batch, and batches.json beside them) into the "
        "open study of this name, or create it. If a file has an error, nothing is imported."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="file or folder")
        parser.add_argument("--study", required=True, help="the study's name")
        parser.add_argument(
            "--coordinator", required=True, help="e-mail address; invited if unknown"
        )
        parser.add_argument(
            "--graph", default="", metavar="SLUG[@VERSION]", help="the graph that shows evidence"
        )
        parser.add_argument("--kind", default="", help="study kind of a new study")
        parser.add_argument(
            "--question-set", metavar="SET", help="name or id of the set that the files join"
        )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        email = options["coordinator"]
        named = options["question_set"]
        question_set = get_set_by_name_or_raise(named) if named else None
        sources, faults = read_source_files(options["paths"])
        with progress_bar("questions") as progress, transaction.atomic():
            imported = import_study(
                actor=None,
                name=options["study"],
                sources=sources,
                faults=[*check_coordinator_email(email), *faults],
                kind=options["kind"],
                graph=options["graph"],
                question_set=question_set,
                progress=progress,
            )
            coordinator = ensure_coordinator(actor=None, study=imported.study, email=email)
        return _as_json(imported, coordinator), _lines(imported, coordinator)


def _lines(imported: StudyImport, coordinator: Coordinator) -> Iterator[str]:
    for notice in imported.notices:
        yield f"Notice: {notice}"
    yield coordinator.describe()
    yield f"Question set: '{question_set_of(imported.study).name}'."
    batches = pluralize(imported.batches, "batch", "batches")
    questions = pluralize(imported.questions, "question")
    candidates = pluralize(imported.candidates, "candidate")
    yield (
        f"Study '{imported.study.name}': {batches}, {questions} "
        f"({imported.added:,} new), {candidates}."
    )


def _as_json(imported: StudyImport, coordinator: Coordinator) -> dict[str, Any]:
    return {
        "study": {"id": str(imported.study.id), "name": imported.study.name},
        "question_set": question_set_of(imported.study).name,
        "batches": imported.batches,
        "questions": imported.questions,
        "candidates": imported.candidates,
        "added": imported.added,
        "coordinator": asdict(coordinator),
        "notices": list(imported.notices),
    }
