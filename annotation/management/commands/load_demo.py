"""Load the demo, once, and print the accounts that one can sign in as."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.demo import SIMULATED, Demo, load_demo, loaded_accounts
from backend.benchmarks.demo import load_demo_questions
from backend.benchmarks.importing import StoredSet
from backend.common.errors import DomainError
from backend.common.words import counted
from backend.graphs.demo import load_demo_graph
from backend.graphs.models import Version


class Command(BaseCommand):
    help = (
        "Load the demo graph, its questions, the demo questionnaire, its accounts and its "
        "simulated experts. "
        "Their password is known to everybody: never where strangers can reach the server. "
        "Loading again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--accounts", action="store_true", help="only print the accounts")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        loads = not options["accounts"]
        graph = _load_graph() if loads else None
        questions = _load_questions(graph) if graph else None
        demo = _load(graph, quiet=options["verbosity"] == 0) if loads else None
        if options["json"]:
            told = {**_as_json_of_graph(graph), **_as_json_of_questions(questions)}
            self.stdout.write(json.dumps({**told, **_as_json(demo)}))
        elif not loads or options["verbosity"]:
            self._tell_graph(graph)
            self._tell_questions(questions)
            self._tell(demo)

    def _tell_graph(self, graph: Version | None) -> None:
        if graph:
            counts = f"{graph.entities:,} entities and {graph.edges:,} edges"
            self.stdout.write(f"The graph '{graph.graph.name}' is there, with {counts}.")

    def _tell_questions(self, stored: StoredSet | None) -> None:
        if stored:
            count = counted(stored.questions, "question")
            self.stdout.write(f"'{stored.question_set.name}' is there, with {count}.")

    def _tell(self, demo: Demo | None) -> None:
        if demo:
            done = "loaded" if demo.loaded_now else "there already"
            answers = f"{demo.responses} answers of {len(SIMULATED)} simulated experts"
            self.stdout.write(f"'{demo.study.name}' is {done}, with {answers}.")
        for account in loaded_accounts():
            self.stdout.write(f"{account.role:<16}{account.email:<36}{account.password}")


def _load_graph() -> Version:
    try:
        return load_demo_graph()[0]
    except DomainError as error:
        raise CommandError(error.detail) from error


def _load_questions(graph: Version) -> StoredSet:
    try:
        return load_demo_questions(graph)
    except DomainError as error:
        raise CommandError(error.detail) from error


def _as_json_of_questions(stored: StoredSet | None) -> dict[str, Any]:
    if stored is None:
        return {}
    made = stored.question_set
    return {"questions": {"id": str(made.id), "name": made.name, "questions": stored.questions}}


def _as_json_of_graph(graph: Version | None) -> dict[str, Any]:
    return {"graph": {"slug": graph.graph.slug, "snapshot": graph.snapshot}} if graph else {}


def _load(graph: Version | None, *, quiet: bool) -> Demo:
    silent = True if quiet else None  # None shows the bar on a terminal only
    try:
        with tqdm(total=len(SIMULATED), unit=" experts", file=sys.stderr, disable=silent) as bar:

            def progress(done: int) -> None:
                bar.update(done - bar.n)

            return load_demo(graph=graph, progress=progress)
    except DomainError as error:
        raise CommandError(error.detail) from error


def _as_json(demo: Demo | None) -> dict[str, Any]:
    accounts = {"accounts": [asdict(account) for account in loaded_accounts()]}
    if demo is None:
        return accounts
    study = {"id": str(demo.study.id), "name": demo.study.name}
    loaded = {"study": study, "loaded_now": demo.loaded_now, "responses": demo.responses}
    return {**loaded, **accounts}
