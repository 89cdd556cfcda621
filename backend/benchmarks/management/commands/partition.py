"""Partition the candidates of every question of a set by RNS over a graph."""

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from backend.benchmarks.management.commands.rns import add_options, weights
from backend.benchmarks.serendipity.commanding import work_off
from backend.benchmarks.serendipity.naming import set_or_raise, version_or_raise
from backend.benchmarks.serendipity.options import CHOICES, Options, weights_of
from backend.benchmarks.serendipity.partitioning import wanted_partition
from backend.common.commanding import refuse
from backend.common.errors import DomainError
from backend.common.words import counted


class Command(BaseCommand):
    help = (
        "Find the serendipity set with the highest RNS for every question of a set, and keep the "
        "scores of its splits for the workbench. What was partitioned before is not done again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question_set", metavar="QUESTION_SET", help="its name or id")
        parser.add_argument("--graph", required=True, metavar="SLUG[@VERSION]")
        parser.add_argument("--size", type=int, metavar="B", help="a fifth of them if left")
        add_options(parser, *CHOICES)
        parser.add_argument("--weighted", action="store_true", help="links weigh by their sources")
        parser.add_argument("--weights", type=weights, metavar="A,B,C", help="a third each if left")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            version = version_or_raise(options["graph"])
            question_set = set_or_raise(options["question_set"])
            given, size = Options.of(options), options["size"]
            weighing = weights_of(options["weights"])
            row = work_off(wanted_partition(question_set, version, given, weighing, size))
        except DomainError as error:
            refuse(error, self.stdout, self.stderr, options["json"])
        found = row.result
        if options["json"]:
            told = {"question_set": str(question_set.pk), "snapshot": version.snapshot}
            self.stdout.write(json.dumps({**told, "parameters": row.parameters, **found}))
            return
        how = ", ".join(f"{name} {count:,}" for name, count in found["how"].items())
        many = counted(found["questions"], "question")
        self.stdout.write(f"{many} partitioned ({how}), {found['new']:,} of them new or different.")
        for file_id, why in found["left_out"].items():
            self.stdout.write(f"Left out: {file_id}: {why}.")
        where = f"{settings.SITE_URL}/workbench?set={question_set.pk}"
        self.stdout.write(f"They stand under Benchmarks: {where}")
