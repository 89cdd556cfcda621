"""Freeze the items of a track's files as a release."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.accounts.models import User
from backend.benchmarks.croissant import describe_cutoff
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.common.command_utils import (
    JsonCommand,
    Output,
    parse_count,
    parse_seed,
    parse_share,
)
from backend.graphs.version_lookup import find_version_or_raise
from backend.tracks.registry import load_tracks


class Command(JsonCommand):
    help = "Freeze the items of a track's files as a draft release. All faults are listed at once."
    lists_faults_of = "files"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("track", metavar="TRACK", help=", ".join(load_tracks()))
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--name", required=True, metavar="SLUG", help="the release's address")
        parser.add_argument("--title", help="the release's name; the slug without it")
        parser.add_argument("--graph", metavar="SLUG", help="the graph that the items are about")
        parser.add_argument(
            "--test-share",
            type=parse_share,
            default=1.0,
            metavar="S",
            help="of the clusters, 0 to 1",
        )
        parser.add_argument(
            "--masked-by",
            default="",
            metavar="METHOD",
            help="let the questions be about the graph that these partitions mask",
        )
        parser.add_argument(
            "--partition",
            default="",
            metavar="METHOD",
            help="the partitions that the items are of, where a track has one a release; without: "
            "expert, else llm, else rns",
        )
        parser.add_argument(
            "--owner",
            default="",
            metavar="EMAIL",
            help="the coordinator whose release it is; administrators' alone without it",
        )
        parser.add_argument("--open", action="store_true", help="take predictions at once")
        parser.add_argument("--seed", type=parse_seed, default=0, metavar="N", help="of the split")
        parser.add_argument(
            "--cutoff",
            type=int,
            metavar="PMID|YEAR",
            help="in the unit of the graph's dates: nothing later is shown to models and tools",
        )
        parser.add_argument(
            "--queries", type=parse_count, metavar="N", help="scores on the test items, per person"
        )
        parser.add_argument(
            "--queries-per-day", type=parse_count, metavar="N", help="the same within 24 hours"
        )

    def run(self, options: dict[str, Any]) -> Output:
        limits = ("queries", "queries_per_day")
        version = find_version_or_raise(None, options["graph"] or "")
        request = ReleaseRequest(
            track=options["track"],
            name=options["title"] or options["name"],
            slug=options["name"],
            graph_version=version,
            test_share=options["test_share"],
            seed=options["seed"],
            masked_by=options["masked_by"],
            partition=options["partition"],
            cutoff=options["cutoff"],
            metadata={name: options[name] for name in limits if options[name] is not None},
        )
        owner = User.objects.by_email_or_raise(options["owner"]) if options["owner"] else None
        release = make_release(actor=owner, request=request, files=options["files"])
        if options["open"]:
            change_release_state(actor=owner, release=release, to=Release.State.OPEN)
            release.refresh_from_db()
        counts = {split.value: release.items.filter(split=split).count() for split in ReleaseSplit}
        payload = {
            "release": release.slug,
            "digest": release.digest,
            "partition": release.partition,
            "cutoff": release.cutoff,
            "items": counts,
        }
        sizes = f"{counts['dev']:,} dev and {counts['test']:,} test items"
        lines = [
            f"Release '{release.slug}', {release.state}: {sizes}.",
            f"Digest {release.digest}.",
            *([f"Partition by {release.partition}."] if release.partition else []),
            *([f"Cut-off: {describe_cutoff(release)}."] if release.cutoff else []),
        ]
        return payload, lines
