"""The published pair files of Dyport as a file that releases are made of."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from backend.benchmarks.link_discoveries.construction import NEGATIVES
from backend.benchmarks.link_discoveries.published_pairs import (
    PublishedLinks,
    read_published_pairs,
)
from backend.benchmarks.row_files import row_file, write_lines
from backend.common.command_utils import (
    JsonCommand,
    Output,
    dropped_lines,
    parse_count,
    parse_seed,
    parse_year,
)
from backend.common.errors import NotFound
from backend.common.pluralize import pluralize
from backend.tracks.dyport.rows import LinkRow

ROWS = TypeAdapter(LinkRow)


class Command(JsonCommand):
    help = (
        "Make Dyport's items from a pair file that its authors publish, whose pairs are true "
        "links: each gets negatives of its subject and its object's types from the file. The same "
        "file, options and seed give the same bytes."
    )
    lists_faults_of = "file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            metavar="FILE",
            help="CSV with source, target, source_st, target_st, components and IMP_manh",
        )
        parser.add_argument(
            "--year", type=parse_year, required=True, help="in which its links were first seen"
        )
        parser.add_argument(
            "--into", type=Path, required=True, metavar="FILE", help="ends in .jsonl"
        )
        parser.add_argument(
            "--negatives", type=parse_count, default=NEGATIVES, help=f"a link, {NEGATIVES}"
        )
        parser.add_argument("--seed", type=parse_seed, default=1, help="1 by default")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        path: Path = options["file"]
        if not path.is_file():
            raise NotFound(f"There is no file {path.name}. Check its path.", code="no_file")
        pairs = read_published_pairs(path)
        links = PublishedLinks(pairs, options["year"], options["negatives"], options["seed"])
        with row_file(options["into"], "pairs.jsonl") as into:
            write_lines(into, map(ROWS.dump_json, links.rows()))
        negatives = links.links * links.negatives
        payload = {
            "links": links.links,
            "negatives": negatives,
            "dropped": dict(sorted(links.dropped.items())),
            "importance": list(links.importance.ranks),
        }
        lines = [f"{pluralize(links.links, 'link')} and {negatives:,} negatives."]
        return payload, [*lines, *dropped_lines(links.dropped)]
