"""Options and output that the commands share which construct a release from a graph."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.benchmarks.models import Release
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.common.command_utils import parse_seed, parse_share
from backend.graphs.models import Version

SEED = 1


def add_construction_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("graph", metavar="GRAPH", help="slug, slug@number or snapshot")
    goal = parser.add_mutually_exclusive_group(required=True)
    goal.add_argument("--into", type=Path, metavar="FILE", help="ends in .jsonl")
    goal.add_argument("--name", metavar="SLUG", help="the address of a new release")
    parser.add_argument("--seed", type=parse_seed, default=SEED, help=f"{SEED} by default")
    parser.add_argument("--title", help="the release's name; the slug without it")
    parser.add_argument("--test-share", type=parse_share, default=1.0, metavar="S")
    parser.add_argument("--open", action="store_true", help="take predictions at once")


def make_constructed_release(
    track: str, version: Version, file: Path, options: dict[str, Any], *, cutoff: int | None = None
) -> Release:
    """options: those of `add_construction_arguments`."""
    request = ReleaseRequest(
        track=track,
        name=options["title"] or options["name"],
        slug=options["name"],
        graph_version=version,
        test_share=options["test_share"],
        seed=options["seed"],
        cutoff=cutoff,
    )
    release = make_release(actor=None, request=request, files=[file])
    if options["open"]:
        release = change_release_state(actor=None, release=release, to=Release.State.OPEN)
    return release


def release_output(release: Release) -> tuple[dict[str, Any], list[str]]:
    """What a command prints of it, as JSON and as lines of text."""
    payload: dict[str, Any] = {"release": release.slug, "digest": release.digest}
    if release.cutoff is not None:
        payload |= {"cutoff": release.cutoff}
    return payload, [f"Release '{release.slug}', {release.state}, digest {release.digest}."]
