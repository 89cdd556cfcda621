"""Figures of large batches: the definition, computed once for the same claims and clusters."""

import uuid
from dataclasses import replace

import numpy as np
import pytest

from backend.evaluation.grounding.batch_figures import BatchFigures, figures_key
from backend.evaluation.grounding.claim_choice import (
    VerifierClaim,
    can_be_continued,
    choose_actively,
)
from backend.evaluation.grounding.claim_verdicts import PeopleVerdict, PeopleVerdicts

CLAIMS, VERIFIED = 10_000, 1_000
ACTIVE = 600
MENTIONS = [{"identifier": "X:a", "type": "Drug"}, {"identifier": "X:c", "type": "Gene"}]


def test_figures_of_ten_thousand_claims_are_the_definition() -> None:
    rng = np.random.default_rng(1)
    sizes = rng.integers(1, 8, CLAIMS // 4)
    labels = np.repeat(np.arange(len(sizes)), sizes)[:CLAIMS]
    names = [uuid.UUID(int=one) for one in range(len(sizes))]
    supported = rng.random(len(labels)) < 0.6
    judged = [
        VerifierClaim(at, names[label], bool(is_supported), None, MENTIONS[: 1 + at % 2])
        for at, (label, is_supported) in enumerate(zip(labels.tolist(), supported, strict=True))
    ]
    chosen = rng.permutation(len(labels))[:VERIFIED].tolist()
    verdicts = {at: PeopleVerdict(at, float(supported[at]), None) for at in chosen}
    people = PeopleVerdicts(verdicts, VERIFIED, VERIFIED, 0, 0, 0)
    alone = {name: str(name) for name in names}
    pairs = {name: str(name.int // 2) for name in names}
    one, clustered = (BatchFigures.of(judged, people, clusters) for clusters in (alone, pairs))
    used = np.unique(labels)
    shares = [supported[labels == label].mean() for label in used]
    for figures in (one, clustered):
        assert figures.mean.raw.value == pytest.approx(np.mean(shares))
        assert figures.mean.verified == VERIFIED
        assert figures.agreements[0].verdicts == VERIFIED
    assert clustered.mean.verified_clusters < one.mean.verified_clusters
    keys = [figures_key(judged, people, clusters) for clusters in (alone, alone, pairs)]
    assert keys[0] == keys[1] != keys[2]


def test_reliability_is_that_of_the_claims_whose_probability_of_support_is_stated() -> None:
    """After one of three verdicts, 'supported' may have any probability that is left."""
    support = [0.9, 0.1, 0.25, None, None]
    judged = [
        VerifierClaim(at, uuid.UUID(int=at), at in (0, 4), one, [])
        for at, one in enumerate(support)
    ]
    verdicts = {at: PeopleVerdict(at, float(at in (0, 3)), None) for at in range(5)}
    people = PeopleVerdicts(verdicts, 5, 5, 0, 0, 0)
    clusters = {one.grounding: str(one.claim) for one in judged}
    figures = BatchFigures.of(judged, people, clusters)
    stated = figures.reliability.bins
    assert [one.score for one in stated] == pytest.approx([0.1, 0.25, 0.9])
    assert [one.verdicts for one in stated] == [1, 1, 1]
    assert figures.mean.verified == 5
    unstated = [replace(one, support=None) for one in judged]
    bins = BatchFigures.of(unstated, people, clusters).reliability.bins
    assert [(one.score, one.verdicts) for one in bins] == [(0.0, 3), (1.0, 2)]


def test_a_plan_names_only_verdicts_that_an_active_choice_can_have() -> None:
    """Chance chooses more or fewer claims than requested: what was requested counts."""
    cases = [(seed, *one) for one in ((10, 1 / 3), (30, 1 / 6)) for seed in range(10)]
    plans = [plan_active(*one) for one in cases]
    stated = [(people, figures) for people, figures in plans if figures.more is not None]
    refused = {figures.plan for _, figures in plans if figures.more is None}
    for people, figures in stated:
        assert figures.more is not None
        further = figures.more - (people.chosen - figures.mean.verified)
        assert further <= 0 or can_be_continued(people.requested, ACTIVE)
        assert further <= 0 or can_be_continued(people.requested + further, ACTIVE)
    case, more = next((it, one.more) for it, (_, one) in zip(cases, plans, strict=True) if one.more)
    for requested, is_stated in ((150 - more, True), (150 - more + 1, False)):
        figures = plan_active(*case, requested=requested)[1]
        assert (figures.more is not None, "at most 150" in figures.plan) == (
            is_stated,
            not is_stated,
        )
    assert any("at most 150 claims here" in one for one in refused)
    assert any("All 10 claims of this active choice do not halve" in one for one in refused)


def plan_active(
    seed: int, budget: int, error: float, requested: int | None = None
) -> tuple[PeopleVerdicts, BatchFigures]:
    """Of a verifier that is wrong about this share of claims, with verdicts on all chosen ones."""
    rng = np.random.default_rng(seed)
    truth, wrong = rng.random(ACTIVE) < 0.5, rng.random(ACTIVE) < error
    judged = [
        VerifierClaim(at, uuid.UUID(int=at), bool(it), (1 + (sure if it else -sure)) / 2, [])
        for at, (it, sure) in enumerate(zip(truth != wrong, rng.random(ACTIVE), strict=True))
    ]
    verdicts = {
        one.claim: PeopleVerdict(one.claim, float(truth[one.claim]), one.propensity)
        for one in choose_actively(judged, budget, seed)
    }
    people = PeopleVerdicts(verdicts, len(verdicts), requested or budget, 0, 0, 0)
    clusters = {one.grounding: str(one.grounding) for one in judged}
    return people, BatchFigures.of(judged, people, clusters)
