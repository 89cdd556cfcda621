"""Run a baseline of a release's track, and score its predictions."""

from argparse import ArgumentParser
from typing import Any

from backend.benchmarks.models import Release
from backend.common.command_utils import JsonCommand, Output, parse_seed
from backend.common.errors import DomainError, NotFound
from backend.evaluation.baselines import open_baselines
from backend.evaluation.management.commands.submit import result_lines, result_payload
from backend.evaluation.models import Evaluation, Submission
from backend.jobs.command_runner import run_with_progress_bar
from backend.jobs.models import Job
from backend.tracks.registry import load_baselines, load_tracks


class Command(JsonCommand):
    help = "Predict both splits of a release by a baseline, submit the files and score them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        names = sorted({name for one in load_tracks().values() for name in load_baselines(one)})
        parser.add_argument("name", metavar="NAME", help=", ".join(names))
        parser.add_argument("--release", required=True, metavar="SLUG")
        parser.add_argument("--seed", type=parse_seed, default=0, metavar="N")

    def run(self, options: dict[str, Any]) -> Output:
        release = Release.objects.filter(slug=options["release"]).first()
        if release is None:
            raise NotFound(f"There is no release '{options['release']}'.")
        payloads: list[dict[str, Any]] = []
        lines: list[str] = []
        with open_baselines(release, is_local=True) as runs:
            for split in runs.splits:
                submission, job = runs.run(options["name"], split, options["seed"])
                evaluation = score(submission, job)
                payloads.append({"split": split.value, **result_payload(submission, evaluation)})
                lines += [f"{split.label}:", *result_lines(evaluation)]
        payload = {"baseline": options["name"], "seed": options["seed"], "splits": payloads}
        return payload, lines


def score(submission: Submission, job: Job) -> Evaluation:
    if not job.has_ended:
        job = run_with_progress_bar(job)
    submission.refresh_from_db()
    if submission.evaluation is None:
        raise DomainError((job.error or {}).get("detail", "The evaluation failed."))
    return submission.evaluation
