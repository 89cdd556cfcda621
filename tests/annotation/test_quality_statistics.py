"""Planted experts and questions are flagged, and hardly anything else."""

import pytest

from tests.annotation.planted_study import EXPECTED, Design, flags, missed_and_others


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        ("claims", 1),
        ("claims", 2),
        ("hypothesis_pairs", 1),
        ("ratings", 1),
        ("ranking", 1),
        ("ranking", 2),
    ],
)
def test_what_is_planted_is_flagged_and_at_most_one_other(kind: str, seed: int) -> None:
    missed, others = missed_and_others(flags(Design(kind), seed))
    assert missed == set()
    assert len(others) <= 1, others


@pytest.mark.parametrize("kind", ["claims", "ranking"])
def test_a_study_in_which_nothing_is_wrong_has_no_flag(kind: str) -> None:
    assert flags(Design(kind, planted=False), 1_000) == {}


def test_what_is_planted_is_listed_by_what_it_is_about() -> None:
    assert missed_and_others({"r1": {"drift"}}) == (set(EXPECTED), {"r1"})
