"""Simulated experts of a pool."""

import pytest
from django.db.models import Count

from annotation import simulation
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment
from annotation.pool_places import answered_assignments
from annotation.simulation import simulate_study
from annotation.study_creation import Design, set_design
from tests.annotation.pair_study import make_pair_cast

pytestmark = pytest.mark.django_db


def test_all_have_a_share_of_a_pool_that_one_could_answer_alone() -> None:
    share = simulation.LEASED_AT_ONCE
    cast = make_pair_cast(4 * share)
    Assignment.objects.filter(study=cast.study).delete()
    set_design(cast.study, Design(overlap=1, seed=3))
    simulate_study(study=cast.study, raters=4, seed=5)
    # Who is not sure returns the place, and another expert answers in addition to their share.
    answered = answered_assignments(get_kind_or_raise(cast.study.kind)).filter(study=cast.study)
    assert answered.count() == 4 * share
    places = Assignment.objects.filter(study=cast.study).values("expert").annotate(n=Count("pk"))
    assert [row["n"] >= share for row in places] == [True] * 4
