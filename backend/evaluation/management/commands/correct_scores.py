"""A judge's mean scores from 1 to 5 beside those that experts' ratings correct."""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.evaluation.grounding.corrected import IntervalFigure
from backend.evaluation.judging.corrected_scores import (
    ScoreCorrection,
    correct_scores,
    read_score_lines,
)
from backend.evaluation.management.commands.check_judge_drift import read_bytes
from backend.studies.lookup import get_study_by_name_or_raise

OPEN_NOTE = "The study is open: an interval that is read repeatedly misses more often than 5%."
FEW_NOTE = "An interval needs ratings of texts about at least 5 questions."
FEW_IN_STRATA = "An interval needs ratings about at least 5 questions, and about 2 of each stratum."


class Command(JsonCommand):
    help = (
        "Correct a judge's mean scores from 1 to 5 by a study in which experts rate a random part "
        "of the texts: raw and corrected mean, its interval, the effective number of ratings."
    )
    lists_faults_of = "scores"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("scores", type=Path, metavar="SCORES", help="that 'judge' wrote")
        parser.add_argument("--study", required=True, metavar="NAME", help="of ratings")

    def run(self, options: dict[str, Any]) -> Output:
        study = get_study_by_name_or_raise(options["study"])
        results = [*correct_scores(read_score_lines(read_bytes(options["scores"])), study)]
        payload = {
            "study": study.name,
            "is_final": study.has_ended,
            "scores": [asdict(one) for one in results],
        }
        lines = [line for one in results for line in describe(one)]
        return payload, [*lines, *([] if study.has_ended else [OPEN_NOTE])]


def describe(one: ScoreCorrection) -> Iterator[str]:
    yield f"{one.kind} by {one.judge}, {one.texts:,} texts, {one.unscored:,} without a score"
    yield f"  raw {one.raw:.2f}, corrected {figure_text(one.corrected)}"
    effective = one.effective_ratings or 0
    yield f"  rated {one.rated:,}, as exact as {effective:,.0f} rated texts without the judge"
    pairs = 0 if one.kappa is None else one.kappa.n
    yield f"  weighted kappa {figure_text(one.kappa)}, n {pairs:,}"
    if one.strata > 1:
        yield "  The kappa is over all rated texts alike, whatever their stratum."
    if one.other_texts:
        yield f"  rated texts that have no score: {one.other_texts:,}"
    if one.corrected is None or one.corrected.low is None:
        yield f"  {FEW_IN_STRATA if one.strata > 1 else FEW_NOTE}"
    elif one.corrected.is_approximate:
        yield "  The interval is approximate: few questions or few disagreements."
    if one.plan:
        yield f"  {one.plan}"


def figure_text(one: IntervalFigure | None) -> str:
    if one is None:
        return "undefined"
    return f"{one.value:.2f}" + ("" if one.low is None else f" ({one.low:.2f} to {one.high:.2f})")
