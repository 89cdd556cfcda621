"""Import a question set with its patterns and partitions."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand
from django.db import transaction
from tqdm import tqdm

from backend.accounts.models import User
from backend.benchmarks.files import QUESTIONS, read_paths
from backend.benchmarks.importing import StoredSet, store_serenqa
from backend.benchmarks.on_graph import OnGraph, check_on_graph
from backend.benchmarks.reading import shown
from backend.benchmarks.resolution import resolve_question_set
from backend.benchmarks.serenqa.reading import read_serenqa
from backend.benchmarks.serenqa.records import QARecord, SerenQA
from backend.benchmarks.services import create_question_set
from backend.benchmarks.statistics import Counted, Statistics, statistics_of
from backend.common.errors import DomainError, Fault
from backend.common.words import counted
from backend.graphs.models import Version
from backend.graphs.naming import version_named
from backend.graphs.reading import snapshot_of

FORMATS = ("serenqa",)


@dataclass(frozen=True)
class Told:
    """What the command says at its end; nothing is stored in a dry run."""

    version: Version
    read: SerenQA
    graph: OnGraph
    statistics: Statistics
    stored: StoredSet | None


class Command(BaseCommand):
    help = (
        "Import questions with their graph patterns, and partitions of their answers, into the "
        "question set of this name, which is made if there is none. Their patterns are run on "
        "the graph and what differs is told. All is imported or nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("format", metavar="FORMAT", choices=FORMATS, help=", ".join(FORMATS))
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="file or folder")
        parser.add_argument("--name", required=True, help="the question set's name")
        parser.add_argument(
            "--graph", required=True, metavar="SLUG[@VERSION]", help="what the questions are about"
        )
        parser.add_argument(
            "--owner", default="", metavar="EMAIL", help="who sees a new set beside administrators"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what would come in")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            told = _import(options)
        except DomainError as error:
            self._refuse(error, as_json=options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(told)))
        else:
            self._tell(told)

    def _refuse(self, error: DomainError, *, as_json: bool) -> NoReturn:
        faults = error.faults or (Fault("questions", error.detail, error.code),)
        if as_json:
            listed = [asdict(fault) for fault in faults]
            self.stdout.write(json.dumps({"faults": listed, **error.data}))
        else:
            for fault in faults:
                expected = f" Expected: {fault.expected}." if fault.expected else ""
                self.stderr.write(f"{fault.place}: {fault.message}{expected}")
            self.stderr.write(error.detail)
        sys.exit(1)

    def _tell(self, told: Told) -> None:
        for notice in told.stored.notices if told.stored else told.read.notices:
            self.stdout.write(f"Notice: {notice}")
        for fault in told.graph.unknown:
            self.stdout.write(f"Not in the graph: {fault.place}: {fault.message}")
        for one in told.graph.differing:
            self.stdout.write(
                f"Question {one.qid}: {counted(one.in_file, 'answer')} in the file, "
                f"{one.in_graph:,} in the graph, {one.in_both:,} in both."
            )
        graph = told.graph
        self.stdout.write(
            f"Of {counted(graph.questions, 'pattern')}, {graph.run:,} could be run on "
            f"{told.version.graph.slug}@{told.version.number}; {graph.same:,} have exactly the "
            "answers of the file."
        )
        types = ", ".join(f"{name} {count:,}" for name, count in told.statistics.types.items())
        self.stdout.write(f"Pattern types: {types}.")
        self._tell_stored(told)

    def _tell_stored(self, told: Told) -> None:
        if told.stored is None:
            self.stdout.write("Nothing was imported.")
            return
        stored = told.stored
        questions, partitions = (
            counted(stored.questions, "question"),
            counted(stored.partitions, "partition"),
        )
        self.stdout.write(
            f"Question set '{stored.question_set.name}': {questions} ({stored.added:,} new), "
            f"{partitions} ({stored.partitions_added:,} new)."
        )
        owner = stored.question_set.created_by
        whom = "administrators" if owner is None else f"{owner.email} and administrators"
        self.stdout.write(f"Those that are not public stand under Benchmarks for {whom}.")


def _import(options: dict[str, Any]) -> Told:
    version = version_named(None, options["graph"])
    if version is None:
        raise DomainError("No graph was named.", code="unknown_graph")
    owner = _owner(options["owner"])
    files, faults = read_paths(options["paths"], QUESTIONS)
    read = read_serenqa(files, faults)
    snapshot = snapshot_of(version)
    with tqdm(total=len(read.questions), unit=" questions", file=sys.stderr, disable=None) as bar:
        graph = check_on_graph(snapshot, read.questions, progress=lambda done: _move(bar, done))
    counts = statistics_of(
        map(_counted, read.questions), entities=version.entities, edges=version.edges
    )
    stored = None
    if not options["dry_run"]:
        stored = _store(owner, options["name"], read, options["paths"])
    if stored is not None:
        resolve_question_set(question_set=stored.question_set, version=version)
    return Told(version, read, graph, counts, stored)


def _owner(email: str) -> User | None:
    found = User.objects.by_email(email) if email else None
    if email and found is None:
        raise DomainError(f"Nobody here has the address {shown(email, 120)}.", code="unknown_owner")
    return found


def _move(bar: "tqdm[NoReturn]", done: int) -> None:
    bar.update(done - bar.n)


def _counted(question: QARecord) -> Counted:
    return Counted(question.pattern, len(question.answers), question.said_type)


@transaction.atomic
def _store(owner: User | None, name: str, read: SerenQA, paths: list[Path]) -> StoredSet:
    source = ", ".join(shown(path.name, 120) for path in paths)
    question_set = create_question_set(actor=owner, name=name)
    return store_serenqa(actor=None, question_set=question_set, read=read, source=source)


def _as_json(told: Told) -> dict[str, Any]:
    stored = told.stored
    made = stored.question_set if stored else None
    return {
        "question_set": {"id": str(made.pk), "name": made.name} if made else None,
        "dry_run": stored is None,
        "graph": {"slug": told.version.graph.slug, "number": told.version.number},
        "on_graph": asdict(told.graph),
        "statistics": asdict(told.statistics),
        "questions": len(told.read.questions),
        "added": stored.added if stored else 0,
        "partitions": sum(len(record.splits) for record in told.read.partitions),
        "partitions_added": stored.partitions_added if stored else 0,
        "notices": list(stored.notices if stored else told.read.notices),
    }
