import json
from argparse import ArgumentParser
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation.kinds.written_queries.entity_sample import draw_questions
from annotation.kinds.written_queries.query_sets import (
    store_written_queries,
    write_verified_queries,
)
from backend.benchmarks.rns.lookup import get_version_or_raise
from backend.common.command_utils import (
    JsonCommand,
    Output,
    parse_count,
    parse_seed,
    report_unwritable,
)
from backend.common.pluralize import pluralize
from backend.graphs.graph_access import open_version_snapshot
from backend.studies.lookup import get_study_by_name_or_raise

COUNT, SEED = 20, 1


class DrawEntities(JsonCommand):
    help = (
        "Draw entities of a graph at random, with their documents and edges, and write a "
        "questionnaire of a study in which experts write queries (--kind written_queries). The "
        "same graph, count and seed give the same bytes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("graph", metavar="GRAPH", help="slug, slug@number or snapshot")
        parser.add_argument("--count", type=parse_count, default=COUNT, help=f"{COUNT} by default")
        parser.add_argument("--seed", type=parse_seed, default=SEED, help=f"{SEED} by default")
        parser.add_argument(
            "--type",
            action="append",
            default=[],
            metavar="TYPE",
            help="only entities of this type; may be repeated",
        )
        parser.add_argument("--into", type=Path, required=True, metavar="FILE", help="a JSON file")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        version = get_version_or_raise(options["graph"])
        count, into = options["count"], options["into"]
        view = open_version_snapshot(version)
        questions = draw_questions(view, count, options["seed"], options["type"])
        with report_unwritable(into):
            into.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(questions, ensure_ascii=False, indent=1)
            into.write_text(f"{text}\n", encoding="utf-8")
        types = Counter(one["category"] for one in questions)
        with_document = sum(bool(one["documents"]) for one in questions)
        lines = [
            f"{pluralize(len(questions), 'entity', 'entities')} written, "
            f"{with_document:,} with documents."
        ]
        if len(questions) < count:
            lines.append("The graph does not have more entities with edges.")
        return {"snapshot": version.snapshot, "entities": len(questions), "types": types}, lines


class StoreQueries(JsonCommand):
    help = (
        "Store the queries of a closed study as a question set, which a study of ratings verifies, "
        "and count the verdicts. Repeating it adds what is new."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="NAME", help="the study's name")
        parser.add_argument(
            "--into",
            type=Path,
            metavar="FILE",
            help="also write the verified queries as a CSV file for make_release stark-prime",
        )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        study = get_study_by_name_or_raise(options["study"])
        stored = store_written_queries(actor=None, study_id=study.id)
        into: Path | None = options["into"]
        if into is not None:
            with report_unwritable(into):
                into.parent.mkdir(parents=True, exist_ok=True)
                into.write_bytes(write_verified_queries(stored.question_set))
        lines = [
            f"Question set '{stored.name}': {pluralize(stored.queries, 'query', 'queries')} "
            f"({stored.added:,} new).",
            f"Verified: {stored.verified:,}. Refuted: {stored.refuted:,}. "
            f"Divided: {stored.divided:,}. Not rated by another expert: {stored.unverified:,}.",
        ]
        return asdict(stored), lines


COMMANDS = {"draw_entities": DrawEntities, "store_queries": StoreQueries}
