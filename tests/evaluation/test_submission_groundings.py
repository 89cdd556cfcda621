"""Rationales of a submission are grounded; the figures are those of the planted claims."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.registered_models import register_model
from backend.common.errors import Conflict, NotAllowed
from backend.evaluation.grounding.corrected import corrected_groundedness
from backend.evaluation.grounding.groundedness import (
    GroundednessCell,
    GroundedSubmission,
    latest_by_judge,
    list_groundings,
    read_batch,
)
from backend.evaluation.grounding.services import groundings_today
from backend.evaluation.grounding.submission_overview import describe_groundings, summary_lines
from backend.evaluation.grounding.submissions import ground_submission, settings_within
from backend.evaluation.models import (
    ClaimVerdict,
    GroundedClaim,
    Grounding,
    GroundingState,
    Submission,
    SubmissionGrounding,
)
from backend.evaluation.services import withdraw_submission
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Graph, Paper
from backend.jobs.runner import run_job
from backend.tracks.grounding_claims import MOST_CLAIMS
from backend.tracks.grounding_verdicts import EvidenceSource
from tests.evaluation.grounding_worlds import STROKE, GroundingWorld, make_world
from tests.evaluation.reasoned_entries import (
    NO_CLAIM,
    open_release,
    prediction_file,
    rationale_of,
    submit,
)
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
PAIRS = 60


@pytest.fixture
def world(db: None, tmp_path: Path) -> GroundingWorld:
    return make_world(tmp_path)


@pytest.fixture
def release(world: GroundingWorld, tmp_path: Path) -> Release:
    return open_release(tmp_path, world)


def ground(submission: Submission, world: GroundingWorld, actor: Any = None) -> GroundedSubmission:
    settings = settings_within(
        submission.release,
        version=None,
        collection=world.collection,
    )
    linked, job = ground_submission(actor=actor, submission=submission, settings=settings)
    assert job is not None
    run_job(job.pk)
    return next(one for one in list_groundings([submission]) if one.linked == linked)


def cell_of(grounded: GroundedSubmission, source: str) -> GroundednessCell:
    return next(one for one in grounded.cells if one.source == source)


def planted(number: int) -> str:
    """Of four claims 0 to 4 are supported; every tenth has no claim, every seventh no rationale."""
    if number % 7 == 0:
        return ""
    return NO_CLAIM if number % 10 == 1 else rationale_of(number % 5, 4)


def test_groundedness_is_the_arithmetic_of_the_planted_claims(
    release: Release, world: GroundingWorld
) -> None:
    rationales = {number: planted(number) for number in range(PAIRS)}
    submission = submit(release, prediction_file(rationales))
    grounded = ground(submission, world)
    given = [number for number in range(PAIRS) if number % 7]
    defined = [number for number in given if number % 10 != 1]
    expected = float(np.mean([number % 5 / 4 for number in defined]))
    for source in ("graph", "literature", "both"):
        cell = cell_of(grounded, source)
        assert cell.value == pytest.approx(100 * expected)
        assert (cell.n, cell.undefined) == (len(defined), len(given) - len(defined))
        assert cell.claims == 4 * len(defined)
        assert cell.low is not None
        assert cell.high is not None
        assert cell.low < 100 * expected < cell.high
    assert grounded.batch.failed == 0
    assert Grounding.objects.filter(batch=grounded.linked.batch).count() == len(given)


def test_rationales_that_fail_are_counted_with_the_lower_bound_that_they_leave(
    release: Release, world: GroundingWorld
) -> None:
    endless = "Aspirin inhibits COX-1. " * (MOST_CLAIMS + 1)
    rationales = {number: rationale_of(4, 4) for number in range(30)}
    submission = submit(release, prediction_file({**rationales, **dict.fromkeys((5, 6), endless)}))
    grounded = ground(submission, world)
    for cell in grounded.cells:
        assert (cell.value, cell.n, cell.failed) == (100, 28, 2)
        assert cell.at_least == pytest.approx(100 * 28 / 30)
    (view,) = describe_groundings(None, submission).results
    assert "n 28, 2 failed: 93.3% with these as 0" in "\n".join(summary_lines([view]))
    corrected = corrected_groundedness(grounded.linked.batch)[EvidenceSource.BOTH]
    assert (corrected.raw, corrected.failed) == (1, 2)
    assert corrected.raw_at_least == pytest.approx(28 / 30)
    Grounding.objects.filter(state=GroundingState.FAILED).update(item=["not", "an item"])
    assert read_batch(grounded).failed == 0


def test_each_grounding_names_the_item_of_its_prediction(
    release: Release, world: GroundingWorld
) -> None:
    submission = submit(release, prediction_file({3: rationale_of(1, 2), 4: "", 8: NO_CLAIM}))
    ground(submission, world)
    rows = Grounding.objects.order_by("item").values_list("item", "rationale")
    assert [*rows] == [
        (["Chemical|C3", "Gene|3"], rationale_of(1, 2)),
        (["Chemical|C8", "Gene|8"], NO_CLAIM),
    ]


def test_rationales_without_a_claim_alone_have_no_groundedness(
    release: Release, world: GroundingWorld
) -> None:
    grounded = ground(submit(release, prediction_file({1: NO_CLAIM, 2: NO_CLAIM})), world)
    cell = cell_of(grounded, "both")
    assert (cell.value, cell.low, cell.n, cell.undefined) == (None, None, 0, 2)


def test_nothing_after_the_cut_off_is_in_a_context(release: Release, world: GroundingWorld) -> None:
    later = "Aspirin later prevents stroke. Aspirin prevents stroke."
    rationales = dict.fromkeys(range(12), later)
    grounded = ground(submit(release, prediction_file(rationales)), world)
    assert {cell.value for cell in grounded.cells} == {0.0}
    contexts = [*GroundedClaim.objects.values_list("context", flat=True)]
    late = {"95", "SYN:1"}
    assert Paper.objects.filter(collection=world.collection, key__in=late).count() == 2
    assert contexts
    assert not any(late & {*one["papers"]} for one in contexts)
    edges = {edge for one in contexts for edge in one["edges"]}
    snapshot = grounded_snapshot(world)
    stroke = snapshot.find_number(STROKE)
    assert all(stroke not in (snapshot.edge(at).source, snapshot.edge(at).target) for at in edges)


def grounded_snapshot(world: GroundingWorld) -> Any:
    return open_version_snapshot(world.version)


def test_without_the_cut_off_the_planted_edge_and_paper_count(
    world: GroundingWorld, tmp_path: Path
) -> None:
    release = open_release(tmp_path, world, cutoff=None)
    content = prediction_file(dict.fromkeys(range(12), "Aspirin prevents stroke."))
    grounded = ground(submit(release, content), world)
    assert cell_of(grounded, "literature").value == 100


def test_the_same_settings_are_grounded_once(release: Release, world: GroundingWorld) -> None:
    submission = submit(release, prediction_file({2: rationale_of(1, 1)}))
    first = ground(submission, world)
    settings = settings_within(
        release,
        version=world.version,
        collection=world.collection,
    )
    again, job = ground_submission(actor=None, submission=submission, settings=settings)
    assert (again, job) == (first.linked, None)
    Grounding.objects.update(state=GroundingState.FAILED, error={"code": "too_many_claims"})
    again, job = ground_submission(actor=None, submission=submission, settings=settings)
    assert (again, job) == (first.linked, None)
    Grounding.objects.update(error={"code": "PLATFORM_DATABASE"})
    again, job = ground_submission(actor=None, submission=submission, settings=settings)
    assert again != first.linked
    assert job is not None


def test_other_papers_are_another_judge(release: Release, world: GroundingWorld) -> None:
    submission = submit(release, prediction_file({2: rationale_of(1, 2)}))
    ground(submission, world)
    settings = settings_within(release, version=None, collection=None)
    _, job = ground_submission(actor=None, submission=submission, settings=settings)
    assert job is not None
    run_job(job.pk)
    latest = latest_by_judge(list_groundings([submission]))
    assert [one.judge.literature for one in latest] == [world.collection.slug, ""]
    assert [cell.source for cell in latest[1].cells] == ["graph"]


def test_a_submission_without_rationales_or_withdrawn_is_not_grounded(
    release: Release, world: GroundingWorld
) -> None:
    settings = settings_within(release, version=None, collection=None)
    bare = submit(release, prediction_file({2: ""}))
    with pytest.raises(Conflict, match="No prediction"):
        ground_submission(actor=None, submission=bare, settings=settings)
    reasoned = submit(release, prediction_file({2: rationale_of(1, 1)}))
    withdraw_submission(actor=make_person("admin", is_administrator=True).user, submission=reasoned)
    reasoned.refresh_from_db()
    with pytest.raises(Conflict, match="withdrawn"):
        ground_submission(actor=None, submission=reasoned, settings=settings)
    assert not SubmissionGrounding.objects.exists()


def test_only_the_submitter_and_organisers_ground(release: Release, world: GroundingWorld) -> None:
    settings = settings_within(release, version=None, collection=None)
    submission = submit(release, prediction_file({2: rationale_of(1, 1)}))
    with pytest.raises(NotAllowed):
        ground_submission(
            actor=make_person("someone").user, submission=submission, settings=settings
        )


def test_an_organisers_grounding_does_not_count_against_the_day(
    release: Release, world: GroundingWorld
) -> None:
    admin = make_person("admin", is_administrator=True)
    submission = submit(release, prediction_file(dict.fromkeys(range(20), rationale_of(1, 2))))
    ground(submission, world, admin.user)
    assert groundings_today(admin.user) == 0
    assert admin.browser.get("/api/v1/groundings").json()["results"] == []


def test_a_reader_without_the_right_to_the_papers_sees_no_figures(
    release: Release, world: GroundingWorld
) -> None:
    submission = submit(release, prediction_file({2: rationale_of(1, 2)}))
    ground(submission, world)
    reader = make_person("reader").user
    assert len(describe_groundings(reader, submission).results) == 1
    Graph.objects.update(visibility="private")
    assert describe_groundings(reader, submission).results == []


def test_the_command_prints_the_figures(
    release: Release, world: GroundingWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    rationales = {number: rationale_of(number % 3, 2) for number in range(30)}
    submission = submit(release, prediction_file(rationales))
    call_command(
        "ground_submission", str(submission.pk), "--literature", world.collection.slug, "--json"
    )
    view = json.loads(capsys.readouterr().out)
    assert [cell["value"] for cell in view["cells"]] == [pytest.approx(50)] * 3
    assert (
        view["judge"]["version"] == Grounding.objects.values_list("verifier_version", flat=True)[0]
    )
    assert ClaimVerdict.objects.count() == 30 * 2 * 3
    with pytest.raises((SystemExit, CommandError)):
        call_command("ground_submission", str(release.pk))


def test_bins_of_a_test_split_are_for_organisers_until_the_answers_are_retired(
    world: GroundingWorld, tmp_path: Path
) -> None:
    release = open_release(tmp_path, world, test_share=1.0)
    rita, admin = make_person("rita"), make_person("admin", is_administrator=True)
    rationales = {number: rationale_of(number % 2, 1) for number in range(PAIRS)}
    submission = submit(release, prediction_file(rationales), split=ReleaseSplit.TEST)
    ground(submission, world)
    assert [one.bins for one in describe_groundings(rita.user, submission).results] == [None]
    assert [one.flags for one in describe_groundings(rita.user, submission).results] == [None]
    shown = describe_groundings(admin.user, submission).results[0]
    assert shown.bins is not None
    Release.objects.update(state=Release.State.CLOSED)
    submission = Submission.objects.select_related("release", "evaluation").get()
    assert describe_groundings(rita.user, submission).results[0].bins is not None


def test_a_person_requests_and_reads_over_the_api(
    release: Release,
    world: GroundingWorld,
    researcher: Person,
    run_queued_tasks: Any,
    django_capture_on_commit_callbacks: Any,
) -> None:
    model = register_model(actor=researcher.user, name="Own model")
    rationales = {number: rationale_of(number % 3, 2) for number in range(30)}
    submission = submit(release, prediction_file(rationales), actor=researcher.user, model=model)
    address = f"/api/v1/submissions/{submission.pk}/groundings"
    body = {"literature": world.collection.slug}
    with django_capture_on_commit_callbacks(execute=True):
        answer = researcher.browser.post(address, body, format="json")
    assert answer.status_code == 202, answer.json()
    assert answer.json()["results"][0]["queued"] == 30
    run_queued_tasks()
    read = researcher.browser.get(address).json()
    assert read["rationales"] == 30
    assert [cell["value"] for cell in read["results"][0]["cells"]] == [pytest.approx(50)] * 3
    assert read["results"][0]["bins"]["overall"]["value"] == 100
    assert researcher.browser.post(address, {"graph": "none"}, format="json").status_code == 404
    assert make_person("other").browser.get(address).status_code == 404


def test_its_owner_reads_the_batch_and_can_make_a_study_of_its_claims(
    release: Release, world: GroundingWorld
) -> None:
    rita = make_person("rita", is_researcher=True, is_administrator=True)
    model = register_model(actor=rita.user, name="Reasoner of Rita")
    content = prediction_file({1: rationale_of(1, 2)})
    submission = submit(release, content, model=model, actor=rita.user)
    batch = ground(submission, world, actor=rita.user).linked.batch
    own, others = (
        describe_groundings(user, submission).results[0].batch
        for user in (rita.user, make_person("otto", is_administrator=True).user)
    )
    assert (own, others) == (batch, None)
    page = rita.browser.get(f"/api/v1/grounding-batches/{own}")
    assert page.status_code == 200
