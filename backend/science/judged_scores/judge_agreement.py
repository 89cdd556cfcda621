"""Agreement of a judge's verdicts with people's: kappa and both kinds of error, by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from backend.science.evaluation.cluster_sums import sum_by_cluster
from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.estimates import Estimate, estimate_metrics
from backend.science.evaluation.metrics import BoolArray, FloatArray, Metric, Ratio
from backend.science.evaluation.proportions import wilson_interval
from backend.science.judged_scores.claims import JudgedClaims, numbered
from backend.science.judgements.kappa import beyond_chance

THRESHOLD = 0.5

AGREEMENT = Ratio((1, 0, 0, 1), (1, 1, 1, 1))
FALSE_SUPPORT = Ratio((0, 0, 1, 0), (0, 0, 1, 1))
MISSED_SUPPORT = Ratio((0, 1, 0, 0), (1, 1, 0, 0))


@dataclass(frozen=True)
class JudgeAgreement:
    """A judge beside people, on the verified claims of one group or of all.

    group: its label, None for all. verdicts: verified claims. table: their number by people
    (supported, not) and judge (supported, not), rows first; a claim whose raters differ counts in
    both rows by its share. kappa: None where people and judge have one verdict for all claims.
    agreement: weighted share of claims with the same verdict. false_support: of the claims that
    people do not support, those that the judge supports. missed_support: of the claims that people
    support, those that the judge does not. None without such claims.
    """

    group: object
    verdicts: int
    table: tuple[tuple[float, float], tuple[float, float]]
    kappa: Estimate | None
    agreement: Estimate
    false_support: Estimate | None
    missed_support: Estimate | None


class WeightedKappa:
    """(p_a - p_e) / (1 - p_e) of the four sums (..., 4) of a table; 0 where p_e is 1."""

    bounded = False

    def __call__(self, sums: FloatArray) -> FloatArray:
        total = sums.sum(axis=-1)
        shares = sums / np.where(total > 0, total, 1.0)[..., None]
        people, judge = shares[..., 0] + shares[..., 1], shares[..., 0] + shares[..., 2]
        chance = people * judge + (1 - people) * (1 - judge)
        return np.nan_to_num(beyond_chance(shares[..., 0] + shares[..., 3], chance), nan=0.0)

    def contributes(self, sums: FloatArray) -> BoolArray:
        return np.asarray((sums != 0).any(axis=-1))


def judge_agreement(
    claims: JudgedClaims,
    *,
    seed: int,
    groups: npt.ArrayLike | None = None,
    draws: int = 10_000,
) -> list[JudgeAgreement]:
    """Agreement over all verified claims, then in each group (such as relation types), sorted.

    judge and people lie between 0 and 1; the judge supports a claim from 0.5. Claims have the
    weight of the corrected mean, w / propensity, so the figures are those of the column and not of
    the claims that were chosen because the judge was unsure. Kappa is Cohen's; people's mean
    verdict counts in part for each side, so raters who differ lower it.

    n of an estimate are verified claims, of an error those of its denominator. Its interval is that
    of `estimate_metrics` over clusters: bootstrap, below 50 Student's t by the jackknife, below 5
    none. A kappa of 1 has Wilson's lower bound p of the agreement of its clusters, as
    (p - p_e) / (1 - p_e): equal draws show no variance. One seed has one result. Without
    verdicts the list is empty.

    Raises ValueError for values outside [0, 1] or other labels than one for each claim. Source:
    Cohen, Educational and Psychological Measurement 20 (1960); the rates as the two errors of
    Rogan and Gladen, American Journal of Epidemiology 107 (1978).
    """
    verified = claims.verified
    _check_unit(claims)
    if not verified.any():
        return []
    clusters = numbered(claims.clusters[verified], int(verified.sum()))
    cells = agreement_cells(claims)
    weights = claims.verified_weights[verified] * int(verified.sum())
    masks: list[tuple[object, BoolArray]] = [(None, np.ones(len(cells), dtype=np.bool_))]
    if groups is not None:
        masks += _groups(groups, claims)
    count = int(clusters.max()) + 1
    sums = np.stack(
        [sum_by_cluster(cells * weights[:, None], clusters, count, mask) for _, mask in masks]
    )
    items = [int(mask.sum()) for _, mask in masks]
    metrics: list[Metric] = [WeightedKappa(), AGREEMENT, FALSE_SUPPORT, MISSED_SUPPORT]
    estimates = estimate_metrics(sums, items, metrics, ClusterDraws(count, seed, draws))
    return [
        _agreement(label, cells[mask], row, estimated)
        for (label, mask), row, estimated in zip(masks, sums, estimates, strict=True)
    ]


def agreement_cells(claims: JudgedClaims) -> FloatArray:
    """(verified, 4): both support, people alone, judge alone, neither; each row adds up to 1."""
    people = claims.people[claims.verified]
    judge = (claims.judge[claims.verified] >= THRESHOLD).astype(np.float64)
    columns = [people * judge, people * (1 - judge), (1 - people) * judge]
    return np.stack([*columns, (1 - people) * (1 - judge)], axis=1)


def _agreement(
    label: object, cells: FloatArray, sums: FloatArray, estimates: Sequence[Estimate]
) -> JudgeAgreement:
    both, people, judge, neither = (float(value) for value in cells.sum(axis=0))
    kappa, agreement, false_support, missed_support = estimates
    chance = _chance(sums)
    return JudgeAgreement(
        label,
        len(cells),
        ((both, people), (judge, neither)),
        None if chance > 1 - 1e-12 else _with_lower_bound(kappa, chance),
        agreement,
        None if judge + neither == 0 else replace(false_support, items=_count(cells[:, 2:])),
        None if both + people == 0 else replace(missed_support, items=_count(cells[:, :2])),
    )


def _count(cells: FloatArray) -> int:
    """Claims with a share in these columns; one whose raters differ has shares in all."""
    return int((cells.sum(axis=1) > 0).sum())


def _chance(sums: FloatArray) -> float:
    total = sums.sum()
    if not total > 0:
        return 1.0
    both, people, judge, neither = sums.sum(axis=0) / total
    return float((both + people) * (both + judge) + (judge + neither) * (people + neither))


def _with_lower_bound(kappa: Estimate, chance: float) -> Estimate:
    if kappa.low is None or kappa.value < 1 - 1e-12:
        return kappa
    share, _ = wilson_interval(kappa.clusters, kappa.clusters)
    return replace(kappa, low=(share - chance) / (1 - chance), high=1.0, method="wilson")


def _groups(groups: npt.ArrayLike, claims: JudgedClaims) -> list[tuple[object, BoolArray]]:
    labels = np.asarray(groups)
    if labels.shape != claims.judge.shape:
        raise ValueError("there is one label for each claim")
    labels = labels[claims.verified]
    return [(label.item(), labels == label) for label in np.unique(labels)]


def _check_unit(claims: JudgedClaims) -> None:
    values = np.concatenate([claims.judge, claims.people[claims.verified]])
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("scores and verdicts lie between 0 and 1")
