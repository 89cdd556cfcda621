"""Curated, co-occurring and text-mined networks side by side, as Dyport compares them."""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import DomainError
from backend.graphs.graph_access import OpenGraph, open_version_snapshot
from backend.graphs.network_comparison import NetworkComparison, NetworkFigures, compare_networks
from backend.graphs.version_lookup import find_version_or_raise


class Command(JsonCommand):
    help = (
        "Compare networks: how their links are spread, the entities with the most links beside "
        "their links in the other networks, and which links are shared. Links are simple and "
        "undirected, whatever the relations of the graph are."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "graphs", nargs="+", metavar="GRAPH", help="slug or slug@version; two to four"
        )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        compared = compare_networks([open_named(slug) for slug in options["graphs"]])
        return asdict(compared), [*summary_lines(compared)]


def open_named(slug: str) -> OpenGraph:
    version = find_version_or_raise(None, slug)
    if version is None:
        raise DomainError("Name a graph.", code="unknown_graph")
    return OpenGraph(version.graph, version, open_version_snapshot(version), is_pinned=False)


def summary_lines(compared: NetworkComparison) -> Iterator[str]:
    for one in compared.networks:
        yield from network_lines(one)
    for both in compared.shared:
        line = f"{both.one} and {both.other}: {both.links:,} links and {both.entities:,} entities"
        ranks = "" if both.correlation is None else f"; degrees correlate by {both.correlation:.2f}"
        yield f"{line} in both{ranks}."


def network_lines(one: NetworkFigures) -> Iterator[str]:
    yield (
        f"{one.name}: {one.links:,} links between {one.entities:,} entities, {one.mean:.1f} on "
        f"average and {one.median:g} in the median; a hundredth of them have {one.few_share:.0%} "
        "of all ends."
    )
    for place, hub in enumerate(one.hubs, start=1):
        degrees = ", ".join("absent" if it is None else f"{it:,}" for it in hub.degrees)
        mark = "; a hub of the text-mined network in Figure 5" if hub.is_printed else ""
        yield f"  {place}. {hub.name} ({hub.type}): {degrees}{mark}"
