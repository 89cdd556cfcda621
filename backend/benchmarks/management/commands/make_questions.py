from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from backend.benchmarks.formats.serenqa.writer import build_question_record, serialize_records
from backend.benchmarks.question_format import NewQuestion
from backend.benchmarks.question_sampling import sample_questions
from backend.benchmarks.rns.lookup import get_version_or_raise
from backend.common.command_utils import (
    JsonCommand,
    Output,
    parse_count,
    parse_seed,
    progress_bar,
    report_unwritable,
)
from backend.common.pluralize import pluralize
from backend.graphs.graph_access import open_version_snapshot

COUNT, SEED = 500, 1
DEFAULT_MAX_ANSWERS = 20  # all choices of a fifth of 20 answers can still be evaluated


class Command(JsonCommand):
    help = (
        "Draw questions of all nine pattern types from a graph, run their patterns, and write "
        "the acceptable ones to a file for import_questions. The same graph, count and seed "
        "give the same bytes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("graph", metavar="GRAPH", help="slug, slug@number or snapshot")
        parser.add_argument("--count", type=parse_count, default=COUNT, help=f"{COUNT} by default")
        parser.add_argument("--seed", type=parse_seed, default=SEED, help=f"{SEED} by default")
        most = f"answers of a question, {DEFAULT_MAX_ANSWERS} by default"
        parser.add_argument(
            "--most", type=parse_count, default=DEFAULT_MAX_ANSWERS, metavar="ANSWERS", help=most
        )
        parser.add_argument("--into", type=Path, required=True, metavar="FILE")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        version = get_version_or_raise(options["graph"])
        view, count = open_version_snapshot(version), options["count"]
        with progress_bar("questions", count) as progress:
            questions = sample_questions(view, options["seed"], count, options["most"], progress)
        write_questions(questions, options["into"])
        types = Counter(one.pattern.type for one in questions)
        answers = sum(len(one.answers) for one in questions) / max(1, len(questions))
        summary = {"questions": len(questions), "types": types, "mean_answers": answers}
        label = ", ".join(f"{name} {types[name]:,}" for name in sorted(types))
        lines = [
            f"{pluralize(len(questions), 'question')} written.",
            f"Pattern types: {label}. {answers:.2f} answers on average.",
        ]
        if len(questions) < count:
            lines.append("The graph does not have enough for more.")
        return {"snapshot": version.snapshot, **summary}, lines


def write_questions(questions: list[NewQuestion], into: Path) -> None:
    content = serialize_records([build_question_record(one) for one in questions], into.name)
    with report_unwritable(into):
        into.parent.mkdir(parents=True, exist_ok=True)
        into.write_bytes(content)
