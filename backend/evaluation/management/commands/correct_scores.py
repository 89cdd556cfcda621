"""A judge's mean scores from 1 to 5 beside those that experts' ratings correct."""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.evaluation.judging.corrected_scores import (
    CorrectedScore,
    correct_scores,
    read_score_lines,
)
from backend.evaluation.management.commands.check_judge_drift import read_bytes
from backend.studies.lookup import get_study_by_name_or_raise

OPEN_NOTE = "The study is open: an interval that is read repeatedly misses more often than 5%."
FEW_NOTE = "An interval needs ratings of texts about at least 5 questions."


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
            "scores": [as_json(one) for one in results],
        }
        lines = [line for one in results for line in describe(one)]
        return payload, [*lines, *([] if study.has_ended else [OPEN_NOTE])]


def as_json(one: CorrectedScore) -> dict[str, Any]:
    mean, kappa = one.mean, one.kappa
    return {
        "kind": one.kind,
        "judge": one.judge,
        "texts": one.texts,
        "unscored": one.unscored,
        "raw": mean.raw.value,
        "corrected": {"value": mean.value, "low": mean.low, "high": mean.high},
        "is_approximate": mean.approximate,
        "people": None if mean.people is None else asdict(mean.people),
        "lambda": mean.lambdas[0],
        "rated": mean.verified,
        "effective_ratings": mean.effective_verdicts,
        "kappa": {"value": kappa.value, "low": kappa.low, "high": kappa.high, "n": kappa.n},
        "waiting": one.ratings.waiting,
        "excluded": one.ratings.excluded,
        "other_texts": one.other_texts,
    }


def describe(one: CorrectedScore) -> Iterator[str]:
    mean, kappa = one.mean, one.kappa
    yield f"{one.kind} by {one.judge}, {one.texts:,} texts, {one.unscored:,} without a score"
    yield f"  raw {mean.raw.value:.2f}, corrected {number_text(mean.value, mean.low, mean.high)}"
    effective = mean.effective_verdicts or 0
    yield f"  rated {mean.verified:,}, as exact as {effective:,.0f} rated texts without the judge"
    yield f"  weighted kappa {number_text(kappa.value, kappa.low, kappa.high)}, n {kappa.n:,}"
    if one.other_texts:
        yield f"  rated texts that have no score: {one.other_texts:,}"
    if mean.low is None:
        yield f"  {FEW_NOTE}"
    elif mean.approximate:
        yield "  The interval is approximate: few questions or few disagreements."


def number_text(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "undefined"
    return f"{value:.2f}" if low is None else f"{value:.2f} ({low:.2f} to {high:.2f})"
