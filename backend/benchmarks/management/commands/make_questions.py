"""Make questions of all nine pattern types about any graph."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from backend.benchmarks.drawing import draw_questions
from backend.benchmarks.serendipity.naming import version_or_raise
from backend.benchmarks.serenqa.writing import NewQuestion, question_object, written
from backend.common.commanding import refuse
from backend.common.errors import DomainError
from backend.common.words import counted
from backend.graphs.reading import snapshot_of
from backend.graphs.snapshots.opening import Snapshot

COUNT, SEED = 500, 1
ANSWERS = 20  # of which a fifth can be chosen in few enough ways to try them all
LARGEST = 100_000


class Command(BaseCommand):
    help = (
        "Draw questions of all nine pattern types from a graph, run their patterns, and write "
        "those that can be asked as a file for import_questions. The same graph, count and seed "
        "give the same bytes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("graph", metavar="GRAPH", help="slug, slug@number or snapshot")
        parser.add_argument("--count", type=number, default=COUNT, help=f"{COUNT} if left")
        parser.add_argument("--seed", type=int, default=SEED, help=f"{SEED} if left")
        most = f"answers of a question, {ANSWERS} if left"
        parser.add_argument("--most", type=number, default=ANSWERS, metavar="ANSWERS", help=most)
        parser.add_argument("--into", type=Path, required=True, metavar="FILE")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            version = version_or_raise(options["graph"])
            questions = drawn(snapshot_of(version), options)
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


def number(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= LARGEST:
        raise ArgumentTypeError(f"a whole number from 1 to {LARGEST:,} is expected")
    return int(text)


def drawn(snapshot: Snapshot, options: Mapping[str, Any]) -> list[NewQuestion]:
    wanted = options["count"]
    with tqdm(total=wanted, unit=" questions", file=sys.stderr, disable=None, leave=False) as bar:

        def progress(done: int) -> None:
            bar.update(done - bar.n)

        return draw_questions(snapshot, options["seed"], wanted, options["most"], progress)


def write(questions: list[NewQuestion], into: Path) -> None:
    content = written([question_object(one) for one in questions], into.name)
    try:
        into.parent.mkdir(parents=True, exist_ok=True)
        into.write_bytes(content)
    except OSError as error:
        raise DomainError(
            f"{into} cannot be written: {error.strerror}.", code="unwritable"
        ) from error
