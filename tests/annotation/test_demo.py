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
from annotation.exports import events_in_order
from annotation.kinds.ranking.schema import Ranking, RankingCandidate, RankingItem
from annotation.kinds.ranking.simulate import simulate_ranking
from annotation.models import Assignment, Event, Response, Revision
from annotation.progress import count_progress_by
from backend.accounts.models import User
from backend.benchmarks.study_links import question_set_of
from backend.common.errors import Conflict
from backend.studies.models import Member, Study

PRIOR = [["a"], ["b"], ["c"], ["d"]]
FINISHED_STUDIES = demo.FINISHED_STUDIES


@pytest.fixture(autouse=True)
def main_study_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are loaded where they are looked at."""
    monkeypatch.setattr(demo, "FINISHED_STUDIES", ())


def load() -> demo.LoadedDemo:
    return demo.load_demo()


def everything() -> list[Any]:
    models = (Study, Member, User, Assignment, Response, Revision, Event)
    return [list(model.objects.order_by("pk").values()) for model in models]


@pytest.mark.django_db
def test_loading_twice_changes_nothing() -> None:
    first = load()
    before = everything()
    second = load()
    assert (first.is_new, second.is_new) == (True, False)
    assert first.responses == second.responses > 100
    assert everything() == before


@pytest.mark.django_db
def test_the_demo_has_at_least_24_questions_in_named_batches() -> None:
    study = load().study
    assert study.is_demo
    assert question_set_of(study).is_demo
    assert question_set_of(study).questions.count() >= 24
    assert all(batch.name for batch in study.batches.all())


@pytest.mark.django_db
def test_the_demo_has_a_finished_study_of_each_kind_and_one_is_anchored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load()
    monkeypatch.setattr(demo, "FINISHED_STUDIES", FINISHED_STUDIES)
    assert not load().is_new
    finished = Study.objects.exclude(name=demo.STUDY_NAME)
    kinds = {"hypothesis_pairs", "claims", "ratings", "question_check", "ranking"}
    assert {one.kind for one in finished} == kinds
    assert all(one.is_demo and one.status == Study.Status.CLOSED for one in finished)
    for study in finished:
        answered = Response.objects.filter(assignment__study=study, submitted_number__gt=0)
        assert answered.count() == 6 * question_set_of(study).questions.count()
        assert Event.objects.filter(response__assignment__study=study).count() > answered.count()
    anchored = Assignment.objects.filter(study__in=finished.filter(kind="ranking"))
    assert {one.arms["prior"] for one in anchored} == {"shown", "hidden"}


@pytest.mark.django_db
def test_everybody_in_the_demo_can_sign_in_but_the_simulated(client: Any) -> None:
    load()
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


@pytest.mark.django_db
def test_the_physician_has_everything_to_do_and_has_not_consented() -> None:
    study = load().study
    physician = User.objects.get(email=demo.PHYSICIAN.email)
    own = Assignment.objects.filter(study=study, expert=physician)
    assert own.count() == question_set_of(study).questions.count()
    assert not Response.objects.filter(assignment__in=own).exists()
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
    states = Counter(Revision.objects.values_list("outcome", flat=True))
    assert set(states) == {"confirmed", "changed", "not_sure", "skipped"}
    simulated = Assignment.objects.filter(study=study, expert__is_simulated=True)
    progress = count_progress_by(simulated, "batch")
    last = study.batches.get(number=3)
    assert progress[last.id,].remaining > 0
    assert all(result.median_active_ms for result in progress.values())


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
    in_order = Prefetch("events", events_in_order())
    for response in Response.objects.prefetch_related(in_order):
        kinds = [event.kind for event in response.events.all()]
        end = {"confirmed": "agreed", "changed": "submitted"}.get(
            response.outcome, response.outcome
        )
        assert (kinds[0], kinds[-1]) == ("opened", end)
        assert ("moved" in kinds) == (response.outcome == "changed")


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
    shown = json.loads(run("--json").splitlines()[-1])
    assert shown["loaded_now"] is False
    assert shown["responses"] == Revision.objects.count()
    assert len(shown["accounts"]) == 4


def item_of(file_id: int, prior: Ranking | None = PRIOR) -> RankingItem:
    """Four candidates; without a prior in another order."""
    ids = "abcd" if prior else "cadb"
    return RankingItem(
        id="q",
        file_id=str(file_id),
        number=1,
        text="Which?",
        category="",
        resources=[],
        candidates=[RankingCandidate(id=one, name=one, link="") for one in ids],
        prior=prior,
    )


def test_without_a_prior_experts_prefer_the_same_candidates_and_nothing_attracts_them() -> None:
    firsts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for qid in range(200):
        for expert in range(1, 11):
            for is_shown in (True, False):
                answer = simulate_ranking(expert, item_of(qid, PRIOR if is_shown else None))
                if answer.outcome in (*ANSWERS, "ranked"):
                    assert (answer.outcome == "ranked") != is_shown
                    firsts[is_shown][answer.payload["ranking"][0][0]] += 1
    assert firsts[True]["a"] > 1.5 * firsts[True]["d"]
    assert max(firsts[False].values()) < 1.3 * min(firsts[False].values())


def test_the_same_question_gets_the_same_answer_from_the_same_expert() -> None:
    assert simulate_ranking(1, item_of(9001)) == simulate_ranking(1, item_of(9001))
    answers = {simulate_ranking(expert, item_of(9001)).active_ms for expert in range(1, 9)}
    assert len(answers) == 8


def test_simulated_answers_follow_the_process_that_is_written_down() -> None:
    answers = [simulate_ranking(expert, item_of(qid)) for expert in range(40) for qid in range(50)]
    count = Counter(answer.outcome for answer in answers)
    assert 0.04 < count["not_sure"] / 2000 < 0.08
    assert 0.025 < count[""] / 2000 < 0.055
    assert 36_000 < median(answer.active_ms for answer in answers) < 44_000
    changed = [answer.payload["ranking"] for answer in answers if answer.outcome == "changed"]
    assert 0.1 < sum(len(order) == 3 for order in changed) / len(changed) < 0.2
    firsts = Counter(
        answer.payload["ranking"][0][0] for answer in answers if answer.outcome in ANSWERS
    )
    assert firsts["a"] > firsts["b"] > firsts["c"] > firsts["d"]


ANSWERS = ("confirmed", "changed")


def test_who_agrees_has_the_prior_and_who_changes_has_not() -> None:
    for qid in range(300):
        answer = simulate_ranking(1, item_of(qid))
        assert (answer.payload["ranking"] == PRIOR) == (answer.outcome != "changed")
        assert sorted(chain.from_iterable(answer.payload["ranking"])) == ["a", "b", "c", "d"]
        assert (answer.payload["unsure_reason"] != "") == (answer.outcome == "not_sure")
