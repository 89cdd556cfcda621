from argparse import ArgumentParser
from typing import Any

from backend.benchmarks.job_kinds.artifacts import transition_request
from backend.benchmarks.management.commands.rns import add_options
from backend.benchmarks.rns.jobs import run_or_raise
from backend.benchmarks.rns.lookup import get_version_or_raise
from backend.benchmarks.rns.options import RnsOptions
from backend.common.command_utils import JsonCommand, Output


class Command(JsonCommand):
    help = "Compute the marginal of a graph's transition model, once, to an L1 error of 1e-9."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("snapshot", metavar="SNAPSHOT", help="slug, slug@number or snapshot")
        add_options(parser, "direction", "dangling", "weighted")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        version = get_version_or_raise(options["snapshot"])
        job = run_or_raise(transition_request(version, RnsOptions.parse(options)))
        result = job.result
        line = (
            f"Marginal of {version.entities:,} entities: L1 error within "
            f"{result['error']:.1e}, {result['products']} products ({result['method']})."
        )
        parameters = job.parameters["options"]
        return {"snapshot": version.snapshot, "parameters": parameters, **result}, [line]
