"""Let language models score the candidates of questions: SerenQA's ensemble."""

from argparse import ArgumentParser
from typing import Any

from backend.benchmarks.models import QuestionSet
from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import NotFound
from backend.evaluation.runs.ensemble import score_candidates
from backend.llm.endpoints import get_endpoint_by_name_or_raise
from backend.llm.management.commands.add_endpoint import parse_budget


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
        endpoints = [get_endpoint_by_name_or_raise(name) for name in options["endpoint"]]
        result = score_candidates(
            question_set=question_set,
            endpoints=endpoints,
            amount=options["budget"],
        )
        payload = {**vars(result), "spent": f"{result.spent:.6f}"}
        lines = [
            f"Scored by {'; '.join(one.model_and_size for one in endpoints)}",
            f"{result.scored:,} scored, {result.known:,} known, {len(result.failed):,} failed",
            f"{result.partitions:,} questions partitioned, {result.left_out:,} left out",
            f"${result.spent:.6f} spent",
        ]
        return payload, lines
