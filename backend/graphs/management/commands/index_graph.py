from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from backend.common.command_utils import NO_CHECKS
from backend.common.errors import DomainError
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.search.index_builder import build_term_index
from backend.graphs.search.index_cache import index_folder


class Command(BaseCommand):
    help = "Build the name index of all versions of a graph on this server."
    requires_system_checks = NO_CHECKS

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the graph's slug, as in /explore/SLUG")

    def handle(self, *args: Any, **options: Any) -> None:
        versions = list(Version.objects.ready().filter(graph__slug=options["slug"]))
        if not versions:
            raise CommandError(f"There is no graph with the slug {options['slug']}.")
        for version in versions:
            try:
                self.index_version(version)
            except DomainError as error:
                raise CommandError(error.detail) from error

    def index_version(self, version: Version) -> None:
        snapshot = open_version_snapshot(version)
        with tqdm(total=snapshot.entity_count, unit=" entities", leave=False) as bar:

            def show_progress(phase: str, done: int, _: int) -> None:
                bar.set_description(phase)
                bar.update(done - bar.n)

            build_term_index(snapshot, index_folder(snapshot), show_progress)
        self.stdout.write(f"Version {version.number}: {snapshot.entity_count:,} entities.")
