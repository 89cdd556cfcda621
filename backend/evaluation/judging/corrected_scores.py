"""A judge's mean score from 1 to 5, corrected by the ratings of experts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Annotated
from uuid import UUID

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from annotation.question_list import AnsweredQuestion
from backend.benchmarks.models import Question
from backend.benchmarks.questionnaire import MAX_ID
from backend.common.errors import DomainError
from backend.evaluation.grounding.claim_verdicts import rows_by_question
from backend.evaluation.grounding.corrected import (
    IntervalFigure,
    corrected_figure,
    figure_of_people,
)
from backend.evaluation.judging.frozen_claims import decode, parse_lines, raise_faults
from backend.science.judged_scores.claims import JudgedClaims
from backend.science.judged_scores.corrected_mean import CorrectedMean, corrected_mean
from backend.science.judged_scores.verdict_plans import plan_verdicts
from backend.science.judgements.majority import kappa_with_raters
from backend.science.judgements.tables import JudgementTable
from backend.science.optional_statistic import Statistic
from backend.studies.models import Study
from backend.tracks.judge_tasks import HIGHEST, LOWEST
from backend.validation.faults import Fault

RATINGS = "ratings"  # the study kind
SEED = 0
FULLY_RATED = "Ratings of all texts do not halve this interval. Let the judge score more texts."
HALF_STEPS = [step / 2 for step in range(2 * LOWEST, 2 * HIGHEST + 1)]
Name = Annotated[str, Field(min_length=1, max_length=2_000)]
Score = Annotated[float, Field(ge=LOWEST, le=HIGHEST, allow_inf_nan=False)]


class ScoreLine(BaseModel):
    """A line of `judge`. question: texts about one question are a cluster. stratum: texts of one
    were equally likely to be rated, such as those of one `draw_texts`."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)

    id: Name
    qid: Annotated[int, Field(ge=0, le=MAX_ID)]
    kind: Name
    judge: Name
    score: Score | None
    question: Annotated[str, Field(max_length=50_000)] = ""
    stratum: Annotated[str, Field(max_length=2_000)] = ""

    @property
    def text_key(self) -> str:
        """The identifier of the text's question in the study."""
        return str(self.qid)

    @property
    def cluster(self) -> str:
        return f"question {self.question}" if self.question else f"text {self.id}"


@dataclass(frozen=True)
class TextRatings:
    """levels: by text and expert. waiting: texts of the study without a level.
    excluded: texts that a coordinator left out, or made a check of experts."""

    levels: Mapping[str, Mapping[str, int]]
    waiting: int
    excluded: int


@dataclass(frozen=True)
class ScoreCorrection:
    """One judge's mean of one kind of score, from 1 to 5, raw and corrected by experts' ratings.

    texts: with a score; unscored: without one, in no figure. corrected: without an interval where
    fewer than 5 questions have rated texts. people: the mean of the ratings alone. lambdas: how far
    the judge is used, from 0 to 1, of each of the strata. rated: scored texts with a level of an
    expert. effective_ratings: how many would be as exact without the judge. kappa: of the judge and
    the experts' median level, linear weights. other_texts: rated ones that the judge has not
    scored. waiting, excluded: see `TextRatings`. more_to_halve: further texts to rate that halve
    the interval, the waiting ones included; None with the reason in `plan`, or without a plan where
    there is no interval, or one by few disagreements.
    """

    kind: str
    judge: str
    texts: int
    unscored: int
    raw: float
    corrected: IntervalFigure | None
    people: IntervalFigure | None
    lambdas: tuple[float, ...]
    strata: int
    rated: int
    effective_ratings: float | None
    kappa: IntervalFigure | None
    other_texts: int
    waiting: int
    excluded: int
    more_to_halve: int | None
    plan: str


def read_score_lines(content: bytes) -> Sequence[ScoreLine]:
    """Raises DomainError with the faults and their lines."""
    rows = [*parse_lines(decode(content), TypeAdapter(ScoreLine))]
    counts = Counter((one.kind, one.judge, one.qid) for _, one in rows)
    raise_faults(
        [
            Fault(f"line {line}", "This judge has scored the text in another line.", "repeated")
            for line, one in rows
            if counts[one.kind, one.judge, one.qid] > 1
        ]
    )
    if not rows:
        raise DomainError("The file has no scores.", code="invalid_file")
    return [one for _, one in rows]


def correct_scores(lines: Sequence[ScoreLine], study: Study) -> Iterator[ScoreCorrection]:
    """By kind and judge, in the order of the file; the scale of the study has the kind's name.

    PPI++ on means between 1 and 5 (Angelopoulos, Duchi and Zrnic, 2023), each text with the same
    weight, clustered by question. The rated texts must be a random part of those with scores, in
    each stratum: of each the mean is corrected by itself, and weighs as many as its texts.

    Raises DomainError for a study of another kind, or one that rates none of a stratum's texts.
    """
    if study.kind != RATINGS:
        message = "This study has no ratings. Name a study of ratings."
        raise DomainError(message, code="kind_differs")
    groups = dict.fromkeys((one.kind, one.judge) for one in lines)
    rows = rows_by_question(study)
    read = {kind: read_ratings(rows, kind) for kind in dict.fromkeys(kind for kind, _ in groups)}
    for kind, judge in groups:
        own = [one for one in lines if (one.kind, one.judge) == (kind, judge)]
        scored = [one for one in own if one.score is not None]
        ratings = read[kind]
        if not scored or not any(one.text_key in ratings.levels for one in scored):
            message = f"Nobody has rated a text for '{kind}' that {judge} has scored."
            raise DomainError(message, code="no_ratings")
        require_rated_strata(scored, ratings)
        yield describe_correction(scored, ratings, unscored=len(own) - len(scored))


def describe_correction(
    scored: Sequence[ScoreLine], ratings: TextRatings, *, unscored: int = 0
) -> ScoreCorrection:
    """scored: all lines with a score of one kind by one judge."""
    mean, kappa = correct_mean(scored, ratings), weighted_kappa(scored, ratings)
    more, plan = plan_ratings(scored, ratings) if mean.can_be_planned else (None, "")
    return ScoreCorrection(
        kind=scored[0].kind,
        judge=scored[0].judge,
        texts=len(scored),
        unscored=unscored,
        raw=mean.raw.value,
        corrected=corrected_figure(mean),
        people=figure_of_people(mean),
        lambdas=mean.lambdas,
        strata=len({one.stratum for one in scored}),
        rated=mean.verified,
        effective_ratings=mean.effective_verdicts,
        kappa=figure_of_statistic(kappa),
        other_texts=len(ratings.levels.keys() - {one.text_key for one in scored}),
        waiting=ratings.waiting,
        excluded=ratings.excluded,
        more_to_halve=more,
        plan=plan,
    )


def figure_of_statistic(one: Statistic) -> IntervalFigure | None:
    return None if one.value is None else IntervalFigure(one.value, one.low, one.high, one.n)


def require_rated_strata(scored: Sequence[ScoreLine], ratings: TextRatings) -> None:
    rated = {one.stratum for one in scored if one.text_key in ratings.levels}
    missing = sorted({one.stratum for one in scored} - rated)
    if missing:
        message = f"Nobody has rated a text of the stratum '{missing[0]}'. Rate some of each."
        raise DomainError(message, code="stratum_without_ratings")


def correct_mean(scored: Sequence[ScoreLine], ratings: TextRatings) -> CorrectedMean:
    return corrected_mean(judged_texts(scored, ratings), bounds=(LOWEST, HIGHEST))


def plan_ratings(scored: Sequence[ScoreLine], ratings: TextRatings) -> tuple[int | None, str]:
    """How many more texts to rate, in the same shares of the strata, and as a sentence."""
    more = plan_verdicts(judged_texts(scored, ratings)).more_to_halve()
    if more is None:
        return None, FULLY_RATED
    text = "1 more rated text halves" if more == 1 else f"{more:,} more rated texts halve"
    return more, f"{text} this interval."


def judged_texts(scored: Sequence[ScoreLine], ratings: TextRatings) -> JudgedClaims:
    """Experts' value of a text is the mean of their levels."""
    means = {text: fmean(levels.values()) for text, levels in ratings.levels.items()}
    return JudgedClaims.of(
        [one.score if one.score is not None else np.nan for one in scored],
        [means.get(one.text_key, np.nan) for one in scored],
        clusters=[one.cluster for one in scored],
        strata=[one.stratum for one in scored],
    )


def weighted_kappa(scored: Sequence[ScoreLine], ratings: TextRatings) -> Statistic:
    """Over all rated texts alike, whatever their stratum.

    A score between two half steps counts as the nearer one: medians are half steps.
    """
    own = {one.text_key: round(2 * (one.score or 0)) / 2 for one in scored}
    table = JudgementTable.of(
        (text, expert, float(level))
        for text, levels in ratings.levels.items()
        if text in own
        for expert, level in levels.items()
    )
    judge = np.array([own[one] for one in table.items])
    return kappa_with_raters(
        table.values, judge, seed=SEED, weighting="linear", categories=HALF_STEPS
    )


def read_ratings(rows: Mapping[UUID, AnsweredQuestion], scale: str) -> TextRatings:
    """The submitted levels on one scale, whether the study is open or not."""
    ids = dict(Question.objects.filter(pk__in=rows).values_list("pk", "file_id"))
    levels: dict[str, dict[str, int]] = {}
    waiting = excluded = 0
    for pk, row in rows.items():
        if row.excluded is not None or row.has_known_answer:
            excluded += 1
        elif rated := _levels(row, scale):
            levels[ids[pk]] = rated
        else:
            waiting += 1
    return TextRatings(levels, waiting, excluded)


def _levels(row: AnsweredQuestion, scale: str) -> dict[str, int]:
    given = {str(one.expert.pk): one.payload.get("levels", {}).get(scale) for one in row.answers}
    return {expert: level for expert, level in given.items() if level is not None}
