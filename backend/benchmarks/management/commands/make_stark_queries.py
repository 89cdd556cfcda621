from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from backend.benchmarks.entity_keys import get_entity_keys
from backend.benchmarks.rns.lookup import get_version_or_raise
from backend.benchmarks.stark_queries.generation import generate_queries
from backend.benchmarks.stark_queries.query_files import line_of, write_queries
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

COUNT, SEED = 280, 1
DEFAULT_MAX_ANSWERS = 20  # as in STaRK-Prime


class Command(JsonCommand):
    help = (
        "Draw queries of STaRK's relational templates with conditions on documents, run them for "
        "their answers, and write a file for make_release stark-prime and query_statistics. The "
        "same graph, count and seed give the same bytes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("graph", metavar="GRAPH", help="slug, slug@number or snapshot")
        parser.add_argument("--count", type=parse_count, default=COUNT, help=f"{COUNT} by default")
        parser.add_argument("--seed", type=parse_seed, default=SEED, help=f"{SEED} by default")
        most = f"answers of a query, {DEFAULT_MAX_ANSWERS} by default"
        parser.add_argument(
            "--most", type=parse_count, default=DEFAULT_MAX_ANSWERS, metavar="ANSWERS", help=most
        )
        parser.add_argument("--into", type=Path, required=True, metavar="FILE", help="a CSV file")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        version = get_version_or_raise(options["graph"])
        view, count, into = open_version_snapshot(version), options["count"], options["into"]
        with progress_bar("queries", count) as progress:
            queries = generate_queries(view, count, options["seed"], options["most"], progress)
        content = write_queries(map(line_of, queries), get_entity_keys(version).keys)
        with report_unwritable(into):
            into.parent.mkdir(parents=True, exist_ok=True)
            into.write_bytes(content)
        templates = Counter(one.template for one in queries)
        with_text = sum(bool(one.phrase) for one in queries)
        lines = [
            f"{pluralize(len(queries), 'query', 'queries')} of "
            f"{pluralize(len(templates), 'template')} written, {with_text:,} with a condition "
            "on documents."
        ]
        if len(queries) < count:
            lines.append("The graph does not have enough for more.")
        summary = {"queries": len(queries), "with_text": with_text, "templates": templates}
        return {"snapshot": version.snapshot, **summary}, lines
