"""Checks of the raters of a ranking study, and their answers to repeated questions."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from annotation.kinds.figures import SPREAD, Figure, Section, estimate_figure, rater_figure
from annotation.kinds.ranking.consensus_statistics import rated_question
from annotation.kinds.ranking.schema import Ranking
from annotation.kinds.ranking.statistics import TAU_B, is_ranked
from annotation.kinds.rater_sections import (
    ability_figures,
    check_section,
    choices_by_question,
    drift_figures,
    fatigue_section,
    time_figures,
)
from annotation.kinds.study_table import StudyAnswer, StudyTable, number_values
from backend.science.rank_models.choices import RatedQuestion
from backend.science.rankings import ranked_ids
from backend.science.rater_checks.ability import MIN_ANSWERS
from backend.science.rater_checks.answers import AgreementSeries
from backend.science.rater_checks.excess import check_excess
from backend.science.rater_checks.ranking_ability import check_ranking_ability, ranking_agreement
from backend.science.rater_checks.retest import retest_rankings

UNCHANGED = f"Orders left as shown {SPREAD}"
RETEST = "intervals by question, jackknife below 50 (Efron and Tibshirani, 1993)"


def rater_sections(table: StudyTable) -> list[Section]:
    """Fatigue and fast answers are of the first choice; straight-lining is to leave the orders of a
    prior as shown: to change all of them is work."""
    checked = table.with_mixed_in()
    ranked = [one for one in checked.answers if is_ranked(one)]
    first_choice = choices_by_question(ranked, _first_choice)
    with_prior = [one for one in ranked if one.outcome != "ranked"]
    rated = _rated(checked)
    figures = [
        *ability_figures(check_ranking_ability([*rated.values()], seed=table.seed), None),
        *drift_figures(_series(ranked, rated), seed=table.seed),
        *time_figures(ranked, first_choice, seed=table.seed),
        *_unchanged_figures(with_prior),
    ]
    return [check_section(figures), fatigue_section(ranked, first_choice)]


def retest_section(table: StudyTable) -> Section:
    """Raters' orders of a question that they ranked twice."""
    pairs: list[tuple[Ranking, Ranking]] = []
    items: list[str] = []
    for first, second in table.random_part().repeats:
        if is_ranked(first) and is_ranked(second):
            items.append(first.question)
            pairs.append((first.payload["ranking"], second.payload["ranking"]))
    estimate = retest_rankings(items, pairs, seed=table.seed) if pairs else None
    figure = estimate_figure(
        "retest_tau_b",
        "tau-b of a rater's two orders",
        "repeated questions",
        f"{TAU_B}; {RETEST}",
        estimate,
    )
    note = f"Questions that a rater ranked twice: {len(pairs)}."
    return Section("retest", "Test and retest", (figure,), note)


def _first_choice(answer: StudyAnswer) -> frozenset[str]:
    return frozenset(answer.payload["ranking"][0])


def _rated(table: StudyTable) -> dict[str, RatedQuestion]:
    return {
        name: rated_question(answers, sorted(ranked_ids(answers[0].payload["ranking"])))
        for name, answers in table.by_question(is_ranked)
    }


def _unchanged_figures(with_prior: Sequence[StudyAnswer]) -> list[Figure]:
    tests = check_excess(
        number_values(one.rater for one in with_prior),
        number_values(one.question for one in with_prior),
        np.array([one.outcome == "confirmed" for one in with_prior], dtype=np.bool_),
        least=MIN_ANSWERS,
    )
    names = list(dict.fromkeys(one.rater for one in with_prior))
    label = "Orders left as shown"
    return [
        rater_figure("straight_lining", label, UNCHANGED, one, names[int(one.rater)])
        for one in tests
    ]


def _series(
    ranked: Sequence[StudyAnswer], rated: Mapping[str, RatedQuestion]
) -> list[AgreementSeries]:
    agreement = dict(zip(rated, ranking_agreement([*rated.values()]), strict=True))
    pairs: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for one in ranked:
        if one.rater in agreement[one.question]:
            pairs[one.rater].append(agreement[one.question][one.rater])
    return [AgreementSeries(name, *np.array(values).T) for name, values in sorted(pairs.items())]
