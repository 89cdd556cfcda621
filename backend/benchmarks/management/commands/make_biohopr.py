"""Questions over one and two hops of a graph, as a file or as a draft release."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter

from backend.benchmarks.constructed_releases import (
    add_construction_arguments,
    make_constructed_release,
    release_output,
)
from backend.benchmarks.hop_questions.construction import COUNT, HopFactory, HopOptions
from backend.benchmarks.hop_questions.type_steps import paper_metapaths, parse_two_hops
from backend.benchmarks.rns.lookup import get_version_or_raise
from backend.benchmarks.row_files import row_file, write_lines
from backend.common.command_utils import (
    JsonCommand,
    Output,
    dropped_lines,
    parse_count,
    progress_bar,
)
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Graph, Version
from backend.tracks.biohopr.rows import FORMS, HopRow

ROWS = TypeAdapter(HopRow)


class Command(JsonCommand):
    help = (
        "Make BioHopR's questions of one and two hops from a graph, each with its partner. The "
        "same graph, options and seed give the same bytes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_construction_arguments(parser)
        parser.set_defaults(test_share=None)
        parser.add_argument(
            "--metapath",
            action="append",
            default=[],
            metavar="PATH",
            help="Type/relation/Type/relation/Type; those of the paper's types without it",
        )
        parser.add_argument(
            "--count", type=parse_count, default=COUNT, help=f"two-hop questions a path, {COUNT}"
        )
        most = f"answers of a question, {HopOptions.most_answers} by default"
        parser.add_argument(
            "--most",
            type=parse_count,
            default=HopOptions.most_answers,
            metavar="ANSWERS",
            help=most,
        )
        parser.add_argument("--form", choices=FORMS, help="both without it")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        version = get_version_or_raise(options["graph"])
        factory = HopFactory(
            open_version_snapshot(version),
            HopOptions(
                seed=options["seed"],
                count=options["count"],
                most_answers=options["most"],
                forms=(options["form"],) if options["form"] else FORMS,
            ),
        )
        with row_file(options["into"], "questions.jsonl") as path:
            rows = draw_questions(factory, options["metapath"])
            write_lines(path, map(ROWS.dump_json, rows))
            payload = {"snapshot": version.snapshot, **summarize(factory)}
            lines = summary_lines(factory)
            if options["name"]:
                if options["test_share"] is None:
                    options["test_share"] = choose_test_share(version)
                release = make_constructed_release("biohopr", version, path, options)
                fields, sentences = release_output(release)
                payload, lines = payload | fields, [*lines, *sentences]
        return payload, lines


def choose_test_share(version: Version) -> float:
    """A public graph has the answers anyway: its questions are of the dev split, with cases."""
    return 0.0 if version.graph.visibility == Graph.Visibility.PUBLIC else 1.0


def draw_questions(factory: HopFactory, chosen: list[str]) -> Iterator[HopRow]:
    """Raises DomainError if there are none."""
    graph = factory.graph
    metapaths = [parse_two_hops(graph, text) for text in chosen] or paper_metapaths(graph)
    with progress_bar("questions") as progress:
        for number, row in enumerate(factory.write(metapaths), start=1):
            progress(number)
            yield row
    if not factory.questions:
        message = "No entity has two bridges with answers on these paths. Choose others."
        raise DomainError(message, code="no_questions")


def summarize(factory: HopFactory) -> dict[str, Any]:
    return {
        "questions": {
            str(hops): {
                kind: count
                for (number, kind), count in sorted(factory.questions.items())
                if number == hops
            }
            for hops in (1, 2)
        },
        "mean_answers": factory.answers / max(1, factory.questions.total()),
        "dropped": dict(sorted(factory.dropped.items())),
    }


def summary_lines(factory: HopFactory) -> list[str]:
    counts = [
        sum(count for (number, _), count in factory.questions.items() if number == hops)
        for hops in (1, 2)
    ]
    mean = factory.answers / max(1, factory.questions.total())
    return [
        f"{pluralize(counts[0], 'question')} of one hop and {counts[1]:,} of two; "
        f"{mean:.2f} answers on average.",
        *(f"{kind}: {count:,}" for (_, kind), count in sorted(factory.questions.items())),
        *dropped_lines(factory.dropped),
    ]
