"""Let models write queries from a graph's relations and documents (STaRK, section 2.4)."""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

from backend.accounts.models import User
from backend.benchmarks.rns.lookup import get_version_or_raise
from backend.common.command_utils import (
    JsonCommand,
    Output,
    parse_count,
    parse_seed,
    report_unwritable,
)
from backend.evaluation.models.syntheses import QuerySynthesis
from backend.evaluation.paid_requests import run_in_command
from backend.evaluation.synthesis.results import describe_statistics, summarize, write_file
from backend.evaluation.synthesis.services import SynthesisSettings, run_again
from backend.llm.budgets import read_standing
from backend.llm.endpoints import get_endpoint_by_name_or_raise
from backend.llm.management.commands.add_endpoint import parse_budget
from backend.llm.models import Budget

DEFAULTS = SynthesisSettings.__dataclass_fields__


class Command(JsonCommand):
    help = (
        "Draw relations of STaRK's templates from one of its graphs, let models write queries "
        "from them and from documents of an answer, rewrite and verify them, and store them as a "
        "question set."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("graph", metavar="GRAPH", help="slug, slug@number or snapshot")
        parser.add_argument("--name", required=True, metavar="SET", help="of the question set")
        parser.add_argument("--owner", metavar="EMAIL", help="of the question set")
        parser.add_argument("--writer", required=True, metavar="E", help="endpoint that writes")
        parser.add_argument(
            "--rewriter", required=True, metavar="E", help="endpoint that puts it in other words"
        )
        parser.add_argument(
            "--verifier",
            required=True,
            action="append",
            metavar="E",
            help="endpoint that checks each answer; may be repeated, an answer must pass all",
        )
        for name, metavar, words in (
            ("count", "QUERIES", "to draw"),
            ("most-answers", "ANSWERS", "of a relation, at most"),
            ("hard", "N", "properties that an answer must have, at most"),
            ("soft", "N", "properties that are desirable, at most"),
        ):
            default = DEFAULTS[name.replace("-", "_")].default
            help_ = f"{words}; {default} by default"
            parse = int if name == "soft" else parse_count
            parser.add_argument(
                f"--{name}", type=parse, default=default, metavar=metavar, help=help_
            )
        parser.add_argument("--seed", type=parse_seed, default=0, help="of the draw")
        parser.add_argument("--budget", type=parse_budget, metavar="DOLLARS", default=Decimal(0))
        parser.add_argument("--resume", action="store_true", help="go on with one that stopped")
        parser.add_argument("--into", type=Path, metavar="FILE", help="a CSV file, too")

    def run(self, options: dict[str, Any]) -> Output:
        owner = User.objects.by_email_or_raise(options["owner"]) if options["owner"] else None
        synthesis = run_again(
            settings=read_settings(options), owner=owner, resumes=options["resume"]
        )
        run_in_command(synthesis)
        into: Path | None = options["into"]
        if into is not None:
            with report_unwritable(into):
                into.parent.mkdir(parents=True, exist_ok=True)
                into.write_bytes(write_file(synthesis))
        return payload(synthesis), [*lines(synthesis)]


def read_settings(options: dict[str, Any]) -> SynthesisSettings:
    names = ("name", "budget", "count", "seed", "most_answers", "hard", "soft")
    return SynthesisSettings(
        version=get_version_or_raise(options["graph"]),
        writer=get_endpoint_by_name_or_raise(options["writer"]),
        rewriter=get_endpoint_by_name_or_raise(options["rewriter"]),
        verifiers=[get_endpoint_by_name_or_raise(one) for one in options["verifier"]],
        **{name: options[name] for name in names},
    )


def payload(synthesis: QuerySynthesis) -> dict[str, Any]:
    standing = read_standing(Budget.objects.get(subject=synthesis.subject))
    return {
        "synthesis": str(synthesis.pk),
        "question_set": synthesis.question_set_id and str(synthesis.question_set_id),
        "name": synthesis.name,
        **summarize(synthesis).as_json(),
        "statistics": asdict(describe_statistics(synthesis)),
        "calls": standing.calls,
        "spent": f"{standing.spent:.6f}",
    }


def lines(synthesis: QuerySynthesis) -> Iterator[str]:
    summary, statistics = summarize(synthesis), describe_statistics(synthesis)
    yield f"Question set '{synthesis.name}': {summary.accepted:,} of {summary.drawn:,} queries."
    for outcome, count in sorted(summary.outcomes.items()):
        yield f"dropped ({outcome.replace('_', ' ')}): {count:,}"
    yield f"candidates that a verifier refused: {summary.removed:,}"
    if summary.gold_share is not None:
        yield (
            f"gold answers that pass their own filter: {summary.gold_passed:,} of "
            f"{summary.gold_checked:,} ({100 * summary.gold_share:.1f} %; STaRK: 86.6 % Amazon, "
            "98.9 % MAG, 92.3 % Prime)"
        )
    yield (
        f"{statistics.mean_answers:.2f} answers and {statistics.mean_words:.2f} words on average, "
        f"entropy {statistics.shannon_entropy:.2f} bits, type-token ratio "
        f"{statistics.type_token_ratio:.3f}"
    )
    spent = read_standing(Budget.objects.get(subject=synthesis.subject)).spent
    yield f"${spent:.6f} spent"
