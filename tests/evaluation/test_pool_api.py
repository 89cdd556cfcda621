"""The organiser's routes of unjudged answers, and that nobody else learns anything by them."""

import csv
import io
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from annotation.models import Assignment
from annotation.pool import lease_questions
from annotation.study_releases import freeze_study
from backend.accounts.models import Team, TeamMember
from backend.benchmarks.models import Model, Release, ReleaseSplit
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.study_links import question_set_of
from backend.common.errors import Conflict
from backend.evaluation.corrections import CorrectionRequest, correct_release
from backend.evaluation.models import AnswerPool, PoolStudy, PoolStudyAnswer, Submission
from backend.evaluation.pool_studies import NewPoolStudy, make_pool_study
from backend.leaderboard.standings import update_standing
from backend.studies.models import Study
from tests.evaluation.pooled_boards import (
    QUERIES,
    SLUG,
    enrol,
    join,
    judge_all,
    open_sparse_release,
    rankings,
    submit,
    submit_all,
    true_answers,
)
from tests.evaluation.releases import open_pairs
from tests.personas import BACKEND, Person, make_person

pytestmark = pytest.mark.django_db
POOL, BOARD = f"/api/v1/releases/{SLUG}/pool", f"/api/v1/boards/{SLUG}"
Work = Callable[[], None]
ROUNDING = 1e-9  # the board sums by clusters
MODELS = ("labelled", "unlabelled", "mixed")


@pytest.fixture
def work(
    run_queued_tasks: Callable[[], list[str]], django_capture_on_commit_callbacks: Any
) -> Work:
    def run() -> None:
        for _ in range(3):
            with django_capture_on_commit_callbacks(execute=True):
                run_queued_tasks()

    return run


@pytest.fixture
def release(administrator: Person, tmp_path: Path) -> Release:
    return open_sparse_release(tmp_path, administrator.user)


@pytest.fixture
def entries(release: Release) -> dict[str, Submission]:
    return submit_all(release)


@pytest.fixture
def pooled(
    administrator: Person,
    entries: dict[str, Submission],
    work: Work,
    django_capture_on_commit_callbacks: Any,
) -> dict[str, Any]:
    """What the organiser reads after the job."""
    with django_capture_on_commit_callbacks(execute=True):
        started = administrator.browser.post(POOL, {"split": "test"})
    assert started.status_code == 202, started.json()
    work()
    body: dict[str, Any] = administrator.browser.get(POOL).json()
    return body


def make_study(organiser: Person, **fields: Any) -> PoolStudy:
    body = {"name": "Round one", "overlap": 1, "limit": 12, **fields}
    answer = organiser.browser.post(f"{POOL}/studies", body)
    assert answer.status_code == 201, answer.json()
    return PoolStudy.objects.get(pk=answer.json()["id"])


def test_before_anything_is_pooled_the_overview_is_empty(
    administrator: Person, entries: dict[str, Submission]
) -> None:
    body = administrator.browser.get(POOL).json()
    assert (body["is_pooled"], body["pool"], body["job"]) == (True, None, None)
    assert (body["answers"], body["studies"]) == ([], [])
    refused = administrator.browser.post(f"{POOL}/studies", {"name": "Early"})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_pool")


def test_the_organiser_reads_who_ranks_what_in_the_order_of_judging(
    pooled: dict[str, Any],
) -> None:
    assert pooled["pool"]["depth"] == 20
    assert (pooled["pool"]["entries"], pooled["pool"]["is_outdated"]) == (3, False)
    assert pooled["job"]["state"] == "succeeded"
    effects = [row["effect"] for row in pooled["answers"]]
    assert effects[0] == 1
    assert effects == sorted(effects, reverse=True)
    first = pooled["answers"][0]
    assert first["question"] == f"What is number {first['item']}?"
    lists = {name: rankings(name)[int(first["item"])] for name in MODELS}
    expected = {
        name: ranked.index(int(first["answer"])) + 1
        for name, ranked in lists.items()
        if int(first["answer"]) in ranked
    }
    assert {one["model"]: one["rank"] for one in first["entries"]} == expected


def test_no_hidden_answer_is_among_what_the_organiser_reads(pooled: dict[str, Any]) -> None:
    hidden = {str(true_answers(query)[0]) for query in range(QUERIES)}
    assert len(pooled["answers"]) == 50
    assert not hidden & {row["answer"] for row in pooled["answers"]}


def test_the_page_lists_what_is_next_once_answers_are_in_a_study(
    administrator: Person, pooled: dict[str, Any]
) -> None:
    listed = [row["position"] for row in pooled["answers"]]
    make_study(administrator, limit=12)
    body = administrator.browser.get(POOL).json()
    following = [row["position"] for row in body["answers"]]
    assert following[: len(listed) - 12] == listed[12:]
    assert body["answers"][0]["effect"] == 1
    make_study(administrator, name="The rest", limit=2_000)
    assert administrator.browser.get(POOL).json()["answers"] == []


def test_a_study_its_verdicts_and_the_changes_of_the_board(
    administrator: Person,
    pooled: dict[str, Any],
    work: Work,
    django_capture_on_commit_callbacks: Any,
) -> None:
    pool_study = make_study(administrator, limit=pooled["pool"]["unjudged"])
    path = f"{POOL}/studies/{pool_study.pk}/verdicts"
    early = administrator.browser.post(path)
    assert (early.status_code, early.json()["code"]) == (409, "no_verdicts")
    judge_all(pool_study.study, [join(pool_study.study, "one")])
    (listed,) = administrator.browser.get(POOL).json()["studies"]
    assert (listed["name"], listed["verdicts"]["waiting"]) == ("Round one", 0)
    with django_capture_on_commit_callbacks(execute=True):
        applied = administrator.browser.post(path)
    assert applied.status_code == 202, applied.json()
    work()
    slug = applied.json()["release"]
    corrected = Release.objects.get(slug=slug)
    assert corrected.state == Release.State.OPEN
    update_standing(corrected, "test")
    (change,) = administrator.browser.get(f"/api/v1/boards/{slug}/changes").json()["changes"]
    assert change["kind"] == "correction"
    body = administrator.browser.get(POOL).json()
    assert body["corrected_by"] == slug == body["studies"][0]["corrected_as"]
    assert applied.json()["dropped"] == 0
    again = administrator.browser.post(path)
    assert (again.status_code, again.json()["code"]) == (409, "verdicts_applied")


def test_everybody_reads_judged_shares_and_bounds_of_the_entries_that_stand(
    visitor: APIClient, release: Release, pooled: dict[str, Any]
) -> None:
    body = visitor.get(f"{BOARD}/judged").json()
    assert (body["depth"], body["metric"]) == (20, "mrr")
    rows = visitor.get(BOARD).json()["results"]
    values = {row["submission"]: row["scores"]["mrr all"][0] for row in rows}
    assert {one["submission"] for one in body["entries"]} == set(values)
    for one in body["entries"]:
        assert 0 < one["judged"] < 1
        value = values[one["submission"]]
        assert one["low"] <= value + ROUNDING
        assert value <= one["high"] + ROUNDING
    assert set(body["entries"][0]) == {"submission", "judged", "low", "high"}
    assert visitor.get(f"{BOARD}/entries.json").json()["judged"] == body
    table = csv.DictReader(io.StringIO(visitor.get(f"{BOARD}/entries.csv").content.decode()))
    by_submission = {one["submission"]: one for one in body["entries"]}
    read = 0
    for row in table:
        one = by_submission[row["result"].rpartition("/")[2]]
        assert float(row["judged@20"]) == one["judged"]
        assert float(row["mrr low bound"]) == one["low"]
        assert float(row["mrr high bound"]) == one["high"]
        read += 1
    assert read == len(by_submission)
    earlier = visitor.get(f"{BOARD}/entries.json", {"at": "2099-01-01"}).json()
    assert (earlier["judged"], earlier["results"]) == (None, rows)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"kind": "ranking"}, "kind"),
        ({"overlap": 0}, "overlap"),
        ({"limit": 5_000}, "limit"),
        ({"adaptive_share": 0.9}, "adaptive_share"),
        ({"name": ""}, "name"),
        ({"split": "train"}, "split"),
    ],
)
def test_a_faulty_request_names_its_place(
    administrator: Person, pooled: dict[str, Any], fields: dict[str, Any], place: str
) -> None:
    refused = administrator.browser.post(f"{POOL}/studies", {"name": "Faulty", **fields})
    assert refused.status_code == 422
    assert [one["place"] for one in refused.json()["errors"]] == [place]
    assert not PoolStudy.objects.exists()


def marks(pooled: dict[str, Any]) -> list[str]:
    """Pooled answers as JSON writes them in lists of predictions; all have a number above 50."""
    return sorted({row["answer"] for row in pooled["answers"] if int(row["answer"]) > 1_000})


def has_mark(text: str, pooled: dict[str, Any]) -> bool:
    """As a number of its own: parts of times and identifiers have the same digits by chance."""
    return re.search(rf"(?<![\w.-])({'|'.join(marks(pooled))})(?![\w-])", text) is not None


def text_of(answer: Any) -> str:
    return b"".join(answer.streaming_content if answer.streaming else [answer.content]).decode()


def test_nobody_else_reads_a_pooled_answer_or_who_ranks_it(
    administrator: Person,
    researcher: Person,
    outsider: Person,
    visitor: APIClient,
    release: Release,
    pooled: dict[str, Any],
) -> None:
    pool_study = make_study(administrator)
    verdicts = f"{POOL}/studies/{pool_study.pk}/verdicts"
    people = {"researcher": researcher.browser, "outsider": outsider.browser, "visitor": visitor}
    job = pooled["job"]["id"]
    for who, one in people.items():
        refused = 401 if who == "visitor" else 403
        for answer in (
            one.get(POOL),
            one.post(POOL, {"split": "test"}),
            one.post(f"{POOL}/studies", {"name": "Mine"}),
            one.post(verdicts),
        ):
            assert answer.status_code == refused, (who, answer.content)
            assert not has_mark(answer.content.decode(), pooled)
        assert one.get(f"/api/v1/jobs/{job}").status_code in (401, 404)
        for path in ("", "/contents", "/item-page", "/items"):
            text = text_of(one.get(f"/api/v1/releases/{SLUG}{path}"))
            assert not has_mark(text, pooled), path
        for path in ("", "/judged", "/changes", "/entries.json", "/entries.csv"):
            answer = one.get(f"{BOARD}{path}")
            assert answer.status_code == 200, path
            assert not has_mark(text_of(answer), pooled), path
        assert one.get(f"/api/v1/studies/{pool_study.pk}").status_code in (401, 404)
    assert not PoolStudy.objects.exclude(pk=pool_study.pk).exists()


def test_what_experts_get_names_no_model_no_release_and_no_rank(
    administrator: Person, pooled: dict[str, Any]
) -> None:
    pool_study = make_study(administrator)
    expert = join(pool_study.study, "one")
    expert.is_active = True
    expert.save()
    browser = APIClient()
    browser.force_login(expert, backend=BACKEND)
    batch = pool_study.study.batches.get()
    leased = browser.post(f"/api/v1/batches/{batch.pk}/leases", {"count": 5})
    assert leased.status_code == 200, leased.json()
    text = leased.content.decode()
    assert "is a correct answer to: What is number" in text
    names = (*MODELS, SLUG, "Sparse labels")
    assert not any(f'"{name}"' in text or f" {name} " in text for name in names)
    assert '"rank"' not in text
    assert browser.get(POOL).status_code == 403


def test_a_track_without_ranked_answers_has_no_pool(administrator: Person, tmp_path: Path) -> None:
    pairs = open_pairs(tmp_path)
    path = f"/api/v1/releases/{pairs.slug}/pool"
    assert administrator.browser.get(path).json()["is_pooled"] is False
    refused = administrator.browser.post(path)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_pooled")
    judged = administrator.browser.get(f"/api/v1/boards/{pairs.slug}/judged").json()
    assert (judged["depth"], judged["entries"]) == (None, [])


def test_a_late_entry_is_not_judged_until_the_board_is_pooled_again(
    administrator: Person, visitor: APIClient, release: Release, pooled: dict[str, Any]
) -> None:
    late = submit(release, "late", rankings("mixed"))
    update_standing(release, "test")
    listed = visitor.get(f"{BOARD}/judged").json()["entries"]
    assert str(late.pk) not in {one["submission"] for one in listed}
    assert administrator.browser.get(POOL).json()["pool"]["is_outdated"] is True
    assert visitor.get(f"{BOARD}/judged").json()["is_outdated"] is True


def test_bounds_of_an_earlier_evaluation_are_shown_no_more(
    visitor: APIClient, entries: dict[str, Submission], pooled: dict[str, Any]
) -> None:
    body = visitor.get(f"{BOARD}/judged").json()
    assert (body["is_outdated"], len(body["entries"])) == (False, 3)
    scored, other = entries["labelled"], entries["mixed"]
    Submission.objects.filter(pk=scored.pk).update(evaluation=other.evaluation)
    body = visitor.get(f"{BOARD}/judged").json()
    assert body["is_outdated"] is True
    assert str(scored.pk) not in {one["submission"] for one in body["entries"]}
    assert len(body["entries"]) == 2


def test_experts_read_no_test_verdict_of_others_before_the_answers_are_retired(
    administrator: Person, release: Release, pooled: dict[str, Any]
) -> None:
    study = make_study(administrator, overlap=4, limit=2).study
    experts = [join(study, name) for name in ("one", "two", "three", "four")]
    judge_all(study, experts)
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)
    browser = APIClient()
    experts[0].is_active = True
    experts[0].save()
    browser.force_login(experts[0], backend=BACKEND)
    path = f"/api/v1/batches/{study.batches.get().pk}/comparison"
    body = browser.get(path).json()
    assert (body["total"], body["compared"]) == (2, [])
    with pytest.raises(Conflict, match="Close that release"):
        freeze_study(actor=None, study_id=study.pk, slug="early")
    change_release_state(actor=None, release=release, to=Release.State.CLOSED)
    assert len(browser.get(path).json()["compared"]) == 2
    assert freeze_study(actor=None, study_id=study.pk, slug="late").slug == "late"


def test_a_study_of_dev_answers_hides_nothing(
    administrator: Person, release: Release, pooled: dict[str, Any]
) -> None:
    pool = AnswerPool.objects.get(release=release)
    request = NewPoolStudy(name="Dev", limit=2)
    created = make_pool_study(
        actor=administrator.user,
        release=release,
        split=ReleaseSplit.DEV,
        rows=list(pool.pooled.all()),
        request=request,
    )
    assert question_set_of(created.study).hidden_with is None


@pytest.mark.parametrize("way", ["submitter", "team", "team of the model", "earlier release"])
def test_who_has_an_entry_on_the_board_judges_none_of_its_answers(
    administrator: Person, pooled: dict[str, Any], entries: dict[str, Submission], way: str
) -> None:
    pool_study = make_study(administrator)
    person = make_person("entrant", is_researcher=True)
    expert = enrol(pool_study.study, person.user)
    outside = join(pool_study.study, "outside")
    entry = Submission.objects.filter(pk=entries["mixed"].pk)
    colleague = make_person("colleague", is_researcher=True).user
    if way in ("submitter", "earlier release"):
        entry.update(submitted_by=expert)
    else:
        team = Team.objects.create(name="Walkers", owner=colleague)
        TeamMember.objects.create(team=team, user=expert)
        if way == "team":
            entry.update(submitted_by=colleague, team=team)
        else:
            Model.objects.filter(pk=entries["mixed"].model_id).update(team=team)
    if way == "earlier release":
        request = CorrectionRequest("Shorter", [{"key": [0], "action": "withdraw"}])
        release, _ = correct_release(actor=None, release=pool_study.release, request=request)
        PoolStudy.objects.filter(pk=pool_study.pk).update(release=release)
    (batch,) = pool_study.study.batches.all()
    refused = person.browser.post(f"/api/v1/batches/{batch.pk}/leases", {"count": 4})
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict_of_interest")
    assert refused.json()["detail"] == (
        "You or your team submitted an entry whose answers this study judges. "
        "Other experts must judge them."
    )
    assert not Assignment.objects.filter(expert=expert).exists()
    assert len(lease_questions(actor=outside, study_id=pool_study.pk, count=4)) == 4


def test_who_has_an_entry_on_the_board_adjudicates_none_of_its_answers(
    administrator: Person, pooled: dict[str, Any], entries: dict[str, Submission]
) -> None:
    pool_study = make_study(administrator)
    question = PoolStudyAnswer.objects.filter(pool_study=pool_study).values("question")[0]
    path = f"/api/v1/studies/{pool_study.pk}/questions/{question['question']}/adjudication"
    with transaction.atomic():
        assert administrator.browser.post(path).status_code == 200
        transaction.set_rollback(True)
    Submission.objects.filter(pk=entries["mixed"].pk).update(submitted_by=administrator.user)
    refused = administrator.browser.post(path)
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict_of_interest")
    assert not Assignment.objects.exists()


def test_a_failed_entry_and_a_team_that_was_left_before_it_refuse_nobody(
    administrator: Person, pooled: dict[str, Any], entries: dict[str, Submission]
) -> None:
    pool_study = make_study(administrator)
    expert = join(pool_study.study, "former")
    team = Team.objects.create(name="Walkers", owner=administrator.user)
    before = entries["mixed"].created_at - timedelta(seconds=1)
    TeamMember.objects.create(team=team, user=expert, left_at=before)
    Submission.objects.filter(pk=entries["mixed"].pk).update(team=team)
    assert lease_questions(actor=expert, study_id=pool_study.pk, count=1)
    Submission.objects.filter(pk=entries["mixed"].pk).update(
        submitted_by=expert, state="failed", is_standing=False
    )
    assert lease_questions(actor=expert, study_id=pool_study.pk, count=1)
