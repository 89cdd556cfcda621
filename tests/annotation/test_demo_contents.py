"""What the demo consists of: loaded once for all tests of this module, which undo their changes."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from annotation import demo
from annotation.exports import events_in_order
from annotation.models import Assignment, Event, Response, Revision
from annotation.progress import count_progress_by
from backend.accounts.models import User
from backend.benchmarks.study_links import question_set_of
from backend.common.errors import Conflict
from backend.studies.models import Member, Study

FINISHED_STUDIES = demo.FINISHED_STUDIES


@pytest.fixture(scope="module")
def loaded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[demo.LoadedDemo]:
    """The main study alone, in a transaction that ends with the module."""
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        patch.setattr(demo, "FINISHED_STUDIES", ())
        yield demo.load_demo()
        transaction.set_rollback(True)


@pytest.fixture
def study(loaded: demo.LoadedDemo, db: None) -> Study:
    """The demo, in a savepoint of this test."""
    return Study.objects.get(pk=loaded.study.pk)


def test_loading_twice_changes_nothing(loaded: demo.LoadedDemo, study: Study) -> None:
    def everything() -> list[Any]:
        models = (Study, Member, User, Assignment, Response, Revision, Event)
        return [list(model.objects.order_by("pk").values()) for model in models]

    before = everything()
    second = demo.load_demo()
    assert (loaded.is_new, second.is_new, second.study) == (True, False, study)
    assert loaded.responses == second.responses > 100
    assert everything() == before


def test_the_demo_has_a_finished_study_of_each_kind_and_one_is_anchored(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "FINISHED_STUDIES", FINISHED_STUDIES)
    assert not demo.load_demo().is_new
    finished = Study.objects.exclude(pk=study.pk)
    added = {"question_check", "written_queries"}
    kinds = {"hypothesis_pairs", "claims", "ratings", "ranking", *added}
    assert {one.kind for one in finished} == kinds
    assert all(one.is_demo and one.status == Study.Status.CLOSED for one in finished)
    for one in finished:
        answered = Response.objects.filter(assignment__study=one, submitted_number__gt=0)
        assert answered.count() == 6 * question_set_of(one).questions.count()
        assert Event.objects.filter(response__assignment__study=one).count() > answered.count()
    anchored = Assignment.objects.filter(study__in=finished.filter(kind="ranking"))
    assert {one.arms["prior"] for one in anchored} == {"shown", "hidden"}


def test_a_real_study_of_the_demos_name_is_left_alone(study: Study) -> None:
    Study.objects.update(is_demo=False)
    with pytest.raises(Conflict):
        demo.load_demo()
    assert Study.objects.get() == study


def test_the_demo_has_at_least_24_questions_in_named_batches(study: Study) -> None:
    assert study.is_demo
    assert question_set_of(study).is_demo
    assert question_set_of(study).questions.count() >= 24
    assert all(batch.name for batch in study.batches.all())


def test_everybody_in_the_demo_can_sign_in_but_the_simulated(study: Study, client: Any) -> None:
    login = {"content_type": "application/json"}
    url = "/_allauth/browser/v1/auth/login"
    for account in demo.list_demo_accounts():
        body = {"email": account.email, "password": account.password}
        client.logout()
        assert client.post(url, body, **login).status_code == 200, account
    assert len(demo.list_demo_accounts()) == 4
    simulated = User.objects.filter(is_simulated=True)
    assert simulated.count() == 6
    for user in simulated:
        assert user.name.startswith("Simulated expert ")
        assert not user.is_active
        assert not user.has_usable_password()


def test_the_physician_has_everything_to_do_and_has_not_consented(study: Study) -> None:
    physician = User.objects.get(email=demo.PHYSICIAN.email)
    own = Assignment.objects.filter(study=study, expert=physician)
    assert own.count() == question_set_of(study).questions.count()
    assert not Response.objects.filter(assignment__in=own).exists()
    assert Member.objects.get(study=study, user=physician).consent_version == ""


def test_only_the_coordinator_coordinates(study: Study) -> None:
    coordinators = study.members.filter(role=Member.Role.COORDINATOR)
    assert [member.user.email for member in coordinators] == [demo.COORDINATOR.email]
    assert User.objects.get(email=demo.ADMINISTRATOR.email).is_administrator
    assert User.objects.get(email=demo.RESEARCHER.email).is_researcher


def test_simulated_answers_make_the_board_alive(study: Study) -> None:
    states = Counter(Revision.objects.values_list("outcome", flat=True))
    assert set(states) == {"confirmed", "changed", "not_sure", "skipped"}
    simulated = Assignment.objects.filter(study=study, expert__is_simulated=True)
    progress = count_progress_by(simulated, "batch")
    last = study.batches.get(number=3)
    assert progress[last.id,].remaining > 0
    assert all(result.median_active_ms for result in progress.values())


def test_simulated_answers_lie_in_the_past_days_in_the_order_they_were_given(study: Study) -> None:
    now = timezone.now()
    for expert in User.objects.filter(is_simulated=True):
        mine = Revision.objects.filter(response__assignment__expert=expert)
        in_order = mine.order_by(
            "response__assignment__batch__number", "response__assignment__question__number"
        )
        times = list(in_order.values_list("submitted_at", flat=True))
        assert times == sorted(times)
        assert times[-1] < now
        assert (now - times[0]).days < demo.DAYS
        consented = Member.objects.get(user=expert).consented_at
        assert consented
        assert consented < times[0]


def test_every_simulated_answer_has_its_events(study: Study) -> None:
    in_order = Prefetch("events", events_in_order())
    for response in Response.objects.prefetch_related(in_order):
        kinds = [event.kind for event in response.events.all()]
        end = {"confirmed": "agreed", "changed": "submitted"}.get(
            response.outcome, response.outcome
        )
        assert (kinds[0], kinds[-1]) == ("opened", end)
        assert ("moved" in kinds) == (response.outcome == "changed")
