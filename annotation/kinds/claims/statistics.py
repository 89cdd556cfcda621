"""Statistics of a study of claims: verdicts, agreement, and what each claim is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from annotation.kinds.agreement_figures import (
    agreement_table,
    alpha_figure,
    category_figures,
    leave_one_out_figures,
    leave_one_out_section,
)
from annotation.kinds.choice_sections import choice_retest_section
from annotation.kinds.claims.measures import MEASURED
from annotation.kinds.figures import (
    OPEN_STUDY,
    REASONS,
    Figure,
    Section,
    count_figure,
    figure_of,
    missing_figure,
    study_share,
)
from annotation.kinds.study_table import StudyAnswer, StudyTable
from backend.science.judgements.dawid_skene import DawidSkene, fit_dawid_skene
from backend.science.judgements.majority import most_frequent
from backend.science.judgements.tables import FloatArray
from backend.science.judgements.true_shares import true_category_shares
from backend.science.optional_statistic import Statistic

UNSURE = "not_sure"
LABELS: Mapping[str, str] = {
    "supported": "Supported",
    "contradicted": "Contradicted",
    "not_enough": "Not enough evidence",
    UNSURE: "Not sure",
}
MAJORITY = "majority of the raters of each claim"
MODEL = "Model of raters with errors (Dawid and Skene, 1979)"
BY_MODEL = "Share of claims by Dawid and Skene's model"
OVER_CLAIMS = "percentile bootstrap over claims (Efron and Tibshirani, 1993)"
GIVEN_ERRORS = "This is itself a probability, given the estimated errors of the raters."
MAX_LISTED = 200


def claim_sections(table: StudyTable) -> list[Section]:
    sure = [one for one in table.answers if one.outcome in MEASURED]
    names, counts = _count_verdicts(table, sure)
    fit = _fit(counts, table.seed)
    return [
        _verdict_section(table),
        _claim_section(table, counts, fit),
        *_agreement_sections(table),
        _posterior_section(table, names, counts, fit),
    ]


def claim_retest_section(table: StudyTable) -> Section:
    return choice_retest_section(table.random_part().repeats, _code, seed=table.seed)


def _code(answer: StudyAnswer) -> int | None:
    return MEASURED.index(answer.outcome) if answer.outcome in MEASURED else None


def _verdict_section(table: StudyTable) -> Section:
    """The shares of Progress, and how often a decided claim is supported."""
    rows = [(one.question, one.rater, one.outcome) for one in table.answers]
    shares = {
        f"{name}_share": (label, [(claim, rater, it == name) for claim, rater, it in rows])
        for name, label in LABELS.items()
    }
    shares["supported_of_decided"] = (
        "Supported, of supported and contradicted",
        [
            (claim, rater, it == "supported")
            for claim, rater, it in rows
            if it in ("supported", "contradicted")
        ],
    )
    figures = tuple(
        study_share(table, name, label, values) for name, (label, values) in shares.items()
    )
    return Section("shares", "Verdicts", figures)


def _claim_section(table: StudyTable, counts: FloatArray, fit: DawidSkene | None) -> Section:
    votes = counts.sum(axis=0)
    most = votes.max(axis=1, initial=0)
    is_one = (votes == most[:, None]).sum(axis=1) == 1
    winners = Counter(votes.argmax(axis=1)[is_one].tolist())
    labels = {name: f"Claims by majority: {LABELS[name]}" for name in MEASURED}
    labels["split"] = "Claims without a majority"
    numbers = {name: winners[place] for place, name in enumerate(MEASURED)}
    numbers["split"] = int((~is_one).sum())
    figures = [
        count_figure(f"claims_{name}", label, numbers[name], len(votes), "claims", MAJORITY)
        for name, label in labels.items()
    ]
    note = "The model weighs raters by their estimated errors; a majority counts them alike."
    figures += _model_shares(table, counts, fit)
    return Section("claims", "Claims", tuple(figures), note)


def _model_shares(table: StudyTable, counts: FloatArray, fit: DawidSkene | None) -> list[Figure]:
    method = f"{MODEL}; {OVER_CLAIMS}"
    names = [(f"model_{name}", f"{BY_MODEL}: {LABELS[name]}") for name in MEASURED]
    if fit is None:
        lack = REASONS["no_overlap"]
        return [missing_figure(name, label, "claims", method, lack) for name, label in names]
    if table.is_open:  # nothing is resampled for an interval that is not shown
        means = fit.posteriors.mean(axis=0)
        return [
            Figure(
                name,
                label,
                float(mean),
                len(fit.posteriors),
                "claims",
                method,
                interval_reason=OPEN_STUDY,
            )
            for (name, label), mean in zip(names, means, strict=True)
        ]
    shares = true_category_shares(counts, fit, seed=table.seed)
    return [
        figure_of(name, label, "claims", method, share)
        for (name, label), share in zip(names, shares, strict=True)
    ]


def _agreement_sections(table: StudyTable) -> list[Section]:
    sure = [one for one in table.random_part().answers if one.outcome in MEASURED]
    verdicts = agreement_table(sure, [MEASURED.index(one.outcome) for one in sure])
    seed = table.seed
    figures = (
        alpha_figure("alpha_nominal", "Alpha of verdicts", verdicts, "nominal", seed=seed),
        *category_figures(verdicts, len(MEASURED), "verdict", seed=seed),
    )
    note = f"'Not sure' is left out: {len(table.random_part().answers) - len(sure)}."
    return [
        Section("agreement", "Agreement", figures, f"{note}{table.random_note}"),
        leave_one_out_section(
            [*_stable_figures(sure), *leave_one_out_figures(verdicts, "nominal")]
        ),
    ]


def _stable_figures(sure: Sequence[StudyAnswer]) -> list[Figure]:
    """Claims with a majority that stays whoever of their raters is left out."""
    by_claim: dict[str, list[str]] = {}
    for one in sure:
        by_claim.setdefault(one.question, []).append(one.outcome)
    decided = [one for one in by_claim.values() if len(one) > 1 and most_frequent(one)]
    stable = sum(
        all(
            most_frequent([*one[:at], *one[at + 1 :]]) == most_frequent(one)
            for at in range(len(one))
        )
        for one in decided
    )
    label = "Same majority without any one rater"
    return [
        count_figure("same_majority", label, stable, len(decided), "claims", f"Of each: {MAJORITY}")
    ]


def _posterior_section(
    table: StudyTable, names: Sequence[str], counts: FloatArray, fit: DawidSkene | None
) -> Section:
    """Each claim's most likely verdict, the least certain claims first."""
    title = "Most likely verdict of each claim"
    if fit is None:
        lack = missing_figure("verdict", title, "raters", MODEL, REASONS["no_overlap"])
        return Section("posteriors", title, (lack,))
    order = np.argsort(fit.posteriors.max(axis=1), kind="stable")[:MAX_LISTED]
    raters = counts.sum(axis=(0, 2))
    figures = tuple(
        _posterior_figure(table, names[place], fit.posteriors[place], int(raters[place]))
        for place in order.tolist()
    )
    note = (
        f"The least certain first: {len(figures)} of {len(names)} claims. "
        "With few answers of each rater the errors are guesses, and these chances too sure."
    )
    return Section("posteriors", title, figures, note)


def _posterior_figure(table: StudyTable, name: str, chances: FloatArray, raters: int) -> Figure:
    verdict = MEASURED[int(chances.argmax())]
    parts = [
        f"{LABELS[one].lower()} {chance:.3f}" for one, chance in zip(MEASURED, chances, strict=True)
    ]
    label = f"{table.questions[name].label}: {LABELS[verdict].lower()}"
    value = Statistic(float(chances.max()), raters, interval_reason="too_few_items")
    figure = figure_of(f"p_{verdict}", label, "raters", MODEL, value, note=f"{', '.join(parts)}.")
    return replace(figure, interval_reason=GIVEN_ERRORS, question=name)


def _count_verdicts(table: StudyTable, sure: Sequence[StudyAnswer]) -> tuple[list[str], FloatArray]:
    """The claims with a sure answer in the order of the study, and (raters, claims, verdicts)."""
    answered = {one.question for one in sure}
    names = [name for name in table.questions if name in answered]
    places = {name: place for place, name in enumerate(names)}
    raters = {name: row for row, name in enumerate(sorted({one.rater for one in sure}))}
    counts = np.zeros((len(raters), len(names), len(MEASURED)))
    for one in sure:
        counts[raters[one.rater], places[one.question], MEASURED.index(one.outcome)] = 1
    return names, counts


def _fit(counts: FloatArray, seed: int) -> DawidSkene | None:
    """From the votes alone: other starts may end with the verdicts renamed. None where no claim
    has two answers, from which errors are estimated."""
    if not counts.size or counts.sum(axis=(0, 2)).max() < 2:
        return None
    return fit_dawid_skene(counts, seed=seed, starts=1)
