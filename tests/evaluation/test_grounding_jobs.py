"""Jobs of groundings: safe to run twice, cancelled, resumed, and lost."""

from pathlib import Path
from typing import Any

import pytest

from backend.accounts.models import User
from backend.evaluation.grounding.context import Knowledge
from backend.evaluation.grounding.jobs import end_lost_batches, ground_batch
from backend.evaluation.grounding.pipeline import ground_rationale
from backend.evaluation.grounding.rationale_files import FileRow
from backend.evaluation.grounding.services import GroundingSettings, request_groundings
from backend.evaluation.grounding.storage import store_grounding
from backend.evaluation.grounding.verifiers import PlainVerifier
from backend.evaluation.models import GroundedClaim, Grounding, GroundingState
from backend.graphs.literature.collections import delete_collection
from backend.graphs.models import Collection
from backend.graphs.version_references import references_to
from backend.jobs.models import Job, JobState
from backend.jobs.registry import get_kind
from backend.jobs.runner import run_job
from backend.jobs.services import cancel_job
from tests.evaluation.grounding_worlds import RATIONALE, GroundingWorld, make_world
from tests.personas import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None, tmp_path: Path) -> GroundingWorld:
    return make_world(tmp_path)


def request(world: GroundingWorld, count: int, owner: User | None = None) -> Job:
    settings = GroundingSettings(world.version, world.collection)
    rows = [FileRow(n, f"H{n}", RATIONALE) for n in range(1, count + 1)]
    return request_groundings(actor=owner, rows=rows, settings=settings, is_local=True)[1]


def states() -> list[str]:
    return [*Grounding.objects.order_by("line").values_list("state", flat=True)]


def test_a_resumed_job_grounds_only_what_is_left(world: GroundingWorld) -> None:
    job = request(world, 3)
    first = Grounding.objects.get(line=1)
    knowledge = Knowledge(world.version, world.collection)
    grounded = ground_rationale(first.hypothesis, first.rationale, knowledge, PlainVerifier())
    store_grounding(first, grounded)
    first.refresh_from_db()
    run_job(job.pk)
    assert states() == ["ended"] * 3
    again = Grounding.objects.get(line=1)
    assert again.ended_at == first.ended_at
    store_grounding(again, grounded)  # by a worker that lost its lease
    assert again.claims.count() == 4
    job.refresh_from_db()
    assert job.result == {"groundings": 3, "ended": 3, "failed": 0, "reasons": []}


def test_equal_rationales_have_equal_verdicts_and_evidence(world: GroundingWorld) -> None:
    run_job(request(world, 2).pk)
    fields = ("number", "text", "start", "end", "mentions", "context")
    first, second = (
        [*GroundedClaim.objects.filter(grounding__line=line).values(*fields)] for line in (1, 2)
    )
    assert first == second
    contents = [
        [*one.claims.values_list("verdicts__verdict", "verdicts__evidence__content")]
        for one in Grounding.objects.order_by("line")
    ]
    assert contents[0] == contents[1]


def test_what_a_cancelled_job_has_not_grounded_has_failed_with_the_reason(
    researcher: Person, world: GroundingWorld, django_capture_on_commit_callbacks: Any
) -> None:
    job = request(world, 2, researcher.user)
    with django_capture_on_commit_callbacks(execute=True):
        cancel_job(actor=researcher.user, job=job)
    assert states() == [GroundingState.FAILED] * 2
    errors = Grounding.objects.values_list("error__code", flat=True)
    assert {*errors} == {"USER_CANCELLED"}


def test_groundings_of_a_job_that_is_gone_fail_by_the_sweep(world: GroundingWorld) -> None:
    job = request(world, 1)
    Grounding.objects.update(job=None)
    end_lost_batches()
    assert states() == [GroundingState.FAILED]
    job.delete()
    request(world, 1)
    Job.objects.update(state=JobState.FAILED, error={"code": "PLATFORM_X", "detail": "Lost."})
    end_lost_batches()
    assert states() == [GroundingState.FAILED] * 2


def test_deleted_papers_are_told_and_not_left_out_silently(world: GroundingWorld) -> None:
    job = request(world, 1)
    delete_collection(world.collection)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert job.error is not None
    assert job.error["detail"] == "The papers were deleted. Choose others."


def test_a_queued_rationale_whose_owner_lost_the_right_is_not_grounded(
    researcher: Person, world: GroundingWorld
) -> None:
    jobs = [request(world, 2, owner) for owner in (researcher.user, None)]
    Collection.objects.update(is_public=False)
    for job in jobs:
        run_job(job.pk)
    jobs[0].refresh_from_db()
    detail = "You may no longer read the graph or the papers of this grounding."
    reasons = [{"detail": detail, "count": 2}]
    assert jobs[0].result == {"groundings": 2, "ended": 0, "failed": 2, "reasons": reasons}
    own = Grounding.objects.filter(owner=researcher.user)
    assert {*own.values_list("state", flat=True)} == {GroundingState.FAILED}
    codes = {*own.values_list("error__code", flat=True)}
    assert codes == {"USER_SOURCES_NOT_READABLE"}
    assert not GroundedClaim.objects.filter(grounding__owner=researcher.user).exists()
    assert {*Grounding.objects.filter(owner=None).values_list("state", flat=True)} == {"ended"}


def test_a_version_with_grounded_rationales_states_so(world: GroundingWorld) -> None:
    request(world, 2)
    assert "2 grounded rationales" in references_to(world.version)


def test_the_kinds_of_jobs_are_registered() -> None:
    assert get_kind("ground").queue == "quick"
    assert get_kind("ground_by_model").queue == "models"
    assert get_kind("ground").function is ground_batch
