"""manage.py check_graph_identifiers: hold a graph's identifiers against files that a user has."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from backend.common.errors import DomainError
from backend.graphs.checking import EXPLAINED, Comparison, compare


class Command(BaseCommand):
    help = (
        "Compare the identifiers of a plain graph with tables of names and with the links of "
        f"questionnaires. What is found under another name or not at all needs a line in the "
        f"graph's {EXPLAINED}."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="the folder of the graph")
        names = "tables of identifiers and names: Hetionet's nodes.tsv, or id, name, type"
        parser.add_argument("--names", type=Path, nargs="+", default=[], metavar="FILE", help=names)
        links = "JSON files with entity_name and entity_link"
        parser.add_argument("--links", type=Path, nargs="+", default=[], metavar="FILE", help=links)

    def handle(
        self, *, folder: Path, names: list[Path], links: list[Path], **options: object
    ) -> None:
        if not names and not links:
            raise CommandError("Name at least one file, with --names or --links.")
        try:
            found = compare(folder, names, links)
        except DomainError as error:
            raise CommandError(str(error)) from error
        for line in lines(found):
            self.stdout.write(line)
        if found.unexplained:
            raise CommandError(f"{len(found.unexplained):,} identifiers are not explained.")


def lines(found: Comparison) -> list[str]:
    told = [
        f"{len(found.confirmed):,} identifiers confirmed by identifier and name"
        f" ({found.cross_references:,} of them cross-references)"
    ]
    told.append(f"{len(found.others):,} identifiers with another name")
    for other in found.others:
        both = f"'{other.ours}' here, '{other.theirs}' in {other.file}"
        told.append(f"  {other.identifier}: {both}; {_why(found, other.identifier)}")
    told.append(f"{sum(map(len, found.absent.values())):,} identifiers in none of the files")
    for scheme, listed in found.absent.items():
        told.append(f"  {scheme}: {len(listed):,}")
        told.extend(f"    {identifier}: {_why(found, identifier)}" for identifier in listed)
    told.append(f"{len(found.unexplained):,} identifiers unexplained")
    return told


def _why(found: Comparison, identifier: str) -> str:
    return found.why(identifier) or "NOT EXPLAINED"
