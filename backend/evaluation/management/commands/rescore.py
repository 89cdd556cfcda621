"""Score the stored predictions of releases by the present evaluator."""

from argparse import ArgumentParser
from typing import Any

from backend.benchmarks.models import Release
from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import NotFound
from backend.evaluation.management.awaited_jobs import run_or_await
from backend.evaluation.services import request_rescoring


class Command(JsonCommand):
    help = "Score all stored predictions by the present evaluator, then exchange the scores."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        chosen = parser.add_mutually_exclusive_group(required=True)
        chosen.add_argument("--release", metavar="SLUG")
        chosen.add_argument("--all", action="store_true", help="every release")

    def run(self, options: dict[str, Any]) -> Output:
        releases = Release.objects.order_by("created_at")
        if options["release"]:
            releases = releases.filter(slug=options["release"])
            if not releases:
                raise NotFound(f"There is no release '{options['release']}'.")
        rows = [rescore(release) for release in releases]
        lines = [
            f"{row['release']}: {row['submissions']:,} submissions scored by version "
            f"{row['evaluator_version']} (before: {row['before']}), "
            f"{len(row['left_out']):,} left out as their files are lost."
            for row in rows
        ]
        return {"releases": rows}, lines


def rescore(release: Release) -> dict[str, Any]:
    before = release.evaluator_version
    job = run_or_await(request_rescoring(release, is_local=True))
    release.refresh_from_db()
    return {
        "release": release.slug,
        "before": before,
        "evaluator_version": release.evaluator_version,
        "submissions": job.result["submissions"],
        "left_out": job.result["left_out"],
    }
