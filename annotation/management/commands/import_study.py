from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.archives import ImportedArchive, import_archive
from annotation.coordinator_invites import Coordinator, check_coordinator_email, ensure_coordinator
from annotation.formats.registry import study_formats
from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize


class Command(JsonCommand):
    lists_faults_of = "study"
    help = (
        "Import a study with its answers from an export, as a new study that stays closed. If the "
        "file has an error, nothing is imported."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        known = ", ".join(one.name for one in study_formats().values() if one.read)
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--format", required=True, metavar="F", help=f"one of {known}")
        parser.add_argument("--name", required=True, help="the new study's name")
        parser.add_argument(
            "--coordinator", required=True, help="e-mail address; invited if unknown"
        )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        faults = check_coordinator_email(options["coordinator"])
        if faults:
            raise DomainError("This address cannot coordinate the study.", faults=faults)
        try:
            file = options["file"].open("rb")
        except OSError as error:
            sentence = f"The file cannot be read: {error.strerror}."
            raise DomainError(sentence, code="not_found") from error
        with file, transaction.atomic():
            imported = import_archive(
                actor=None, name=options["name"], format_name=options["format"], file=file
            )
            coordinator = ensure_coordinator(
                actor=None, study=imported.study, email=options["coordinator"]
            )
        return _as_json(imported, coordinator), [coordinator.describe(), _line(imported)]


def _line(imported: ImportedArchive) -> str:
    return (
        f"Study '{imported.study.name}': {pluralize(imported.questions, 'question')}, "
        f"{pluralize(imported.experts, 'expert')}, "
        f"{pluralize(imported.assignments, 'assignment')}."
    )


def _as_json(imported: ImportedArchive, coordinator: Coordinator) -> dict[str, Any]:
    names = ("experts", "questions", "assignments")
    return {
        "study": {"id": str(imported.study.id), "name": imported.study.name},
        **{name: getattr(imported, name) for name in names},
        "coordinator": asdict(coordinator),
    }
