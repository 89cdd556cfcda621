import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.demo import SIMULATED_EXPERTS, LoadedDemo, list_demo_accounts, load_demo
from backend.benchmarks.demo import load_demo_questions
from backend.benchmarks.question_import import ImportedSet
from backend.common.command_utils import NO_CHECKS
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.graphs.demo import load_demo_graph
from backend.graphs.literature.demo import load_demo_papers
from backend.graphs.models import Version


class Command(BaseCommand):
    help = (
        "Load the demo graph, its papers and questions, the demo questionnaire, its accounts and "
        "its simulated experts. "
        "Their password is public: never load it where strangers can reach the server. "
        "Loading again changes nothing."
    )
    requires_system_checks = NO_CHECKS

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--accounts", action="store_true", help="only print the accounts")
        parser.add_argument("--json", action="store_true", help="print one line of JSON at the end")

    def handle(self, *args: Any, **options: Any) -> None:
        loaded = None if options["accounts"] else _load_all(quiet=options["verbosity"] == 0)
        accounts = list_demo_accounts()
        if options["json"]:
            listed = [asdict(account) for account in accounts]
            content = _as_json(*loaded) if loaded else {}
            self.stdout.write(json.dumps({**content, "accounts": listed}))
        elif loaded is None or options["verbosity"]:
            for line in _lines(*loaded) if loaded else ():
                self.stdout.write(line)
            for account in accounts:
                self.stdout.write(f"{account.role:<16}{account.email:<36}{account.password}")


def _load_all(*, quiet: bool) -> tuple[Version, ImportedSet, LoadedDemo]:
    silent = True if quiet else None  # None shows the bar on a terminal only
    count = len(SIMULATED_EXPERTS)
    try:
        graph, _ = load_demo_graph()
        load_demo_papers()
        questions = load_demo_questions(graph)
        with tqdm(total=count, unit=" experts", file=sys.stderr, disable=silent) as bar:
            demo = load_demo(graph=graph, progress=lambda done: bar.update(done - bar.n))
    except DomainError as error:
        raise CommandError(error.detail) from error
    return graph, questions, demo


def _lines(graph: Version, questions: ImportedSet, demo: LoadedDemo) -> Iterator[str]:
    counts = f"{graph.entities:,} entities and {graph.edges:,} edges"
    yield f"The graph '{graph.graph.name}' is loaded, with {counts}."
    many = pluralize(questions.questions, "question")
    yield f"'{questions.question_set.name}' is loaded, with {many}."
    done = "loaded" if demo.is_new else "already loaded"
    answers = f"{demo.responses} answers of {len(SIMULATED_EXPERTS)} simulated experts"
    yield f"'{demo.study.name}' is {done}, with {answers}."


def _as_json(graph: Version, questions: ImportedSet, demo: LoadedDemo) -> dict[str, Any]:
    owner = questions.question_set
    return {
        "graph": {"slug": graph.graph.slug, "snapshot": graph.snapshot},
        "questions": {"id": str(owner.id), "name": owner.name, "questions": questions.questions},
        "study": {"id": str(demo.study.id), "name": demo.study.name},
        "loaded_now": demo.is_new,
        "responses": demo.responses,
    }
