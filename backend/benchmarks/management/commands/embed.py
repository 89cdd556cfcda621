from argparse import ArgumentParser
from typing import Any

from backend.benchmarks.job_kinds.artifacts import embedding_request
from backend.benchmarks.management.commands.rns import add_options
from backend.benchmarks.rns.jobs import run_or_raise
from backend.benchmarks.rns.lookup import get_version_or_raise
from backend.benchmarks.rns.options import RnsOptions
from backend.common.command_utils import JsonCommand, Output


class Command(JsonCommand):
    help = "Compute vectors of a graph's entities, which relevance is read from."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("snapshot", metavar="SNAPSHOT", help="slug, slug@number or snapshot")
        add_options(parser, "method")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        version = get_version_or_raise(options["snapshot"])
        job = run_or_raise(embedding_request(version, RnsOptions.parse(options).method))
        lines = [
            f"{auc['n']} links held out, {auc['negatives']} negatives: "
            f"AUC {format_auc(auc['embedding'])}; by "
            f"the product of degrees alone {format_auc(auc['degree_product'])}."
            for auc in job.result["aucs"]
        ]
        if (ranks := job.result.get("ranks")) is not None:
            lines.append(
                f"{ranks['embedding']['n']} of them ranked among all entities: MRR "
                f"{format_ranks(ranks['embedding'])}; by the product of degrees alone "
                f"{format_ranks(ranks['degree_product'])}."
            )
        return {"snapshot": version.snapshot, **job.result}, lines


def format_auc(auc: dict[str, float | None]) -> str:
    if auc["value"] is None:
        return "unknown"
    if auc["low"] is None or auc["high"] is None:
        return f"{auc['value']:.3f}"
    return f"{auc['value']:.3f} ({auc['low']:.3f} to {auc['high']:.3f})"


def format_ranks(ranks: dict[str, float | None]) -> str:
    if ranks["mrr"] is None:
        return "unknown"
    return f"{ranks['mrr']:.4f}, among the first ten {ranks['hit10']:.4f}"
