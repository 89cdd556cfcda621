"""Correct items of a release: a new release with all entries of the earlier one scored again."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.benchmarks.models import Correction, Release
from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import DomainError, NotFound
from backend.common.pluralize import pluralize
from backend.evaluation.corrections import CorrectionRequest, correct_release
from backend.evaluation.management.awaited_jobs import run_or_await
from backend.validation.faults import FaultList
from backend.validation.json_files import MISSING, parse_json_file


class Command(JsonCommand):
    help = "Make a corrected release and score all entries on it. All faults are listed at once."
    lists_faults_of = "file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("release", metavar="SLUG", help="the release to correct")
        parser.add_argument(
            "file", type=Path, metavar="FILE", help="a JSON list of {key, action, answer, item}"
        )
        parser.add_argument("--name", required=True, metavar="NEW", help="the address of the new")
        parser.add_argument("--title", help="the new release's name; the address without it")

    def run(self, options: dict[str, Any]) -> Output:
        release = Release.objects.filter(slug=options["release"]).first()
        if release is None:
            raise NotFound(f"There is no release '{options['release']}'.")
        request = CorrectionRequest(
            name=options["title"] or options["name"],
            slug=options["name"],
            rows=read_rows(options["file"]),
        )
        new, job = correct_release(actor=None, release=release, request=request, is_local=True)
        run_or_await(job)
        new.refresh_from_db()
        counts = {
            action.value: new.corrections.filter(action=action).count()
            for action in Correction.Action
        }
        count = new.submissions.count()
        payload = {
            "release": new.slug,
            "corrects": release.slug,
            "state": new.state,
            "digest": new.digest,
            "corrections": counts,
            "submissions": count,
        }
        changed = sum(counts.values()) - counts["withdraw"]
        lines = [
            f"Release '{new.slug}', {new.state}, corrects '{release.slug}'.",
            f"{pluralize(counts['withdraw'], 'item')} withdrawn, {changed:,} changed; "
            f"{pluralize(count, 'submission')} scored again.",
        ]
        return payload, lines


def read_rows(path: Path) -> list[object]:
    """Raises DomainError if the file is not a JSON list."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DomainError(f"{path} cannot be read: {error.strerror}.") from error
    faults = FaultList()
    value = parse_json_file(path.name, content, faults)
    if value is not MISSING and not isinstance(value, list):
        faults.add(path.name, "This is not a list of corrections.", "a JSON list")
    if faults.total or not isinstance(value, list):
        raise DomainError("The file of corrections is not valid.", faults=faults.listed)
    return value
