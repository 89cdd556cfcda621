"""A sealed release: pairs that no edge of the newest version of a graph joins, without answers."""

from argparse import ArgumentParser
from typing import Any

from backend.benchmarks.models import Release
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.rns.lookup import get_version_or_raise
from backend.benchmarks.sealed_releases import SealedRequest, make_sealed_release
from backend.common.command_utils import JsonCommand, Output


class Command(JsonCommand):
    help = (
        "Make a sealed release of all pairs of two types that no edge of a graph joins. "
        "Predictions on it are stored with hash and time, unscored, until 'unseal' reads a later "
        "version of the graph. Edges need years."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("graph", metavar="GRAPH", help="slug of its newest version")
        parser.add_argument("--name", required=True, metavar="SLUG", help="the release's address")
        parser.add_argument("--title", help="the release's name; the slug without it")
        parser.add_argument("--subjects", required=True, metavar="TYPE", help="such as Drug")
        parser.add_argument("--objects", required=True, metavar="TYPE", help="such as Disease")
        parser.add_argument("--open", action="store_true", help="take predictions at once")

    def run(self, options: dict[str, Any]) -> Output:
        request = SealedRequest(
            name=options["title"] or options["name"],
            slug=options["name"],
            version=get_version_or_raise(options["graph"]),
            subjects=options["subjects"],
            objects=options["objects"],
        )
        release = make_sealed_release(actor=None, request=request)
        if options["open"]:
            release = change_release_state(actor=None, release=release, to=Release.State.OPEN)
        count = release.items.count()
        payload = {
            "release": release.slug,
            "state": release.state,
            "digest": release.digest,
            "cutoff": release.cutoff,
            "pairs": count,
        }
        sentence = f"Release '{release.slug}', {release.state}: {count:,} pairs, sealed."
        return payload, [sentence, f"The graph is known until {release.cutoff}."]
