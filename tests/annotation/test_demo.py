import io
import json
from collections import Counter
from itertools import chain
from statistics import median
from typing import Any

import pytest
from django.core.management import call_command

from annotation import demo
from annotation.kinds.ranking.schema import Ranking, RankingCandidate, RankingItem
from annotation.kinds.ranking.simulate import simulate_ranking
from annotation.models import Revision
from backend.benchmarks.demo import DEMO_QUESTIONS_FILE, DEMO_SET_NAME
from backend.benchmarks.models import QuestionSet
from backend.studies.models import Study

PRIOR = [["a"], ["b"], ["c"], ["d"]]


@pytest.mark.django_db
def test_the_command_loads_all_and_prints_the_accounts_and_nothing_before_it_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demo, "FINISHED_STUDIES", ())
    monkeypatch.setattr(demo, "SIMULATED_EXPERTS", demo.SIMULATED_EXPERTS[-2:])

    def run(*arguments: str, **options: Any) -> str:
        out = io.StringIO()
        call_command("load_demo", *arguments, stdout=out, **options)
        return out.getvalue()

    assert run(accounts=True) == ""
    assert not Study.objects.exists()
    assert run(verbosity=0) == ""
    questions = len(json.loads(DEMO_QUESTIONS_FILE.read_bytes()))
    assert f"'{DEMO_SET_NAME}' is loaded, with {questions} questions." in run()
    lines = run("--accounts").splitlines()
    assert [line.split() for line in lines] == [
        [account.role, account.email, account.password] for account in demo.ACCOUNTS
    ]
    shown = json.loads(run("--json").splitlines()[-1])
    assert shown["loaded_now"] is False
    assert shown["responses"] == Revision.objects.count() > 0
    assert shown["questions"]["questions"] == questions
    assert QuestionSet.objects.filter(name=DEMO_SET_NAME, is_demo=True).count() == 1
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
