"""Make the names of a graph searchable on this machine, which fetched its snapshot from another."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from backend.common.errors import DomainError
from backend.graphs.models import Version
from backend.graphs.reading import snapshot_of
from backend.graphs.search.building import build_lexicon
from backend.graphs.search.opening import folder_of


class Command(BaseCommand):
    help = "Make the names of all versions of a graph searchable on this machine."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="as in its address, /explore/SLUG")

    def handle(self, *args: Any, **options: Any) -> None:
        versions = list(Version.objects.ready().filter(graph__slug=options["slug"]))
        if not versions:
            raise CommandError(f"There is no graph {options['slug']}.")
        for version in versions:
            try:
                self.index(version)
            except DomainError as error:
                raise CommandError(error.detail) from error

    def index(self, version: Version) -> None:
        snapshot = snapshot_of(version)
        with tqdm(total=snapshot.entity_count, unit=" entities", leave=False) as bar:

            def hear(doing: str, done: int, _: int) -> None:
                bar.set_description(doing)
                bar.update(done - bar.n)

            build_lexicon(snapshot, folder_of(snapshot), hear)
        self.stdout.write(f"Version {version.number}: {snapshot.entity_count:,} entities.")
