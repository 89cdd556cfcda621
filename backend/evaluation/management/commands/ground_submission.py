"""Ground the rationales of a submission: which of their claims a graph and papers support."""

import uuid
from argparse import ArgumentParser
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import NotFound
from backend.evaluation.grounding.groundedness import list_groundings
from backend.evaluation.grounding.submission_overview import describe_grounding, summary_lines
from backend.evaluation.grounding.submissions import ground_submission, settings_within
from backend.evaluation.management.awaited_jobs import run_or_await
from backend.evaluation.management.commands.ground import (
    find_collection,
    find_endpoint,
    find_version,
)
from backend.evaluation.models import Submission
from backend.llm.management.commands.add_endpoint import parse_budget


class Command(JsonCommand):
    help = (
        "Ground the rationales of a submission's predictions, with nothing later than the cut-off "
        "of its release. Equal settings are grounded once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("submission", type=uuid.UUID, metavar="SUBMISSION", help="its id")
        parser.add_argument("--graph", metavar="G", help="its slug; else the release's graph")
        parser.add_argument("--literature", metavar="L", help="slug of a collection of papers")
        parser.add_argument("--endpoint", metavar="E", help="of the model that verifies; its name")
        parser.add_argument("--budget", type=parse_budget, metavar="DOLLARS", default=Decimal(0))

    def run(self, options: dict[str, Any]) -> Output:
        submission = find_submission(options["submission"])
        graph = options["graph"]
        settings = settings_within(
            submission.release,
            version=find_version(graph) if graph else None,
            collection=find_collection(options["literature"]),
            endpoint=find_endpoint(options["endpoint"]),
            budget=options["budget"],
        )
        linked, job = ground_submission(
            actor=None, submission=submission, settings=settings, is_local=True
        )
        if job is not None:
            run_or_await(job)
        grounded = next(one for one in list_groundings([submission]) if one.linked == linked)
        view = describe_grounding(grounded, are_bins_shown=True, is_batch_shown=True)
        return asdict(view), summary_lines([view])


def find_submission(submission_id: uuid.UUID) -> Submission:
    rows = Submission.objects.select_related("release", "evaluation", "model")
    submission = rows.filter(pk=submission_id).first()
    if submission is None:
        raise NotFound(f"There is no submission '{submission_id}'.")
    return submission
