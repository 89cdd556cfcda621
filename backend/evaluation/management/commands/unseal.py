"""Score all sealed predictions of a release by a later version of its graph."""

from argparse import ArgumentParser
from typing import Any

from backend.benchmarks.models import Release
from backend.benchmarks.sealed_releases import later_versions
from backend.common.command_utils import JsonCommand, Output, parse_count
from backend.common.errors import NotFound
from backend.common.pluralize import pluralize
from backend.evaluation.management.awaited_jobs import run_or_await
from backend.evaluation.models import Submission
from backend.evaluation.sealing import request_unsealing
from backend.evaluation.services import get_job
from backend.graphs.models import Version


class Command(JsonCommand):
    help = (
        "Make the dated board of a sealed release: the pairs that a later version of its graph "
        "joins, beside pairs that it does not, with all sealed predictions scored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("release", metavar="SLUG")
        parser.add_argument(
            "--version-number", type=parse_count, metavar="N", help="the newest one without it"
        )
        parser.add_argument(
            "--until", type=parse_count, metavar="YEAR", help="the last year whose links count"
        )

    def run(self, options: dict[str, Any]) -> Output:
        release = Release.objects.filter(slug=options["release"]).first()
        if release is None:
            raise NotFound(f"There is no release '{options['release']}'.")
        job = request_unsealing(
            actor=None,
            release=release,
            version=find_version(release, options["version_number"]),
            until=options["until"],
            is_local=True,
        )
        job = run_or_await(job)
        result: dict[str, Any] = job.result or {}
        for submission in Submission.objects.filter(release__slug=result["release"]):
            run_or_await(get_job(submission))
        lines = [
            f"Release '{result['release']}': {pluralize(result['links'], 'link')} until "
            f"{result['until']}, {pluralize(result['submissions'], 'sealed entry')} scored."
        ]
        return result, lines


def find_version(release: Release, number: int | None) -> Version | None:
    if number is None or release.graph_version is None:
        return None
    version = later_versions(release.graph_version).filter(number=number).first()
    if version is None:
        raise NotFound(f"The graph has no later version {number}.")
    return version
