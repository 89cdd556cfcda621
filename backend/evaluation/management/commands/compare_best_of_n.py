"""Compare the most grounded of several samples with greedy decoding and the majority."""

import uuid
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.evaluation.grounding.best_of_n import BestOfN, SelectionAccuracy, compare_best_of_n
from backend.evaluation.management.commands.ground_submission import find_submission


class Command(JsonCommand):
    help = (
        "Choose of each item the sample with the highest groundedness, and compare its accuracy "
        "with that of greedy decoding, the majority, a random sample, and any right sample."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--greedy", type=uuid.UUID, required=True, metavar="SUBMISSION")
        parser.add_argument(
            "samples", type=uuid.UUID, nargs="+", metavar="SUBMISSION", help="samples, grounded"
        )

    def run(self, options: dict[str, Any]) -> Output:
        compared = compare_best_of_n(
            actor=None,
            greedy=find_submission(options["greedy"]),
            samples=[find_submission(one) for one in options["samples"]],
        )
        return asdict(compared), describe(compared)


def describe(compared: BestOfN) -> list[str]:
    head = f"{compared.items:,} items, {len(compared.samples)} samples, {compared.tied:,} tied"
    return [head, *map(describe_selection, compared.selections)]


def describe_selection(one: SelectionAccuracy) -> str:
    line = f"{one.selection:<13} {one.accuracy.value:5.1f}%"
    if one.difference is None:
        return line
    interval = ""
    if one.difference_low is not None and one.difference_high is not None:
        interval = f" ({one.difference_low:+.1f} to {one.difference_high:+.1f})"
    return f"{line}  groundedness minus it: {one.difference:+.1f} points{interval}"
