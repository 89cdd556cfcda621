from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.conf import settings

from backend.benchmarks.job_kinds.partition import partition_request
from backend.benchmarks.management.commands.rns import add_options, add_weights
from backend.benchmarks.rns.jobs import run_or_raise
from backend.benchmarks.rns.lookup import get_set_by_name_or_raise, get_version_or_raise
from backend.benchmarks.rns.options import CHOICES, RnsOptions, parse_weights
from backend.common.command_utils import JsonCommand, Output
from backend.common.pluralize import pluralize


class Command(JsonCommand):
    help = (
        "Find the serendipity set with the highest RNS for every question of a set, and store the "
        "scores of its splits for the workbench. Partitions that exist are not computed again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question_set", metavar="QUESTION_SET", help="its name or id")
        parser.add_argument("--graph", required=True, metavar="SLUG[@VERSION]")
        parser.add_argument(
            "--size", type=int, metavar="B", help="a fifth of the candidates by default"
        )
        add_options(parser, *CHOICES, "weighted")
        add_weights(parser)
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        version = get_version_or_raise(options["graph"])
        question_set = get_set_by_name_or_raise(options["question_set"])
        given, weights = RnsOptions.parse(options), parse_weights(options["weights"])
        request = partition_request(question_set, version, given, weights, options["size"])
        job = run_or_raise(request)
        summary = {
            "question_set": str(question_set.pk),
            "snapshot": version.snapshot,
            "parameters": job.parameters["options"],
        }
        where = f"{settings.SITE_URL}/workbench?set={question_set.pk}"
        return {**summary, **job.result}, _lines(job.result, where)


def _lines(result: dict[str, Any], where: str) -> Iterator[str]:
    how = ", ".join(f"{name} {count:,}" for name, count in result["how"].items())
    many = pluralize(result["questions"], "question")
    yield f"{many} partitioned ({how}), {result['new']:,} of them new or different."
    for file_id, why in result["left_out"].items():
        yield f"Left out: {file_id}: {why}."
    yield f"They are under Benchmarks: {where}"
