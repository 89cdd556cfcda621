"""Limits of a person hold whenever money is about to be spent, not only when a run is made."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone
from pytest_django import Settings

from backend.accounts.models import Team, TeamMember, User
from backend.benchmarks.models import Release
from backend.common.errors import Conflict, DomainError
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.queries import QueriesUsedUp
from backend.evaluation.runs.run_limits import MOST_ACTIVE_RUNS
from backend.evaluation.runs.services import pause_run, resume_run, start_run
from backend.jobs.models import Job
from backend.llm.budgets import open_budget
from backend.llm.models import Budget
from tests.architecture.api_contract import find_violations
from tests.evaluation.model_runs import new_run
from tests.llm.factories import make_endpoint
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
# Nothing is called: the runs are not worked off.
URL = "http://127.0.0.1:9/v1"


@pytest.fixture
def rohan(db: None) -> Person:
    return make_person("rohan", is_researcher=True)


def estimated_run(release: Release, owner: User, name: str = "one") -> Run:
    endpoint = make_endpoint(URL, name, usable_by="everyone")
    run = new_run(release, endpoint, actor=owner)
    Run.objects.filter(pk=run.pk).update(state=RunState.ESTIMATED, estimate={})
    open_budget(subject=run.subject, amount=Decimal(1), owner=owner)
    end_job(run)
    run.refresh_from_db()
    return run


def end_job(run: Run) -> None:
    assert run.job is not None
    Job.objects.filter(pk=run.job.pk).update(ended_at=timezone.now())


def fill_active(run: Run) -> list[Run]:
    """Ten active runs of the same person."""
    rows = [
        Run(
            release=run.release,
            endpoint=run.endpoint,
            task=run.task,
            prompt_version=run.prompt_version,
            model=run.model,
            owner=run.owner,
            state=RunState.RUNNING,
        )
        for _ in range(MOST_ACTIVE_RUNS)
    ]
    return Run.objects.bulk_create(rows)


def test_a_run_is_not_started_or_resumed_beside_ten_active_ones(
    release: Release, rohan: Person
) -> None:
    run = estimated_run(release, rohan.user)
    fill_active(run)
    with pytest.raises(Conflict) as refused:
        start_run(run=run, budget=Decimal(1))
    assert refused.value.code == "too_many_runs"
    Run.objects.filter(pk=run.pk).update(state=RunState.PAUSED)
    with pytest.raises(Conflict) as refused:
        resume_run(run=run)
    assert refused.value.code == "too_many_runs"
    run.refresh_from_db()
    assert run.state == RunState.PAUSED


def test_a_run_is_not_started_or_resumed_once_the_queries_of_the_release_are_used(
    release: Release, rohan: Person
) -> None:
    run = estimated_run(release, rohan.user)
    Release.objects.update(queries=0)
    with pytest.raises(QueriesUsedUp):
        start_run(run=run, budget=Decimal(1))
    Run.objects.filter(pk=run.pk).update(state=RunState.FAILED)
    with pytest.raises(QueriesUsedUp):
        resume_run(run=run)
    Release.objects.update(queries=1)
    assert resume_run(run=run).state == RunState.RUNNING


def test_runs_under_way_keep_their_queries(release: Release, rohan: Person) -> None:
    """Each would be answered and paid for, and its score refused at the end."""
    Release.objects.update(queries=2)
    release.refresh_from_db()
    first, second, third = (estimated_run(release, rohan.user, one) for one in ("a", "b", "c"))
    mate = make_person("mira", is_researcher=True).user
    team = Team.objects.create(name="Two", owner=mate)
    TeamMember.objects.bulk_create(TeamMember(team=team, user=one) for one in (rohan.user, mate))
    for run in (first, second):
        start_run(run=run, budget=Decimal(1))
    answer = rohan.browser.post(f"/api/v1/runs/{third.pk}/start", {"budget": "1"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (429, "queries_used_up")
    assert find_violations("post", "api/v1/runs/<uuid:run_id>/start", answer) == []
    assert "2 runs under way" in answer.json()["detail"]
    Run.objects.filter(pk=third.pk).update(settings={"split": "dev"})
    third.refresh_from_db()
    assert start_run(run=third, budget=Decimal(1)).state == RunState.RUNNING
    Run.objects.filter(pk=third.pk).update(settings={}, state=RunState.PAUSED)
    third.refresh_from_db()
    pause_run(run=first)
    assert resume_run(run=third).state == RunState.RUNNING
    with pytest.raises(QueriesUsedUp):
        resume_run(run=first)
    Run.objects.filter(pk=second.pk).update(state=RunState.FAILED)
    assert resume_run(run=second).state == RunState.RUNNING  # its own query
    with pytest.raises(QueriesUsedUp):  # also of the team, and before a sample is paid for
        estimated_run(release, mate, "d")


def test_the_budgets_of_a_persons_active_runs_have_a_limit(
    release: Release, rohan: Person, settings: Settings
) -> None:
    settings.RUN_DOLLARS_PER_PERSON = 10
    first = start_run(run=estimated_run(release, rohan.user), budget=Decimal(6))
    second = estimated_run(release, rohan.user, "two")
    with pytest.raises(DomainError) as refused:
        start_run(run=second, budget=Decimal("4.01"))
    assert refused.value.code == "dollars_of_person"
    assert [one.place for one in refused.value.faults] == ["budget"]
    assert refused.value.data["limit"] == "10"
    assert Decimal(refused.value.data["taken"]) == Decimal(6)
    assert start_run(run=second, budget=Decimal(4)).state == RunState.RUNNING
    # A paused run may still pay for calls in flight; afterwards only what it spent counts.
    Run.objects.filter(pk=first.pk).update(state=RunState.PAUSED)
    with pytest.raises(DomainError) as refused:
        estimated_run(release, rohan.user, "three")
    assert Decimal(refused.value.data["taken"]) == Decimal(10)
    end_job(first)
    third = start_run(run=estimated_run(release, rohan.user, "four"), budget=Decimal(5))
    assert third.state == RunState.RUNNING
    with pytest.raises(DomainError) as refused:  # 4, 5 and the 6 that it has
        resume_run(run=first)
    assert refused.value.code == "dollars_of_person"
    assert resume_run(run=first, budget=Decimal(1)).state == RunState.RUNNING


def test_what_runs_spent_within_a_day_counts_also_once_they_have_ended(
    release: Release, rohan: Person, settings: Settings
) -> None:
    settings.RUN_DOLLARS_PER_PERSON = 10
    first = start_run(run=estimated_run(release, rohan.user), budget=Decimal(9))
    Run.objects.filter(pk=first.pk).update(state=RunState.ENDED)
    Budget.objects.filter(subject=first.subject).update(spent=Decimal(8))
    Job.objects.update(ended_at=timezone.now())
    first.refresh_from_db()
    second = estimated_run(release, rohan.user, "two")
    with pytest.raises(DomainError) as refused:
        start_run(run=second, budget=Decimal("2.01"))
    assert refused.value.code == "dollars_of_person"
    assert start_run(run=second, budget=Decimal(2)).state == RunState.RUNNING
    with pytest.raises(DomainError) as refused:  # not even a sample
        estimated_run(release, rohan.user, "three")
    assert refused.value.code == "dollars_of_person"
    Job.objects.update(ended_at=timezone.now() - timedelta(hours=25))
    assert estimated_run(release, rohan.user, "four").state == RunState.ESTIMATED


def test_commands_have_no_limit_of_a_person(
    release: Release, rohan: Person, settings: Settings
) -> None:
    run = estimated_run(release, rohan.user)
    settings.RUN_DOLLARS_PER_PERSON = 0
    Run.objects.filter(pk=run.pk).update(owner=None)
    assert start_run(run=run, budget=Decimal(5)).state == RunState.RUNNING


def test_the_api_answers_with_the_limit_that_refuses_a_start(
    release: Release, rohan: Person, settings: Settings
) -> None:
    run = estimated_run(release, rohan.user)
    settings.RUN_DOLLARS_PER_PERSON = 3
    for field, status, code in (("budget", 409, "dollars_of_person"), ("", 429, "queries_used_up")):
        if not field:
            Release.objects.update(queries=0)
        path = f"/api/v1/runs/{run.pk}/start"
        answer = rohan.browser.post(path, {"budget": "4"}, format="json")
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert [one["place"] for one in answer.json().get("errors", [])] == [field] * bool(field)
        assert find_violations("post", "api/v1/runs/<uuid:run_id>/start", answer) == []
