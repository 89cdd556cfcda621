"""Compute the transition model of a graph: its marginal, kept beside the snapshot."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from backend.benchmarks.management.commands.rns import add_options
from backend.benchmarks.models import Work
from backend.benchmarks.serendipity.commanding import work_off
from backend.benchmarks.serendipity.computations import Wanted
from backend.benchmarks.serendipity.naming import version_or_raise
from backend.benchmarks.serendipity.options import Options
from backend.common.commanding import refuse
from backend.common.errors import DomainError

CHOSEN = ("direction", "dangling")


class Command(BaseCommand):
    help = "Compute the marginal of a graph's transition model, once, to an L1 error of 1e-9."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("snapshot", metavar="SNAPSHOT", help="slug, slug@number or snapshot")
        add_options(parser, *CHOSEN)
        parser.add_argument("--weighted", action="store_true", help="links weigh by their sources")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            version = version_or_raise(options["snapshot"])
            parameters = Options.of(options).of_walk()
            row = work_off(Wanted(Work.TRANSITION, version, parameters))
        except DomainError as error:
            refuse(error, self.stdout, self.stderr, options["json"])
        found = row.result
        if options["json"]:
            told = {"snapshot": version.snapshot, "parameters": row.parameters, **found}
            self.stdout.write(json.dumps(told))
        else:
            self.stdout.write(
                f"Marginal of {version.entities:,} entities: L1 error within {found['error']:.1e}, "
                f"{found['products']} products ({found['method']})."
            )
