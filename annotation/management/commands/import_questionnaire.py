"""Make a study from SerenQA's questionnaire files."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand
from django.db import transaction
from tqdm import tqdm

from annotation.coordinators import Coordinator, ensure_coordinator, faults_of_coordinator
from annotation.imports import Imported, import_study
from backend.benchmarks.files import read_paths
from backend.common.errors import DomainError, Fault
from backend.common.words import counted


class Command(BaseCommand):
    help = (
        "Import questionnaire files (batch<number>.json, and batches.json beside them) into the "
        "open study of this name, which is made if there is none. All is imported or nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="file or folder")
        parser.add_argument("--study", required=True, help="the study's name")
        parser.add_argument("--coordinator", required=True, help="her address; invited if unknown")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        paths, study, email = options["paths"], options["study"], options["coordinator"]
        try:
            made, coordinator = self._import(paths, study, email)
        except DomainError as error:
            self._refuse(error, as_json=options["json"])
        else:
            self._tell(made, coordinator, as_json=options["json"])

    def _import(self, paths: list[Path], study: str, email: str) -> tuple[Imported, Coordinator]:
        sources, faults = read_paths(paths)
        with _bar() as bar, transaction.atomic():

            def progress(done: int) -> None:
                bar.update(done - bar.n)

            faults = [*faults_of_coordinator(email), *faults]
            made = import_study(
                actor=None, name=study, sources=sources, faults=faults, progress=progress
            )
            return made, ensure_coordinator(actor=None, study=made.study, email=email)

    def _tell(self, made: Imported, coordinator: Coordinator, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(_as_json(made, coordinator)))
            return
        for notice in made.notices:
            self.stdout.write(f"Notice: {notice}")
        self.stdout.write(_said_of(coordinator))
        batches = counted(made.batches, "batch", "batches")
        questions = counted(made.questions, "question")
        candidates = counted(made.candidates, "candidate")
        self.stdout.write(
            f"Study '{made.study.name}': {batches}, {questions} ({made.added:,} new), {candidates}."
        )

    def _refuse(self, error: DomainError, *, as_json: bool) -> None:
        faults = error.faults or (Fault("study", error.detail, error.code),)
        if as_json:
            self.stdout.write(
                json.dumps({"faults": [asdict(fault) for fault in faults], **error.data})
            )
        else:
            for fault in faults:
                expected = f" Expected: {fault.expected}." if fault.expected else ""
                self.stderr.write(f"{fault.place}: {fault.message}{expected}")
            self.stderr.write(error.detail)
        sys.exit(1)


def _bar() -> "tqdm[NoReturn]":
    """Shown on a terminal only, and not where the command's own words go."""
    return tqdm(unit=" questions", file=sys.stderr, disable=None, leave=False)


def _said_of(coordinator: Coordinator) -> str:
    if coordinator.is_member:
        return f"{coordinator.email} coordinates it."
    if coordinator.link:
        return f"{coordinator.email} was invited to coordinate it: {coordinator.link}"
    return f"{coordinator.email} was invited before and has not accepted yet."


def _as_json(made: Imported, coordinator: Coordinator) -> dict[str, Any]:
    return {
        "study": {"id": str(made.study.id), "name": made.study.name},
        "batches": made.batches,
        "questions": made.questions,
        "candidates": made.candidates,
        "added": made.added,
        "coordinator": asdict(coordinator),
        "notices": list(made.notices),
    }
