"""Let language models score the candidates of questions: SerenQA's ensemble."""

from argparse import ArgumentParser
from typing import Any

from backend.benchmarks.models import QuestionSet
from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import NotFound
from backend.evaluation.runs.ensemble import score_candidates
from backend.llm.management.commands.add_endpoint import parse_budget
from backend.llm.models import Endpoint


class Command(JsonCommand):
    help = (
        "Let each model score the candidates of a set's questions from 0 to 20. Scores are stored "
        "by model and version of the prompt; the best fifth by their mean is the partition 'llm'."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("question_set", metavar="QUESTION_SET", help="its name")
        parser.add_argument("--endpoint", required=True, nargs="+", metavar="E", help="names")
        parser.add_argument(
            "--budget",
            type=parse_budget,
            metavar="DOLLARS",
            help="of all commands for the set; if left out, as it was, and 0 at first",
        )

    def run(self, options: dict[str, Any]) -> Output:
        question_set = QuestionSet.objects.filter(name=options["question_set"]).first()
        if question_set is None:
            raise NotFound(f"There is no question set '{options['question_set']}'.")
        result = score_candidates(
            question_set=question_set,
            endpoints=[find_endpoint(name) for name in options["endpoint"]],
            amount=options["budget"],
        )
        payload = {**vars(result), "spent": f"{result.spent:.6f}"}
        lines = [
            f"{result.scored:,} scored, {result.known:,} known, {len(result.failed):,} failed",
            f"{result.partitions:,} questions partitioned, {result.left_out:,} left out",
            f"${result.spent:.6f} spent",
        ]
        return payload, lines


def find_endpoint(name: str) -> Endpoint:
    endpoint = Endpoint.objects.filter(name=name, retired_at=None).first()
    if endpoint is None:
        raise NotFound(f"There is no endpoint '{name}'. Add it by add_endpoint.")
    return endpoint
