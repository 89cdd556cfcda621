"""Simulated experts of a pool."""

import pytest
from django.db.models import Count

from annotation import simulation
from annotation.models import Assignment
from annotation.simulation import simulate_study
from annotation.study_creation import Design, set_design
from tests.annotation.pair_study import make_pair_cast

pytestmark = pytest.mark.django_db


def test_all_have_a_share_of_a_pool_that_one_could_answer_alone() -> None:
    cast = make_pair_cast(4 * simulation.LEASED_AT_ONCE)
    Assignment.objects.filter(study=cast.study).delete()
    set_design(cast.study, Design(overlap=1, seed=3))
    # An item whose answer is known is no place of the pool: some experts have one as well.
    assert simulate_study(study=cast.study, raters=4, seed=5).answers >= 20
    shares = Assignment.objects.filter(study=cast.study).values("expert").annotate(n=Count("pk"))
    assert [row["n"] in (5, 6) for row in shares] == [True] * 4
