"""Make the demo's questions anew from the demo graph's files."""

import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from backend.benchmarks.demo import FILE, GRAPH
from backend.benchmarks.making import make_questions
from backend.benchmarks.serenqa.writing import question_object, written
from backend.common.words import counted
from backend.graphs.importers.catalogue import open_source
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.opening import open_snapshot

SEED = 5


class Command(BaseCommand):
    help = (
        "Draw questions of all nine pattern types from the demo graph, run their patterns, and "
        "write those that can be asked. The same files and seed give the same questions."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, default=SEED)
        parser.add_argument("--into", type=Path, default=FILE, metavar="FILE")
        parser.add_argument(
            "--check", action="store_true", help="only say whether the file is what would be made"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        content, count = made(options["seed"])
        into: Path = options["into"]
        if not options["check"]:
            into.parent.mkdir(parents=True, exist_ok=True)
            into.write_bytes(content)
            self.stdout.write(f"{counted(count, 'question')} written.")
        elif not into.is_file() or into.read_bytes() != content:
            self.stderr.write("The file is not what would be made now.")
            sys.exit(1)
        else:
            self.stdout.write(f"{counted(count, 'question')}, as they would be made now.")


def made(seed: int) -> tuple[bytes, int]:
    """The file, and how many questions are in it."""
    with tempfile.TemporaryDirectory() as folder:
        built = build_snapshot(open_source([GRAPH], "csv").source, Path(folder))
        questions = make_questions(open_snapshot(built.path), seed)
        objects = [question_object(one) for one in questions]
    return written(objects, FILE.name), len(objects)
