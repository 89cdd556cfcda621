"""Later links of a graph with years and pairs that were never linked, as a file or a release."""

from argparse import ArgumentParser
from math import isnan
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from backend.benchmarks.constructed_releases import (
    add_construction_arguments,
    make_constructed_release,
    release_output,
)
from backend.benchmarks.link_discoveries.construction import (
    NEGATIVES,
    DiscoveryFactory,
    DiscoveryOptions,
)
from backend.benchmarks.rns.lookup import get_version_or_raise
from backend.benchmarks.row_files import row_file, write_lines
from backend.common.command_utils import (
    JsonCommand,
    Output,
    dropped_lines,
    parse_count,
)
from backend.common.pluralize import pluralize
from backend.graphs.graph_access import open_version_snapshot
from backend.science.importance.combined import Importance, spearman_matrix
from backend.tracks.dyport.rows import LinkRow

ROWS = TypeAdapter(LinkRow)
YEARS = {
    "train": "models are trained on edges first seen until this year",
    "test": "links first seen after it and until this year are to be foreseen",
    "importance": "negatives were not linked until this year, and importance is measured by it",
}
TABLES = {
    "mentions": "source, target, year, count: papers that mention both (cross_reference_pairs)",
    "citations": "source, target, year, count: citations of the papers that mention both",
}


class Command(JsonCommand):
    help = (
        "Make Dyport's items from a graph whose edges have years: links first seen after the "
        "training year, each with negatives of its subject and its object's type. A release gets "
        "the training year as its cut-off. The same graph, options and seed give the same bytes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_construction_arguments(parser)
        for name, description in YEARS.items():
            parser.add_argument(
                f"--{name}", type=parse_count, required=True, metavar="YEAR", help=description
            )
        parser.add_argument(
            "--negatives", type=parse_count, default=NEGATIVES, help=f"a link, {NEGATIVES}"
        )
        for name, description in TABLES.items():
            parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=description)
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        version = get_version_or_raise(options["graph"])
        years = DiscoveryOptions(
            options["train"],
            options["test"],
            options["importance"],
            options["negatives"],
            options["seed"],
        )
        tables = {name: options[name] for name in TABLES if options[name]}
        factory = DiscoveryFactory(open_version_snapshot(version), years, tables)
        with row_file(options["into"], "pairs.jsonl") as path:
            write_lines(path, map(ROWS.dump_json, factory.rows()))
            payload = {"snapshot": version.snapshot, **summarize(factory)}
            lines = summary_lines(factory)
            if options["name"]:
                release = make_constructed_release(
                    "dyport", version, path, options, cutoff=options["train"]
                )
                fields, sentences = release_output(release)
                payload, lines = payload | fields, [*lines, *sentences]
        return payload, lines


def summarize(factory: DiscoveryFactory) -> dict[str, Any]:
    return {
        "links": factory.links,
        "negatives": factory.links * factory.options.negatives,
        "dropped": dict(sorted(factory.dropped.items())),
        "importance": list(factory.importance.ranks),
        "importance_missing": list(factory.importance.missing),
        "rows_of_no_link": {name: counts.unknown for name, counts in factory.counts.items()},
        "correlations": correlations_of(factory.importance),
    }


def correlations_of(importance: Importance) -> dict[str, dict[str, float | None]]:
    """Spearman's, of each component with each other; None where one of them is constant."""
    names, values = list(importance.ranks), spearman_matrix(importance.ranks)
    return {
        one: {
            other: None if isnan(value) else value
            for other, value in zip(names, row, strict=True)
            if other != one
        }
        for one, row in zip(names, values.tolist(), strict=True)
    }


def summary_lines(factory: DiscoveryFactory) -> list[str]:
    negatives = factory.links * factory.options.negatives
    measured, missing = (
        ", ".join(name.replace("_", " ") for name in names)
        for names in (factory.importance.ranks, factory.importance.missing)
    )
    lines = [
        f"{pluralize(factory.links, 'link')} and {negatives:,} negatives.",
        f"Importance is of {measured}; without {missing}.",
    ]
    lines += [
        f"{counts.unknown:,} rows of {name} are of no link of the graph."
        for name, counts in factory.counts.items()
        if counts.unknown
    ]
    lines += [
        f"{one.replace('_', ' ')} and {other.replace('_', ' ')}: rank correlation {value:.2f}."
        for one, row in correlations_of(factory.importance).items()
        for other, value in row.items()
        if one < other and value is not None
    ]
    return [*lines, *dropped_lines(factory.dropped)]
