"""Metapaths of a pair of entities beside graphs with the same degrees."""

from argparse import ArgumentParser
from typing import Any

from backend.common.command_utils import JsonCommand, Output, parse_count, parse_seed
from backend.common.errors import DomainError
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.metapath_tests import MOST_METAPATHS, MetapathTests
from backend.graphs.version_lookup import find_version_or_raise
from backend.science.metapath_test import DRAWS
from backend.science.path_answers import MAX_HOPS


class Command(JsonCommand):
    help = (
        "Test whether two entities have more paths of a metapath, weighted by degrees, than graphs "
        "in which every entity keeps its degrees. The same seed gives the same p-values."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("graph", metavar="GRAPH", help="slug, slug@number or snapshot")
        parser.add_argument("source", metavar="SOURCE", help="the identifier of an entity")
        parser.add_argument("target", metavar="TARGET", help="the identifier of another")
        parser.add_argument(
            "--metapath",
            metavar="KEY",
            help=f"such as 'Drug/>targets/Gene'; without it the {MOST_METAPATHS} of most paths",
        )
        parser.add_argument(
            "--hops", type=int, choices=range(1, MAX_HOPS + 1), default=2, help="2 by default"
        )
        parser.add_argument("--draws", type=parse_count, default=DRAWS, help=f"{DRAWS} by default")
        parser.add_argument("--seed", type=parse_seed, default=0)
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        version = find_version_or_raise(None, options["graph"])
        if version is None:
            raise DomainError("Name a graph.", code="unknown_graph")
        ends = options["source"], options["target"]
        snapshot = open_version_snapshot(version)
        tests = MetapathTests.between(snapshot, ends, options["draws"], options["seed"])
        key = options["metapath"]
        search = tests.count(tests.parse(key)) if key else tests.find(options["hops"])
        family = None if key else tests.count_family(options["hops"])
        rows = tests.run(search.metapaths, family)
        lines = [
            f"p = {row['p_value']:.4f}{_among_all(row['p_adjusted'])}: {row['phrase']}, "
            f"{row['paths']} paths, weighted {row['observed']:.4g}, in draws {row['mean']:.4g}."
            for row in sorted(rows, key=lambda row: row["p_value"])
        ]
        if family is not None:
            lines.append(
                f"{len(rows)} metapaths tested of {family} that are possible; 'among all' is "
                "Holm's correction for these."
            )
        return {"snapshot": version.snapshot, "metapaths": rows}, lines


def _among_all(adjusted: float | None) -> str:
    return "" if adjusted is None else f" ({adjusted:.4f} among all)"
