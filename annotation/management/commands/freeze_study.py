from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.models import StudyRelease
from annotation.study_releases import check_release, find_release_or_raise, freeze_study
from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import DomainError
from backend.studies.lookup import get_study_by_name_or_raise

CURRENT = ""


class Command(JsonCommand):
    help = (
        "Freeze a closed study as a release: nothing of it changes again, and its statistics are "
        "stored as they are. With --check, compare an export with the release instead."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="NAME", help="the study's name")
        action = parser.add_mutually_exclusive_group(required=True)
        action.add_argument("--release", metavar="SLUG", help="the name that papers cite")
        action.add_argument(
            "--check",
            nargs="?",
            const=CURRENT,
            metavar="FILE",
            help="a JSON export; without a file, what the study would export now",
        )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        if options["check"] is not None:
            release = find_release_or_raise(options["study"])
            check_release(release, _read(options["check"]))
            return _as_json(release), [f"The export is what release '{release.slug}' froze."]
        study = get_study_by_name_or_raise(options["study"])
        release = freeze_study(actor=None, study_id=study.id, slug=options["release"])
        lines = [
            f"Study '{study.name}' is frozen as release '{release.slug}'.",
            f"SHA-256 of its export: {release.checksum}.",
        ]
        return _as_json(release), lines


def _read(file: str) -> list[str] | None:
    if file == CURRENT:
        return None
    try:
        return [Path(file).read_text(encoding="utf-8")]
    except (OSError, UnicodeDecodeError) as error:
        raise DomainError(f"The file '{file}' cannot be read.") from error


def _as_json(release: StudyRelease) -> dict[str, Any]:
    return {
        "study": release.study.name,
        "release": release.slug,
        "checksum": release.checksum,
        "created_at": release.created_at,
        "record": release.record,
    }
