"""Whether a pinned judge of claims has changed, against people's verdicts that stay the same."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from datetime import UTC
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.utils import timezone

from backend.common.command_utils import (
    JsonCommand,
    Output,
    parse_count,
    parse_seed,
    progress_bar,
)
from backend.common.errors import DomainError
from backend.evaluation.judging.drift import (
    DriftReport,
    Scores,
    compare_scores,
    judge_claims,
    verifier_of,
)
from backend.evaluation.judging.frozen_claims import FrozenSet, read_frozen_set, read_scores
from backend.evaluation.judging.judge_checks import store_check
from backend.evaluation.judging.reports import write_lines
from backend.evaluation.judging.votes import MOST_VOTES, Judge
from backend.jobs.faults import PlatformFault
from backend.llm.endpoints import get_endpoint_by_name_or_raise
from backend.llm.management.commands.add_endpoint import parse_budget
from backend.science.evaluation.comparisons import Comparison

DRIFTED = 2
MOST_BYTES = 200_000_000


class Command(JsonCommand):
    help = (
        "Compare a judge's verdicts on a frozen set of claims now with its stored ones, against "
        "people's verdicts. The status is 0 without drift, 2 if the judge drifted, 1 after an "
        "error."
    )
    lists_faults_of = "frozen"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "frozen", type=Path, metavar="FROZEN", help="claims with verdicts, or a study's export"
        )
        now = parser.add_mutually_exclusive_group(required=True)
        now.add_argument("--endpoint", metavar="E", help="that judges now; its name")
        now.add_argument("--scores", type=Path, metavar="FILE", help="the judge's answers now")
        parser.add_argument("--before", type=Path, metavar="FILE", help="its stored answers")
        parser.add_argument(
            "--judge", default="", metavar="NAME", help="of the export, whose answers are stored"
        )
        parser.add_argument("--votes", type=parse_count, default=1, metavar="V", help="of a claim")
        parser.add_argument("--budget", type=parse_budget, metavar="DOLLARS", default=Decimal(0))
        parser.add_argument(
            "--occasion",
            default="",
            metavar="TEXT",
            help="whose answers are repeated at no cost; the UTC date if none",
        )
        parser.add_argument("--seed", type=parse_seed, default=0, help="of random exchanges")
        parser.add_argument(
            "--into",
            type=Path,
            metavar="FILE",
            help="write the answers now, for --before",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self.has_drifted = False
        super().handle(*args, **options)
        if self.has_drifted:
            sys.exit(DRIFTED)

    def run(self, options: dict[str, Any]) -> Output:
        content = read_bytes(options["frozen"])
        frozen = read_frozen_set(content, options["judge"])
        before = read_before(frozen, options)
        if not before and options["into"] is None:
            message = "The set has no stored answers. Give --before, or store these with --into."
            raise DomainError(message, code="no_stored_answers")
        judge = find_judge(options)
        now, head = read_now(frozen, judge, options)
        if options["into"] is not None:
            rows = ({"id": name, "score": score, **head} for name, score in now.items())
            write_lines(options["into"], rows)
        report = compare_scores(frozen.claims, before, now, seed=options["seed"])
        self.has_drifted = report is not None and report.drift.drifted
        if judge is not None and report is not None:
            store_check(
                judge,
                frozen=options["frozen"].name,
                content=content,
                claims=len(frozen.claims),
                report=report,
            )
        payload = {
            "claims": len(frozen.claims),
            "unjudged": frozen.left_out,
            **head,
            "drift": None if report is None else report.as_json(),
        }
        return payload, [*describe(frozen, report, options["into"])]


def read_bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise DomainError(f"{path} is larger than {MOST_BYTES:,} bytes.", code="too_large")
        return path.read_bytes()
    except OSError as error:
        raise DomainError(f"{path} cannot be read: {error.strerror}.") from error


def today() -> str:
    return timezone.now().astimezone(UTC).date().isoformat()


def read_before(frozen: FrozenSet, options: dict[str, Any]) -> Scores:
    """Of the file, else those in the frozen set. Without any, the mapping is empty."""
    if options["before"] is not None:
        return read_scores(read_bytes(options["before"]), frozen.claims)
    return {one.id: one.before for one in frozen.claims if one.before is not None}


def find_judge(options: dict[str, Any]) -> Judge | None:
    """None where its answers are in a file."""
    if options["scores"] is not None:
        return None
    endpoint = get_endpoint_by_name_or_raise(options["endpoint"])
    if options["votes"] > MOST_VOTES:
        raise DomainError(f"At most {MOST_VOTES} votes are drawn.", code="too_many_votes")
    return verifier_of(endpoint, options["votes"], options["occasion"] or today())


def read_now(
    frozen: FrozenSet, judge: Judge | None, options: dict[str, Any]
) -> tuple[Scores, Mapping[str, Any]]:
    if judge is None:
        return read_scores(read_bytes(options["scores"]), frozen.claims), {}
    with progress_bar("votes") as progress:
        try:
            scores, answers = judge_claims(
                judge, frozen.claims, options["budget"], progress=progress
            )
        except PlatformFault as error:
            message = f"{error.detail} Calls that were paid for are not repeated."
            raise DomainError(message, code=error.code) from error
    return scores, {**judge.describe(), "calls": answers.calls, "spent": f"{answers.spent:.6f}"}


def describe(frozen: FrozenSet, report: DriftReport | None, into: Path | None) -> Iterator[str]:
    yield f"{len(frozen.claims):,} claims with people's verdicts, {frozen.left_out:,} without"
    if report is None:
        yield f"No stored answers to compare with. Those of now are in {into}."
        return
    drift = report.drift
    if report.left_out:
        yield f"without a stored answer: {report.left_out:,} claims"
    for title, compared, p_value in (
        ("agreement with people", drift.agreement, drift.p_values[0]),
        ("share that the judge supports", drift.support, drift.p_values[1]),
    ):
        yield f"{title}: {describe_difference(compared)} now minus before, p {p_value:.4f}"
    yield f"{drift.changed:.1%} of the verdicts changed, {drift.unanswered:,} claims unanswered"
    yield f"this set shows changes of the agreement from {100 * drift.smallest_drift:.1f} points"
    yield "The judge has drifted." if drift.drifted else "No drift was found."


def describe_difference(compared: Comparison) -> str:
    one = compared.difference
    if one.low is None or one.high is None:
        return f"{100 * one.value:+.1f} points, no interval"
    return f"{100 * one.value:+.1f} points ({100 * one.low:+.1f} to {100 * one.high:+.1f})"
