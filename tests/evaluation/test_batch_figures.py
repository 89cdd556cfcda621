"""Figures of large batches: the definition, computed once for the same claims and clusters."""

import uuid

import numpy as np
import pytest

from backend.evaluation.grounding.batch_figures import BatchFigures, figures_key
from backend.evaluation.grounding.claim_choice import VerifierClaim
from backend.evaluation.grounding.claim_verdicts import PeopleVerdict, PeopleVerdicts

CLAIMS, VERIFIED = 10_000, 1_000
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
    people = PeopleVerdicts(verdicts, VERIFIED, 0, 0, 0)
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
