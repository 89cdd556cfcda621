from argparse import ArgumentParser
from typing import Any

from backend.benchmarks.rns.jobs import run_or_raise
from backend.benchmarks.rns.lookup import get_version_or_raise
from backend.common.command_utils import JsonCommand, Output
from backend.evaluation.entity_texts import TEXT_UNITS
from backend.evaluation.job_kinds import text_vectors_request


class Command(JsonCommand):
    help = "Compute vectors of the texts of a graph's entities by the installed sentence encoder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("snapshot", metavar="SNAPSHOT", help="slug, slug@number or snapshot")
        parser.add_argument("--unit", choices=TEXT_UNITS, default="document")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        version = get_version_or_raise(options["snapshot"])
        result = run_or_raise(text_vectors_request(version, options["unit"])).result
        line = f"{result['vectors']:,} vectors of {result['dimensions']} by {result['embedder']}."
        return {"snapshot": version.snapshot, "unit": options["unit"], **result}, [line]
