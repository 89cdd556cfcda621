"""Embed the entities of a graph, and say what that is worth on links that were held out."""

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


class Command(BaseCommand):
    help = "Compute vectors of a graph's entities, which relevance is read from."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("snapshot", metavar="SNAPSHOT", help="slug, slug@number or snapshot")
        add_options(parser, "method")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            version = version_or_raise(options["snapshot"])
            parameters = {"method": Options.of(options).method}
            row = work_off(Wanted(Work.EMBEDDING, version, parameters))
        except DomainError as error:
            refuse(error, self.stdout, self.stderr, options["json"])
        if options["json"]:
            self.stdout.write(json.dumps({"snapshot": version.snapshot, **row.result}))
            return
        for auc in row.result["aucs"]:
            ours, theirs = auc["embedding"], auc["degree_product"]
            self.stdout.write(
                f"{auc['n']} links held out, {auc['negatives']} negatives: AUC {_said(ours)}; by "
                f"the product of degrees alone {_said(theirs)}."
            )


def _said(auc: dict[str, float | None]) -> str:
    if auc["value"] is None:
        return "unknown"
    if auc["low"] is None or auc["high"] is None:
        return f"{auc['value']:.3f}"
    return f"{auc['value']:.3f} ({auc['low']:.3f} to {auc['high']:.3f})"
