"""Entrants of a board judge none of its answers: not before, and not after they entered."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone

from annotation.conflicts import list_conflicts
from annotation.dashboard import read_dashboard
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Action, Assignment, BatchQuestion, StudyDesign
from annotation.pool import lease_questions
from annotation.presentations import build_item_of
from annotation.reminders import list_reminders
from annotation.responses import ResponseWrite, write_response
from annotation.shortages import Shortage, ShortageReason, find_shortage
from backend.accounts.models import Team, TeamMember, User
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.registered_models import register_model
from backend.common.errors import Conflict, DomainError
from backend.evaluation.answer_pools import update_pool
from backend.evaluation.models import PoolStudy, Submission
from backend.evaluation.pool_judges import withdraw_entrants
from backend.evaluation.pool_studies import NewPoolStudy, make_study_of_pool
from backend.evaluation.pool_verdicts import get_pool_study_or_raise, read_verdicts
from backend.evaluation.prediction_files import store_predictions
from backend.evaluation.services import NewSubmission, submit_predictions
from tests.evaluation.pooled_boards import (
    enrol,
    open_sparse_release,
    prediction_text,
    rankings,
    submit_all,
)
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def release(administrator: Person, tmp_path: Path) -> Release:
    return open_sparse_release(tmp_path, administrator.user)


@pytest.fixture
def pool_study(release: Release, administrator: Person) -> PoolStudy:
    submit_all(release)
    pool = update_pool(release, ReleaseSplit.TEST, 20)
    request = NewPoolStudy(name="Unjudged", overlap=1)
    created = make_study_of_pool(actor=administrator.user, pool=pool, request=request)
    return get_pool_study_or_raise(created.study.pk)


@pytest.fixture
def rohan(pool_study: PoolStudy) -> User:
    person = make_person("rohan", is_researcher=True)
    return enrol(pool_study.study, person.user)


def lease(pool_study: PoolStudy, expert: User, count: int = 3) -> list[Assignment]:
    leased = lease_questions(actor=expert, study_id=pool_study.pk, count=count)
    rows = Assignment.objects.filter(pk__in=[one.pk for one in leased]).with_item()
    return [*rows.order_by("created_at", "pk")]


def answer(expert: User, assignment: Assignment, action: Action, version: int = 0) -> None:
    payload = get_kind_or_raise("claims").initial_answer(build_item_of(assignment)).model_dump()
    payload["verdict"] = "supported"
    outcome = "supported" if action is Action.SUBMIT else ""
    write = ResponseWrite(version=version, action=action, outcome=outcome, payload=payload)
    write_response(actor=expert, assignment_id=assignment.pk, write=write)


def enter(release: Release, expert: User) -> Submission:
    file = store_predictions(prediction_text(rankings("mixed")).encode(), "own.jsonl")
    model = register_model(actor=expert, name=f"Model of {expert.name}")
    new = NewSubmission(release=release, model=model)
    return submit_predictions(actor=expert, new=new, file=file)[0]


def enter_by_command(release: Release, expert: User) -> None:
    """An entry that becomes the expert's without a submission of theirs: that of their team."""
    team = Team.objects.create(name="Ranking", owner=expert)
    TeamMember.objects.create(team=team, user=expert)
    Submission.objects.filter(release=release, model__name="labelled").update(team=team)


@pytest.mark.parametrize("action", [Action.SAVE, Action.SUBMIT])
def test_who_joins_the_team_of_an_entry_saves_and_submits_nothing_more(
    release: Release, pool_study: PoolStudy, rohan: User, action: Action
) -> None:
    assignments = lease(pool_study, rohan)
    answer(rohan, assignments[0], Action.SUBMIT)
    enter_by_command(release, rohan)
    with pytest.raises(Conflict) as refused:
        answer(rohan, assignments[1], action)
    assert refused.value.code == "conflict_of_interest"
    assert not Assignment.objects.filter(pk=assignments[1].pk, response__isnull=False).exists()
    with pytest.raises(Conflict):
        lease(pool_study, rohan)


def test_a_question_may_be_skipped_by_who_must_not_judge_it(
    release: Release, pool_study: PoolStudy, rohan: User
) -> None:
    assignments = lease(pool_study, rohan)
    enter_by_command(release, rohan)
    payload = get_kind_or_raise("claims").initial_answer(build_item_of(assignments[0])).model_dump()
    write = ResponseWrite(version=0, action=Action.SKIP, payload=payload)
    assert (
        write_response(actor=rohan, assignment_id=assignments[0].pk, write=write).status
        == "skipped"
    )


def test_who_submits_an_entry_while_judging_is_withdrawn_from_the_study(
    release: Release, pool_study: PoolStudy, rohan: User
) -> None:
    assignments = lease(pool_study, rohan)
    answer(rohan, assignments[0], Action.SUBMIT)
    answer(rohan, assignments[1], Action.SAVE)
    assert [one.state for one in read_verdicts(pool_study)].count("true") == 1
    enter(release, rohan)
    states = {one.state for one in Assignment.objects.filter(expert=rohan)}
    assert states == {Assignment.State.WITHDRAWN}
    assert {one.state for one in read_verdicts(pool_study)} == {"waiting"}
    declared = list_conflicts(pool_study.study)
    assert len(declared) == 3
    assert {one.expert for one in declared} == {rohan}
    assert all("submitted an entry" in one.reason for one in declared)
    with pytest.raises(DomainError):
        answer(rohan, assignments[1], Action.SUBMIT, version=1)
    other = enrol(pool_study.study, make_person("olga").user)
    again = {one.question_id for one in lease(pool_study, other, 20)}
    assert again  # the places are free for others


def test_whose_model_an_operator_entered_judges_nothing(
    release: Release, pool_study: PoolStudy, rohan: User
) -> None:
    model = Submission.objects.get(release=release, model__name="labelled").model
    model.owner = rohan
    model.save()
    assert PoolStudy.refuse_judge(pool_study.pk, rohan.pk)
    with pytest.raises(Conflict):
        lease(pool_study, rohan)


def test_leaving_the_team_of_an_entry_makes_nobody_its_judge(
    release: Release, pool_study: PoolStudy, rohan: User
) -> None:
    enter_by_command(release, rohan)
    entered_at = Submission.objects.get(model__name="labelled").created_at
    TeamMember.objects.update(left_at=entered_at + timedelta(hours=1))
    assert PoolStudy.refuse_judge(pool_study.pk, rohan.pk)
    TeamMember.objects.update(left_at=entered_at - timedelta(hours=1))
    assert not PoolStudy.refuse_judge(pool_study.pk, rohan.pk)
    assert lease(pool_study, rohan)


def test_who_must_not_judge_is_neither_reminded_nor_flagged_nor_counted_as_able(
    release: Release, pool_study: PoolStudy, rohan: User
) -> None:
    study = pool_study.study
    coordinator = study.created_by
    assert coordinator is not None
    olga = enrol(study, make_person("olga").user)
    study.members.update(joined_at=timezone.now() - timedelta(days=4))

    def noticed() -> tuple[set[User], set[User]]:
        experts = read_dashboard(study, coordinator).experts
        reminders = list_reminders(actor=coordinator, study_id=study.pk)
        return {one.expert for one in reminders}, {one.user for one in experts if one.flags}

    lease(pool_study, rohan)
    assert noticed() == ({rohan, olga}, {rohan, olga})
    enter_by_command(release, rohan)
    assert noticed() == ({olga}, {olga})
    assert find_shortage(study) is None
    study.members.filter(user=olga).delete()
    questions = BatchQuestion.objects.filter(batch__study=study).count()
    conflicts = [ShortageReason("conflicts", questions)]
    assert find_shortage(study) == Shortage(1, questions, questions, conflicts)
    StudyDesign.objects.filter(study=study).update(overlap=None)
    study.refresh_from_db()
    assert noticed() == (set(), set()), "also where batches are assigned"


def test_an_entry_on_another_board_withdraws_nobody(
    release: Release, pool_study: PoolStudy, rohan: User
) -> None:
    assignments = lease(pool_study, rohan)
    PoolStudy.objects.update(split=ReleaseSplit.DEV)
    enter(release, rohan)
    assert {one.state for one in Assignment.objects.filter(expert=rohan)} == {assignments[0].state}


def test_answers_of_who_joined_a_team_since_are_no_verdicts(
    release: Release, pool_study: PoolStudy, rohan: User
) -> None:
    assignments = lease(pool_study, rohan)
    answer(rohan, assignments[0], Action.SUBMIT)
    enter_by_command(release, rohan)
    with transaction.atomic():
        assert withdraw_entrants(pool_study) == 3
        assert withdraw_entrants(pool_study) == 0
    assert {one.state for one in read_verdicts(pool_study)} == {"waiting"}
