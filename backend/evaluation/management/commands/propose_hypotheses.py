"""Let a model propose hypotheses, ground their rationales, and write pairs for experts."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from backend.common.command_utils import (
    JsonCommand,
    Output,
    parse_count,
    parse_seed,
    report_unwritable,
)
from backend.common.errors import DomainError
from backend.evaluation.grounding.services import GroundingSettings
from backend.evaluation.management.commands.ground import (
    find_collection,
    find_endpoint,
    find_version,
)
from backend.evaluation.models.proposals import HypothesisProposal
from backend.evaluation.paid_requests import run_in_command
from backend.evaluation.proposals.background_files import BackgroundRow, read_backgrounds
from backend.evaluation.proposals.pairs import PairSelection, select_pairs
from backend.evaluation.proposals.services import (
    DEFAULT_COUNT,
    DEFAULT_GAP,
    ProposalSettings,
    begin_or_resume,
)
from backend.graphs.models import Graph, Version
from backend.llm.budgets import read_standing
from backend.llm.endpoints import get_endpoint_by_name_or_raise
from backend.llm.management.commands.add_endpoint import parse_budget
from backend.llm.models import Budget


class Command(JsonCommand):
    help = (
        "Let a model propose hypotheses with rationales about each background of a file, ground "
        "the rationales, and write pairs of different groundedness as a questionnaire for "
        "'create_study hypothesis_pairs'. A command that was stopped goes on where it was."
    )
    lists_faults_of = "file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "file", type=Path, metavar="FILE", help="lines with background and, if any, question"
        )
        parser.add_argument(
            "--endpoint", required=True, metavar="E", help="of the model that proposes; its name"
        )
        parser.add_argument("--graph", metavar="G", help="its slug; not needed if there is one")
        parser.add_argument("--literature", metavar="L", help="slug of a collection of papers")
        parser.add_argument("--cutoff", type=int, metavar="PMID|YEAR", help="read nothing later")
        parser.add_argument(
            "--verifier",
            metavar="E",
            help="endpoint that verifies; if none, words and edges",
        )
        parser.add_argument("--count", type=parse_count, default=DEFAULT_COUNT, metavar="N")
        parser.add_argument(
            "--gap", type=float, default=DEFAULT_GAP, metavar="POINTS", help="of a pair, at least"
        )
        parser.add_argument("--budget", type=parse_budget, metavar="DOLLARS", default=Decimal(0))
        parser.add_argument("--seed", type=parse_seed, default=0, help="of sides and of equals")
        parser.add_argument("--into", type=Path, required=True, metavar="PAIRS", help="batch1.json")

    def run(self, options: dict[str, Any]) -> Output:
        rows = read_file(options["file"])
        proposal = begin_or_resume(rows=rows, settings=read_settings(options))
        run_in_command(proposal)
        selection = select_pairs(proposal)
        if selection.pairs:
            with report_unwritable(options["into"]):
                options["into"].write_text(
                    json.dumps(selection.pairs, ensure_ascii=False, indent=1) + "\n",
                    encoding="utf-8",
                )
        return payload(proposal, selection, options["into"]), [
            *lines(proposal, selection, options["into"])
        ]


def read_file(path: Path) -> Sequence[BackgroundRow]:
    try:
        with path.open("rb") as stream:
            return read_backgrounds(stream, path.name)
    except OSError as error:
        raise DomainError(f"{path} cannot be read: {error.strerror}.") from error


def read_settings(options: dict[str, Any]) -> ProposalSettings:
    return ProposalSettings(
        endpoint=get_endpoint_by_name_or_raise(options["endpoint"]),
        grounding=GroundingSettings(
            version=find_version(options["graph"]) if options["graph"] else find_only_version(),
            collection=find_collection(options["literature"]),
            cutoff=options["cutoff"],
            endpoint=find_endpoint(options["verifier"]),
            budget=options["budget"],
        ),
        count=options["count"],
        seed=options["seed"],
        least_gap=options["gap"],
    )


def find_only_version() -> Version:
    slugs = [*Graph.objects.order_by("slug").values_list("slug", flat=True)[:2]]
    if len(slugs) != 1:
        raise DomainError("Name a graph with --graph.", code="unknown_graph")
    return find_version(slugs[0])


def payload(proposal: HypothesisProposal, selection: PairSelection, into: Path) -> dict[str, Any]:
    standing = read_standing(Budget.objects.get(subject=proposal.subject))
    return {
        "proposal": str(proposal.pk),
        "model": proposal.model,
        "prompt_version": proposal.prompt_version,
        "verifier": proposal.verifier,
        "verifier_version": proposal.verifier_version,
        **selection.as_json(),
        "least_gap": proposal.least_gap,
        "file": str(into) if selection.pairs else None,
        "calls": standing.calls,
        "spent": f"{standing.spent:.6f}",
    }


def lines(proposal: HypothesisProposal, selection: PairSelection, into: Path) -> Iterator[str]:
    backgrounds = proposal.backgrounds.count()
    yield f"{backgrounds:,} backgrounds, {selection.hypotheses:,} hypotheses by {proposal.model}"
    for outcome, count in sorted(selection.unanswered.items()):
        yield f"without hypotheses ({outcome.replace('_', ' ')}): {count:,} backgrounds"
    yield f"undefined groundedness (0 claims): {selection.undefined:,} hypotheses"
    if selection.ungraded:
        yield f"not grounded: {selection.ungraded:,} hypotheses"
    yield f"less than {proposal.least_gap:g} points apart: {selection.close:,} backgrounds"
    yield f"{len(selection.pairs):,} pairs" + (f" in {into}" if selection.pairs else "")
    spent = read_standing(Budget.objects.get(subject=proposal.subject)).spent
    yield f"${spent:.6f} spent"
