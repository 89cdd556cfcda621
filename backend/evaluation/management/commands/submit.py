"""Submit a file of predictions as the operator: exact scores, also on drafts, at no query."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.registered_models import get_or_create_model
from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import DomainError, NotFound
from backend.evaluation.management.awaited_jobs import run_or_await
from backend.evaluation.models import Evaluation, Provenance, Score, Submission, SubmissionState
from backend.evaluation.prediction_files import store_prediction_file
from backend.evaluation.query_reports import get_query_report
from backend.evaluation.sealing import seal_predictions
from backend.evaluation.services import NewSubmission, request_rescoring, submit_predictions
from backend.jobs.command_runner import run_with_progress_bar
from backend.jobs.models import JobState

OPERATORS_PROVENANCES = [one.value for one in Provenance if one != Provenance.BASELINE]


class Command(JsonCommand):
    help = "Validate and score a file of predictions. All faults are listed at once."
    lists_faults_of = "file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--release", required=True, metavar="R", help="the release's slug")
        parser.add_argument("--model", required=True, metavar="M", help="the model's name")
        parser.add_argument("--split", choices=ReleaseSplit.values, default=ReleaseSplit.TEST.value)
        parser.add_argument(
            "--provenance",
            choices=OPERATORS_PROVENANCES,
            default=Provenance.EVALUATED.value,
            help="reproduced: you ran the model of somebody else again; self_reported: its authors "
            "sent the predictions; the board marks the entry so",
        )

    def run(self, options: dict[str, Any]) -> Output:
        release = Release.objects.filter(slug=options["release"]).first()
        if release is None:
            raise NotFound(f"There is no release '{options['release']}'.")
        path: Path = options["file"]
        try:
            with path.open("rb") as stream:
                file = store_prediction_file(stream, path.name)
        except OSError as error:
            raise DomainError(f"{path} cannot be read: {error.strerror}.") from error
        new = NewSubmission(
            release=release,
            model=get_or_create_model(options["model"]),
            split=ReleaseSplit(options["split"]),
            provenance=Provenance(options["provenance"]),
        )
        if release.is_sealed:
            return sealed_output(seal_predictions(actor=None, new=new, file=file))
        submission, job = submit_predictions(actor=None, new=new, file=file, is_local=True)
        if not job.has_ended:
            job = run_with_progress_bar(job)
        submission.refresh_from_db()
        if submission.state == SubmissionState.QUEUED and job.state == JobState.SUCCEEDED:
            # It waits until all scores of the release are of its evaluator version.
            run_or_await(request_rescoring(release))
            submission.refresh_from_db()
        evaluation = submission.evaluation
        if evaluation is None:
            raise DomainError((job.error or {}).get("detail", "The evaluation failed."))
        payload, lines = result_payload(submission, evaluation), result_lines(evaluation)
        return payload, [*lines, *query_lines(submission)]


def sealed_output(submission: Submission) -> Output:
    payload = {
        "submission": str(submission.pk),
        "state": submission.state,
        "file_digest": submission.file_digest,
        "sealed_at": submission.created_at.isoformat(),
    }
    at = f"{submission.created_at:%Y-%m-%d %H:%M} UTC"
    return payload, [f"Sealed at {at}, SHA-256 {submission.file_digest}. Nothing was scored."]


SCORE_FIELDS = ("metric", "slice", "value", "low", "high", "n", "coverage")


def result_payload(submission: Submission, evaluation: Evaluation) -> dict[str, Any]:
    return {
        "submission": str(submission.pk),
        "state": submission.state,
        "key": evaluation.key,
        "scores": list(evaluation.scores.order_by("pk").values(*SCORE_FIELDS)),
    }


def result_lines(evaluation: Evaluation) -> list[str]:
    scores = evaluation.scores.order_by("pk")
    return [f"{score.metric:<20} {score.slice:<20} {format_score(score)}" for score in scores]


def query_lines(submission: Submission) -> list[str]:
    report = get_query_report(submission)
    if report is None or not (report.failed + report.without_entity + report.without_result):
        return []
    counted = f"{report.failed:,} of {report.queries:,} queries failed"
    named = f"{report.without_result:,} ran and returned nothing"
    named += f"; {report.without_entity:,} returned something and named no entity"
    return [f"{counted}; {named}. See /submissions/{submission.pk}."]


def format_score(score: Score) -> str:
    interval = f" ({score.low:.2f} to {score.high:.2f})" if score.low is not None else ""
    return f"{score.value:.2f}{interval}, n = {score.n:,}, coverage {score.coverage:.0%}"
