from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from backend.accounts.models import User
from backend.benchmarks.constructed_releases import release_output
from backend.benchmarks.hypothesis_sets.construction import (
    SEEN_UNTIL,
    TEST_FILE,
    UNSEEN_FROM,
    HypothesisSet,
    HypothesisSetRequest,
    make_hypothesis_set,
)
from backend.benchmarks.hypothesis_sets.linked_pairs import Cutoffs
from backend.benchmarks.models import Release
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.common.command_utils import (
    JsonCommand,
    Output,
    parse_seed,
    progress_bar,
    report_unwritable,
)
from backend.common.errors import DomainError
from backend.graphs.importers.pubtator.format import MAX_PMID_DIGITS, parse_pmid
from backend.graphs.version_lookup import find_version_or_raise


class Command(JsonCommand):
    help = (
        "Construct TruthHypo from PubTator's relation2pubtator3: the test set, and the graphs of "
        "what seen and unseen articles state, each edge with all its articles. The same "
        "statements, cut-offs and seed give the same bytes. All faulty lines are listed at once. "
        "A statement is a line of four tab-separated cells without a header: pmid, relation, "
        "first, second (an entity is 'Chemical|MESH:D008687'). Items are pairs of a gene with a "
        "chemical or a gene (positive_correlate, negative_correlate) or with a disease "
        "(stimulate, inhibit), new in two unseen articles. "
        "nodes.tsv has a header with the columns Type, ConceptID, mention, "
        "and mention_counts ({'aspirin': 12, 'ASA': 3}) if there are counts. Both may be "
        "compressed or in zip archives."
    )
    lists_faults_of = "files"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "files",
            nargs="+",
            type=Path,
            metavar="PUBTATOR_FILE",
            help="relation2pubtator3: pmid, relation, first, second; tab-separated, no header",
        )
        parser.add_argument(
            "--nodes",
            nargs="+",
            type=Path,
            default=[],
            metavar="FILE",
            help="for names: nodes.tsv (columns Type, ConceptID, mention)",
        )
        parser.add_argument("--into", type=Path, metavar="DIR", help="write the files there")
        parser.add_argument("--name", metavar="RELEASE", help="make a draft release of the set")
        for name, default in (("--seen-until", SEEN_UNTIL), ("--unseen-from", UNSEEN_FROM)):
            parser.add_argument(
                name, type=parse_cutoff, default=default, metavar="PMID", help=f"{default} if none"
            )
        parser.add_argument("--seed", type=parse_seed, default=0, metavar="N", help="of negatives")
        parser.add_argument("--graph", metavar="SLUG", help="of the release: the seen graph")
        parser.add_argument("--owner", metavar="EMAIL", help="the coordinator of the release")

    def run(self, options: dict[str, Any]) -> Output:
        into, name = options["into"], options["name"]
        if not into and not name:
            raise DomainError("Choose --into DIR, --name RELEASE, or both.", code="no_target")
        with TemporaryDirectory(prefix="truthhypo-") as temporary:
            folder = into or Path(temporary)
            result = self._construct(options, folder)
            release = self._release(options, folder / TEST_FILE) if name else None
        fields, sentences = release_output(release) if release else ({}, [])
        return payload_of(result) | fields, [*lines_of(result, into), *sentences]

    def _construct(self, options: dict[str, Any], folder: Path) -> HypothesisSet:
        request = HypothesisSetRequest(
            options["files"],
            options["nodes"],
            Cutoffs(options["seen_until"], options["unseen_from"]),
            options["seed"],
        )
        with report_unwritable(folder), progress_bar("rows") as progress:
            return make_hypothesis_set(request, folder, progress=progress)

    def _release(self, options: dict[str, Any], file: Path) -> Release:
        owner = User.objects.by_email_or_raise(options["owner"]) if options["owner"] else None
        request = ReleaseRequest(
            track="truthhypo",
            name=options["name"],
            slug=options["name"],
            graph_version=find_version_or_raise(None, options["graph"] or ""),
            seed=options["seed"],
            cutoff=options["seen_until"],
        )
        return make_release(actor=owner, request=request, files=[file])


def parse_cutoff(text: str) -> int:
    if (number := parse_pmid(text)) is None:
        raise ArgumentTypeError(f"a PMID of at most {MAX_PMID_DIGITS} digits is expected")
    return number


def payload_of(result: HypothesisSet) -> dict[str, Any]:
    return {
        "rows": result.rows,
        "rows_without_concept": result.without_concept,
        "entities": result.entities,
        "seen_edges": result.seen_edges,
        "unseen_edges": result.unseen_edges,
        "linked_pairs": result.linked_pairs,
        "pairs": dict(sorted(result.outcomes.items())),
        "labels": result.labels,
        "sha256": result.sha256,
    }


def lines_of(result: HypothesisSet, into: Path | None) -> list[str]:
    lines = [
        f"{result.rows:,} statements about {result.entities:,} entities; "
        f"{result.without_concept:,} rows without a concept were left out.",
        f"Seen graph: {result.seen_edges:,} edges; unseen graph: {result.unseen_edges:,}.",
    ]
    for type_, labels in result.labels.items():
        listed = ", ".join(f"{label} {count:,}" for label, count in labels.items())
        lines.append(f"{type_}: {listed}.")
    left_out = {name: count for name, count in result.outcomes.items() if name != "hypotheses"}
    listed = ", ".join(
        f"{count:,} {name.replace('_', ' ')}" for name, count in sorted(left_out.items()) if count
    )
    lines += [f"Pairs left out: {listed or 'none'}."]
    if into:
        lines.append(f"Written to {into}.")
    return lines
