"""How sure a ranking study's common order is: without each rater, and P(in A_s)."""

import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import comb

from annotation.kinds.figures import (
    IS_PROBABILITY,
    Figure,
    Section,
    count_figure,
    figure_of,
    missing_figure,
)
from annotation.kinds.ranking.statistics import BY_QUESTION, is_ranked
from annotation.kinds.study_table import StudyAnswer, StudyTable
from backend.science.agreement import average_statistics
from backend.science.optional_statistic import Statistic
from backend.science.rank_models.choices import RatedQuestion
from backend.science.rank_models.consensus import borda_consensus, kemeny_consensus
from backend.science.rank_models.davidson_luce import Prior, estimate_consistencies
from backend.science.rank_models.leave_one_out import leave_raters_out
from backend.science.rank_models.top_membership import estimate_top_membership
from backend.science.rns.errors import SizeOutOfRange
from backend.science.rns.splits import serendipity_size

RESAMPLES = 200
MAX_FITS = 5_000  # about fifteen seconds of a worker
MAX_REQUEST_FITS = 600  # about two seconds of a request: 54 questions with three raters
MAX_LISTED = 20
SURE = 0.95
LEAVE_ONE_OUT = "Mean of mid-ranks, leaving out one rater at a time (Efron and Tibshirani, 1993)"
KEMENY = "Weak order with the least Kendall distance to all orders (Kemeny, 1959), exact to 12 ids"
MEMBERSHIP = (
    "Davidson-Luce model (Firth et al., 2019), raters weighted by their consistency, bootstrap "
    "over raters"
)
MIN_CONSISTENCY_RATERS = 3  # if two differ, either may err
MIN_CONSISTENCY_QUESTIONS, MAX_CONSISTENCY_QUESTIONS = 10, 20  # of each rater
MAX_CONSISTENCY_CANDIDATES = 8  # 255 subsets
TOO_MANY = "The study has too many answers for this figure."


def rated_question(answers: Sequence[StudyAnswer], ids: Sequence[str]) -> RatedQuestion:
    """ids in the order of the file, which decides ties."""
    return RatedQuestion(
        ids, [one.rater for one in answers], [one.payload["ranking"] for one in answers]
    )


def estimate_membership(
    question: RatedQuestion,
    *,
    seed_of: str,
    size: int | None = None,
    consistencies: Mapping[str, float] | None = None,
) -> dict[str, float] | None:
    """P(in A_s) of each candidate, to four decimals; the same for the same rankings.

    None with fewer than two raters, or where ties among many candidates have no model.
    """
    if len(set(question.raters)) < 2:
        return None
    try:
        result = estimate_top_membership(
            question,
            seed=zlib.crc32(seed_of.encode()),
            size=size,
            resamples=RESAMPLES,
            consistencies=consistencies,
        )
    except ValueError:  # groups of this size need at most 12 candidates
        return None
    return {name: round(one.value or 0.0, 4) for name, one in result.probabilities.items()}


def estimate_rater_consistencies(questions: Mapping[str, RatedQuestion]) -> dict[str, float]:
    """By rater, over questions by name, to two decimals.

    1 for raters with fewer than ten questions that three or more ranked: what they agree on is too
    little. A consistency is of at most about twenty questions of a rater, drawn by their names.
    """
    chosen = choose_for_consistency(questions)
    every = {rater: 1.0 for one in questions.values() for rater in one.raters}
    counts = Counter(rater for one in chosen for rater in one.raters)
    estimated = estimate_consistencies(chosen, Prior())
    return every | {
        rater: round(value, 2)
        for rater, value in estimated.items()
        if counts[rater] >= MIN_CONSISTENCY_QUESTIONS
    }


def choose_for_consistency(questions: Mapping[str, RatedQuestion]) -> list[RatedQuestion]:
    """Questions with three raters, until each rater has enough."""
    chosen: list[RatedQuestion] = []
    counts: Counter[str] = Counter()
    for name in sorted(questions, key=lambda one: (zlib.crc32(one.encode()), one)):
        one = questions[name]
        if len(one.ids) > MAX_CONSISTENCY_CANDIDATES or len(one.raters) < MIN_CONSISTENCY_RATERS:
            continue
        if any(counts[rater] < MAX_CONSISTENCY_QUESTIONS for rater in one.raters):
            chosen.append(one)
            counts.update(one.raters)
    return chosen


def count_fits(raters: int) -> int:
    """Models that are fitted for one question: the distinct draws of its raters, and one."""
    return 1 + min(RESAMPLES, comb(2 * raters - 1, raters))


def stability_section(table: StudyTable) -> Section:
    """The common order of each question without each of its raters."""
    same: list[float] = []
    other_firsts = 0
    overlaps: dict[str, list[float]] = defaultdict(list)
    for _, question in _splittable(table):
        result = leave_raters_out(question, borda_consensus)
        kemeny = kemeny_consensus(question.rankings, question.ids)
        other_firsts += {*result.groups[0]} != {*kemeny.groups[0]}
        if result.same_top.value is not None:
            same.append(result.same_top.value)
        for one in result.without:
            overlaps[one.rater].append(one.top_overlap)
    label = "Same A_s without any one rater"
    figures = [
        _mean_figure("same_top", label, same, table.seed),
        count_figure(
            "kemeny_other_first",
            "Other first choice by Kemeny's order",
            other_firsts,
            len(same),
            "questions",
            KEMENY,
        ),
    ]
    figures += [
        _mean_figure("top_overlap", "A_s that stays without the expert", values, table.seed, rater)
        for rater, values in sorted(overlaps.items())
    ]
    note = "Shares: of the raters of a question, and of the members of its A_s."
    return Section("stability", "Stability of the common order", tuple(figures), note)


def membership_section(table: StudyTable) -> Section:
    questions = [one for one in _splittable(table) if len(set(one[1].raters)) > 1]
    title = "Membership in A_s"
    if sum(count_fits(len(set(one.raters))) for _, one in questions) > MAX_FITS:
        lack = missing_figure("p_in_a_s", "P(in A_s)", "raters", MEMBERSHIP, TOO_MANY)
        return Section("membership", title, (lack,))
    consistencies = estimate_rater_consistencies(dict(questions))
    estimated = [
        (name, question, probabilities)
        for name, question in questions
        if (
            probabilities := estimate_membership(
                question, seed_of=name, consistencies=consistencies
            )
        )
        is not None
    ]
    certain = _certain_figure([one for *_, one in estimated])
    rows = [
        _member_figure(table, name, question, candidate, value)
        for name, question, probabilities in estimated
        for candidate, value in probabilities.items()
        if 1 - SURE < value < SURE
    ]
    rows.sort(key=lambda one: abs((one.value or 0) - 1 / 2))
    note = f"The least certain candidates are listed: {min(len(rows), MAX_LISTED)} of {len(rows)}."
    return Section("membership", title, (certain, *rows[:MAX_LISTED]), note)


def _certain_figure(estimated: Sequence[Mapping[str, float]]) -> Figure:
    values = list(chain.from_iterable(one.values() for one in estimated))
    label = "Candidates that are surely in A_s or outside"
    if not values:
        reason = "No question has orders of two raters and enough candidates."
        return missing_figure("certain", label, "candidates", MEMBERSHIP, reason)
    certain = sum(not 1 - SURE < one < SURE for one in values)
    note = f"P(in A_s) of at least {SURE} or at most {1 - SURE:.2f}."
    return count_figure("certain", label, certain, len(values), "candidates", MEMBERSHIP, note=note)


def _member_figure(
    table: StudyTable, name: str, question: RatedQuestion, candidate: str, value: float
) -> Figure:
    names = {str(one.id): one.name for one in table.questions[name].question.candidates.all()}
    label = f"{table.questions[name].label}: {names[candidate]}"
    return Figure(
        "p_in_a_s",
        label,
        value,
        len(set(question.raters)),
        "raters",
        MEMBERSHIP,
        interval_reason=IS_PROBABILITY,
        question=name,
    )


def _splittable(table: StudyTable) -> list[tuple[str, RatedQuestion]]:
    """Questions with an order, and with enough candidates for two parts."""
    result = []
    for name, answers in table.by_question(is_ranked):
        ids = [str(one.id) for one in table.questions[name].question.candidates.all()]
        try:
            serendipity_size(len(ids), None)
        except SizeOutOfRange:
            continue
        result.append((name, rated_question(answers, ids)))
    return result


def _mean_figure(
    name: str, label: str, values: Sequence[float], seed: int, expert: str = ""
) -> Figure:
    method = f"{LEAVE_ONE_OUT}; {BY_QUESTION}"
    if not values:
        lack = Statistic(None, 0, "too_few_rankings", interval_reason="too_few_rankings")
        return figure_of(name, label, "questions", method, lack)
    mean = average_statistics([Statistic(one, 1) for one in values], seed=seed)
    figure = figure_of(name, label, "questions", method, mean)
    return replace(figure, expert=expert)
