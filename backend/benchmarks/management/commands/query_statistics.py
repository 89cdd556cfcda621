from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from backend.benchmarks.stark_queries.query_files import read_query_records
from backend.benchmarks.stark_queries.statistics import compute_query_statistics
from backend.common.command_utils import JsonCommand, Output


class Command(JsonCommand):
    help = "Statistics of a file of STaRK's queries: numbers, lengths, diversity, composition."
    lists_faults_of = "file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="id, query and answer_ids")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        result = compute_query_statistics(read_query_records(options["file"]))
        several = result.with_several_answers
        lines = [
            f"{result.queries:,} queries, {several:,} with several answers.",
            f"{result.mean_answers:.2f} answers and {result.mean_words:.2f} words on average.",
            f"Shannon entropy {result.shannon_entropy:.2f} bits, "
            f"type-token ratio {result.type_token_ratio:.3f}.",
        ]
        if result.relational_share is not None:
            share = f"Relational words: {100 * result.relational_share:.1f} % of the requirements"
            ratio = result.relational_to_textual
            lines.append(share + (f", {ratio:.2f} to one textual word." if ratio else "."))
        return asdict(result), lines
