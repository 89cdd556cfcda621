import io
import json
from collections import Counter
from itertools import chain
from statistics import median
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Prefetch
from django.utils import timezone

from annotation import demo
from annotation.models import Action, Assignment, Event, Member, Response, Revision, Study
from annotation.progress import progress_by
from annotation.simulated import simulate_answer
from backend.accounts.models import User
from backend.common.errors import Conflict

PRIOR = [["a"], ["b"], ["c"], ["d"]]


def load() -> demo.Demo:
    return demo.load_demo()


def everything() -> list[Any]:
    models = (Study, Member, User, Assignment, Response, Revision, Event)
    return [list(model.objects.order_by("pk").values()) for model in models]


@pytest.mark.django_db
def test_loading_twice_changes_nothing() -> None:
    first = load()
    before = everything()
    second = load()
    assert (first.loaded_now, second.loaded_now) == (True, False)
    assert first.responses == second.responses > 100
    assert everything() == before


@pytest.mark.django_db
def test_the_demo_has_at_least_24_questions_in_named_batches() -> None:
    study = load().study
    assert study.is_demo
    assert study.question_set.is_demo
    assert study.question_set.questions.count() >= 24
    assert all(batch.name for batch in study.batches.all())


@pytest.mark.django_db
def test_everybody_in_the_demo_can_sign_in_but_the_simulated(client: Any) -> None:
    load()
    login = {"content_type": "application/json"}
    url = "/_allauth/browser/v1/auth/login"
    for account in demo.loaded_accounts():
        body = {"email": account.email, "password": account.password}
        client.logout()
        assert client.post(url, body, **login).status_code == 200, account
    assert len(demo.loaded_accounts()) == 4
    simulated = User.objects.filter(is_simulated=True)
    assert simulated.count() == 6
    for user in simulated:
        assert user.name.startswith("Simulated expert ")
        assert not user.is_active
        assert not user.has_usable_password()


@pytest.mark.django_db
def test_the_physician_has_everything_to_do_and_has_not_consented() -> None:
    study = load().study
    physician = User.objects.get(email=demo.PHYSICIAN.email)
    hers = Assignment.objects.filter(study=study, expert=physician)
    assert hers.count() == study.question_set.questions.count()
    assert not Response.objects.filter(assignment__in=hers).exists()
    assert Member.objects.get(study=study, user=physician).consent_version == ""


@pytest.mark.django_db
def test_only_the_coordinator_coordinates() -> None:
    study = load().study
    coordinators = study.members.filter(role=Member.Role.COORDINATOR)
    assert [member.user.email for member in coordinators] == [demo.COORDINATOR.email]
    assert User.objects.get(email=demo.ADMINISTRATOR.email).is_administrator
    assert User.objects.get(email=demo.RESEARCHER.email).is_researcher


@pytest.mark.django_db
def test_simulated_answers_make_the_board_alive() -> None:
    study = load().study
    states = Counter(Revision.objects.values_list("state", flat=True))
    assert set(states) == {"confirmed", "changed", "not_sure", "skipped"}
    simulated = Assignment.objects.filter(study=study, expert__is_simulated=True)
    progress = progress_by(simulated, "batch")
    last = study.batches.get(number=3)
    assert progress[last.id,].left > 0
    assert all(found.median_active_ms for found in progress.values())


@pytest.mark.django_db
def test_simulated_answers_lie_in_the_past_days_in_the_order_they_were_given() -> None:
    load()
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


@pytest.mark.django_db
def test_every_simulated_answer_has_its_events() -> None:
    load()
    in_order = Prefetch("events", Event.objects.order_by("version", "place"))
    for response in Response.objects.prefetch_related(in_order):
        kinds = [event.kind for event in response.events.all()]
        end = {"confirmed": "agreed", "changed": "submitted"}.get(response.state, response.state)
        assert (kinds[0], kinds[-1]) == ("opened", end)
        assert ("moved" in kinds) == (response.state == "changed")


@pytest.mark.django_db
def test_a_real_study_of_the_demos_name_is_left_alone() -> None:
    study = load().study
    Study.objects.update(is_demo=False)
    with pytest.raises(Conflict):
        load()
    assert Study.objects.get() == study


@pytest.mark.django_db
def test_the_command_prints_the_accounts_and_nothing_before_the_demo_is_loaded() -> None:
    def run(*arguments: str, **options: Any) -> str:
        out = io.StringIO()
        call_command("load_demo", *arguments, stdout=out, **options)
        return out.getvalue()

    assert run(accounts=True) == ""
    assert not Study.objects.exists()
    assert run(verbosity=0) == ""
    lines = run("--accounts").splitlines()
    assert [line.split() for line in lines] == [
        [account.role, account.email, account.password] for account in demo.ACCOUNTS
    ]
    told = json.loads(run("--json").splitlines()[-1])
    assert told["loaded_now"] is False
    assert told["responses"] == Revision.objects.count()
    assert len(told["accounts"]) == 4


def test_the_same_question_gets_the_same_answer_from_the_same_expert() -> None:
    assert simulate_answer(1, 9001, PRIOR) == simulate_answer(1, 9001, PRIOR)
    answers = {simulate_answer(expert, 9001, PRIOR).active_ms for expert in range(1, 9)}
    assert len(answers) == 8


def test_simulated_answers_follow_the_process_that_is_written_down() -> None:
    answers = [simulate_answer(expert, qid, PRIOR) for expert in range(40) for qid in range(50)]
    count = Counter(answer.action for answer in answers)
    assert 0.04 < count[Action.NOT_SURE] / 2000 < 0.08
    assert 0.025 < count[Action.SKIP] / 2000 < 0.055
    assert 36_000 < median(answer.active_ms for answer in answers) < 44_000
    changed = [answer.order for answer in answers if answer.action is Action.SUBMIT]
    assert 0.1 < sum(len(order) == 3 for order in changed) / len(changed) < 0.2
    firsts = Counter(answer.order[0][0] for answer in answers if answer.action in ANSWERS)
    assert firsts["a"] > firsts["b"] > firsts["c"] > firsts["d"]


ANSWERS = (Action.AGREE, Action.SUBMIT)


def test_who_agrees_has_the_prior_and_who_changes_has_not() -> None:
    for qid in range(300):
        answer = simulate_answer(1, qid, PRIOR)
        assert (answer.order == PRIOR) == (answer.action is not Action.SUBMIT)
        assert sorted(chain.from_iterable(answer.order)) == ["a", "b", "c", "d"]
        assert (answer.unsure_reason != "") == (answer.action is Action.NOT_SURE)
