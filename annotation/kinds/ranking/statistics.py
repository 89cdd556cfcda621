"""Statistics of a ranking study: agreement, the effect of each arm, shares."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from annotation.kinds.arm_sections import arm_section, contrast_figure, number_places, shape_of
from annotation.kinds.figures import Figure, Section, figure_of, study_share
from annotation.kinds.items import ORDER_ARM, Arm
from annotation.kinds.ranking.schema import Ranking, study_prior
from annotation.kinds.study_table import StudyAnswer, StudyTable
from backend.science.agreement import (
    Agreement,
    QuestionRankings,
    batch_agreement,
    kendall_w,
    tau_b,
    top1_agreement,
)
from backend.science.judgements.contrasts import Row, two_way_item_mean
from backend.science.optional_statistic import Statistic
from backend.science.rankings import mid_ranks, ranked_ids

UNSURE = "not_sure"
WITH_PRIOR = ("confirmed", "changed")
BY_QUESTION = (
    "over questions: Student's t, of fifty or more a percentile bootstrap "
    "(Efron and Tibshirani, 1993)"
)
JACKKNIFE = "jackknife over raters and questions (Arvesen, 1969)"
KENDALL_W = "Kendall's W, corrected for ties (Kendall and Gibbons, 1990)"
W_OF_TWO = "Kendall's W of two raters"
TAU_B = "Kendall's tau-b (Kendall and Gibbons, 1990)"
TAU_A = "Kendall's tau-a (Kendall and Gibbons, 1990)"
TOP1 = "Share of pairs of raters whose first choices are equal sets"

PairValue = Callable[[Ranking, Ranking], float | None]


def is_ranked(answer: StudyAnswer) -> bool:
    return answer.outcome != UNSURE


def w_of(one: Ranking, other: Ranking) -> float | None:
    """Of these two alone: W of more raters depends on how many they are."""
    ids = sorted(ranked_ids(one))
    return kendall_w([mid_ranks(one, ids), mid_ranks(other, ids)]).value


def tau_of(one: Ranking, other: Ranking) -> float | None:
    ids = sorted(ranked_ids(one))
    return tau_b(mid_ranks(one, ids), mid_ranks(other, ids)).value


def tau_of_ties(ranking: Ranking, prior: Ranking) -> float | None:
    """Of the pairs that tie in the prior, those in its listed order less those in the other one,
    over all of them: Kendall's tau-a. None without ties."""
    place = {name: at for at, group in enumerate(ranking) for name in group}
    pairs = [pair for group in prior for pair in combinations(group, 2)]
    signs = [(place[one] < place[other]) - (place[one] > place[other]) for one, other in pairs]
    return sum(signs) / len(signs) if signs else None


def same_first(one: Ranking, other: Ranking) -> float | None:
    return top1_agreement([one, other]).value


def agreement_section(table: StudyTable) -> Section:
    """Over questions for these raters, and over raters and questions."""
    random_note, table = table.random_note, table.random_part()
    questions = [
        QuestionRankings(sorted(ranked_ids(answers[0].payload["ranking"])), _rankings(answers))
        for _, answers in table.by_question(is_ranked)
    ]
    average: Agreement = batch_agreement(questions, seed=table.seed).average
    figures = [
        _over_questions("kendall_w", "Kendall's W", KENDALL_W, average.kendall_w),
        _over_questions("tau_b", "Kendall's tau-b", TAU_B, average.tau_b),
        _over_questions("top1", "Same first choice", TOP1, average.top1),
        _over_both(table, "kendall_w_two_way", W_OF_TWO, KENDALL_W, w_of, (0, 1)),
        _over_both(table, "tau_b_two_way", "Kendall's tau-b", TAU_B, tau_of, (-1, 1)),
        _over_both(table, "top1_two_way", "Same first choice", TOP1, same_first, (0, 1)),
    ]
    unsure = sum(not is_ranked(one) for one in table.answers)
    note = f"Questions with two or more orders. 'Not sure' is left out: {unsure}.{random_note}"
    return Section("agreement", "Agreement", tuple(figures), note)


def arm_sections(table: StudyTable, arms: Sequence[Arm]) -> list[Section]:
    """Each level of each arm that was drawn, against its first level."""
    return [
        arm_section(
            arm,
            [figure for level in arm.levels[1:] for figure in _arm_effects(table, arm, level)],
        )
        for arm in arms
        if any(arm.name in one.arms for one in table.answers)
    ]


def share_section(table: StudyTable) -> Section:
    rows = [(one.question, one.rater, one.outcome) for one in table.answers]
    changed = [(q, r, it == "changed") for q, r, it in rows if it in WITH_PRIOR]
    unsure = [(q, r, it == UNSURE) for q, r, it in rows]
    figures = tuple(
        study_share(table, name, label, values)
        for name, label, values in (
            ("changed_share", "Changed the order shown first", changed),
            ("not_sure_share", "Not sure", unsure),
        )
    )
    return Section("shares", "Shares", figures)


def _rankings(answers: Sequence[StudyAnswer]) -> list[Ranking]:
    return [one.payload["ranking"] for one in answers]


def _over_questions(name: str, label: str, method: str, statistic: Statistic) -> Figure:
    note = "Holds for these raters alone." if statistic.low is not None else ""
    return figure_of(name, label, "questions", f"{method}; {BY_QUESTION}", statistic, note=note)


def _over_both(
    table: StudyTable,
    name: str,
    label: str,
    method: str,
    value_of: PairValue,
    bounds: tuple[float, float],
) -> Figure:
    """Each pair of a question counts the same, as in the mean for these raters: both are of the
    study as its arms were drawn."""
    pairs = _pair_rows(table, is_ranked, value_of)
    rows = [(question, raters, value, 1.0) for question, raters, value, _ in pairs]
    mean = two_way_item_mean(rows, shape_of(table), bounds=bounds)
    label = f"{label}, other raters"
    return figure_of(name, label, "questions", f"{method}; {JACKKNIFE}", mean)


def _pair_rows(
    table: StudyTable, has_value: Callable[[StudyAnswer], bool], value_of: PairValue
) -> list[Row]:
    """A row for each pair of raters of a question, weighted by their inverse propensities."""
    raters, items = number_places(table)
    rows: list[Row] = []
    for question, answers in table.by_question(has_value):
        for one, other in combinations(answers, 2):
            value = value_of(one.payload["ranking"], other.payload["ranking"])
            if value is not None:
                weight = 1 / (one.propensity * other.propensity)
                pair = (raters[one.rater], raters[other.rater])
                rows.append((items[question], pair, value, weight))
    return rows


def _arm_effects(table: StudyTable, arm: Arm, level: str) -> list[Figure]:
    """Of the arm of order, over the answers that could see it: with a prior that has ties."""
    of_order = arm.name == ORDER_ARM.name
    if of_order:
        table = _where_order_is_shown(table)
    return [
        _order_effect(table, arm, level) if of_order else _prior_effect(table, arm, level),
        _agreement_effect(table, arm, level, "tau_b", "Agreement, tau-b", TAU_B, tau_of),
        _agreement_effect(
            table, arm, level, "top1", "Agreement, same first choice", TOP1, same_first
        ),
    ]


def _where_order_is_shown(table: StudyTable) -> StudyTable:
    """A hidden prior is shown in an order of the expert's own, and one without ties in one order
    alone."""
    tied = {
        name
        for name, prior in _priors(table).items()
        if prior is not None and any(len(group) > 1 for group in prior)
    }
    answers = [one for one in table.answers if one.question in tied and one.outcome in WITH_PRIOR]
    return replace(table, answers=answers)


def _prior_effect(table: StudyTable, arm: Arm, level: str) -> Figure:
    """Difference in tau-b to the order of the prior, which is known in each arm."""
    rows = _reference_rows(table, arm, tau_of)
    label = "tau-b to the prior"
    return contrast_figure(table, arm, level, "prior_tau_b", label, "answers", TAU_B, rows)


def _order_effect(table: StudyTable, arm: Arm, level: str) -> Figure:
    """Difference in tau-a to the listed order, of candidates that tie in the prior: a tie that the
    expert leaves is neither as listed nor the other way round."""
    rows = _reference_rows(table, arm, tau_of_ties)
    label = "tau-a of ties of the prior to their listed order"
    return contrast_figure(table, arm, level, "ties_tau_a", label, "answers", TAU_A, rows)


def _reference_rows(table: StudyTable, arm: Arm, value_of: PairValue) -> Mapping[str, list[Row]]:
    """By level of the arm; value_of: of an answer and the prior of its question."""
    raters, items = number_places(table)
    rows: Mapping[str, list[Row]] = defaultdict(list)
    priors = _priors(table)
    for one in table.answers:
        prior = priors.get(one.question)
        if prior is None or not is_ranked(one) or arm.name not in one.arms:
            continue
        value = value_of(one.payload["ranking"], prior)
        if value is not None:
            row = (items[one.question], (raters[one.rater],), value, 1 / one.propensity)
            rows[one.arms[arm.name]].append(row)
    return rows


def _agreement_effect(
    table: StudyTable,
    arm: Arm,
    level: str,
    name: str,
    label: str,
    method: str,
    value_of: PairValue,
) -> Figure:
    table = table.random_part()
    rows = {
        one: _pair_rows(table, _in_arm(arm.name, one), value_of) for one in (arm.levels[0], level)
    }
    return contrast_figure(table, arm, level, name, label, "pairs of answers", method, rows)


def _in_arm(name: str, level: str) -> Callable[[StudyAnswer], bool]:
    return lambda answer: is_ranked(answer) and answer.arms.get(name) == level


def _priors(table: StudyTable) -> dict[str, Ranking | None]:
    return {
        name: study_prior(one.fields, list(one.question.candidates.all()))
        for name, one in table.questions.items()
    }
