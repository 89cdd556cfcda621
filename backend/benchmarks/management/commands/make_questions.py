"""Make questions of all nine pattern types about any graph."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from backend.benchmarks.drawing import draw_questions
from backend.benchmarks.serendipity.commanding import refuse
from backend.benchmarks.serendipity.naming import version_or_raise
from backend.benchmarks.serenqa.writing import NewQuestion, question_object, written
from backend.common.errors import DomainError
from backend.common.words import counted
from backend.graphs.reading import snapshot_of
from backend.graphs.snapshots.opening import Snapshot

COUNT, SEED, MOST = 500, 1, 100_000


class Command(BaseCommand):
    help = (
        "Draw questions of all nine pattern types from a graph, run their patterns, and write "
        "those that can be asked as a file for import_questions. The same graph, count and seed "
        "give the same bytes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("graph", metavar="GRAPH", help="slug, slug@number or snapshot")
        parser.add_argument("--count", type=count, default=COUNT, help=f"{COUNT} if left")
        parser.add_argument("--seed", type=int, default=SEED, help=f"{SEED} if left")
        parser.add_argument("--into", type=Path, required=True, metavar="FILE")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            version = version_or_raise(options["graph"])
            questions = drawn(snapshot_of(version), options["seed"], options["count"])
            write(questions, options["into"])
        except DomainError as error:
            refuse(error, self.stdout, self.stderr, options["json"])
        types = Counter(one.pattern.type for one in questions)
        answers = sum(len(one.answers) for one in questions) / max(1, len(questions))
        if options["json"]:
            told = {"questions": len(questions), "types": types, "mean_answers": answers}
            self.stdout.write(json.dumps({"snapshot": version.snapshot, **told}))
            return
        said = ", ".join(f"{name} {types[name]:,}" for name in sorted(types))
        self.stdout.write(f"{counted(len(questions), 'question')} written.")
        self.stdout.write(f"Pattern types: {said}. {answers:.2f} answers on average.")
        if len(questions) < options["count"]:
            self.stdout.write("This graph has not enough for more.")


def count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MOST:
        raise ArgumentTypeError(f"a whole number from 1 to {MOST:,} is expected")
    return int(text)


def drawn(snapshot: Snapshot, seed: int, wanted: int) -> list[NewQuestion]:
    with tqdm(total=wanted, unit=" questions", file=sys.stderr, disable=None, leave=False) as bar:

        def progress(done: int) -> None:
            bar.update(done - bar.n)

        return draw_questions(snapshot, seed, wanted, progress)


def write(questions: list[NewQuestion], into: Path) -> None:
    content = written([question_object(one) for one in questions], into.name)
    try:
        into.parent.mkdir(parents=True, exist_ok=True)
        into.write_bytes(content)
    except OSError as error:
        raise DomainError(
            f"{into} cannot be written: {error.strerror}.", code="unwritable"
        ) from error
