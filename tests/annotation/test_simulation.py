"""Simulated experts of a pool."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db.models import Count

from annotation import simulation
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment
from annotation.pool_places import answered_assignments
from annotation.progress import count_progress_by
from annotation.simulation import simulate_study
from annotation.study_creation import Design, set_design
from backend.common.errors import Conflict
from backend.studies.models import Study
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


def test_a_draft_is_opened_before_it_is_simulated() -> None:
    cast = make_pair_cast(2)
    Study.objects.filter(pk=cast.study.pk).update(status=Study.Status.DRAFT)
    with pytest.raises(Conflict, match=r"is a draft\. Open it first\."):
        simulate_study(study=Study.objects.get(pk=cast.study.pk), raters=1, seed=5)


def test_answers_and_skips_are_counted_apart_as_on_the_dashboard() -> None:
    cast = make_pair_cast(20)
    Assignment.objects.filter(study=cast.study).delete()
    output = StringIO()
    call_command("simulate_study", cast.study.name, raters=4, stdout=output)
    counted = Assignment.objects.counted().filter(study=cast.study)
    progress = count_progress_by(counted, "study")[(cast.study.id,)]
    skips = progress.outcomes["skipped"]
    assert skips > 0 and progress.answered + skips == 80
    expected = f"4 simulated experts, {progress.answered} answers, {skips} skipped questions."
    assert expected in output.getvalue()
