"""The Ladder across withdrawals and corrections: exact test scores are of improvements alone."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.accounts.teams import create_team
from backend.benchmarks.models import Model, Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.corrections import CorrectionRequest, correct_release
from backend.evaluation.final_entries import choose_final
from backend.evaluation.job_kinds import sweep
from backend.evaluation.models import Submission
from backend.evaluation.queries import count_queries, list_submitters, number_queries
from tests.evaluation.submission_forms import SUBMISSIONS, form
from tests.evaluation.truthhypo_files import key_of, prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db
Send = Callable[..., Any]


@pytest.fixture
def model(researcher: Person, release: Release) -> Model:
    Release.objects.update(queries_per_day=10)
    release.refresh_from_db()
    return register_model(actor=researcher.user, name="My model")


@pytest.fixture
def submit(researcher: Person, model: Model, submit_and_score: Callable[..., Any]) -> Send:
    def send(wrong: Iterable[int], **fields: Any) -> Any:
        items = 59 if fields.get("release") == "pairs-2" else 60
        text = prediction_lines(range(items), wrong=[*wrong])
        return submit_and_score(researcher.browser, form(text, **fields))

    return send


@pytest.fixture
def work(
    run_queued_tasks: Callable[[], list[str]], django_capture_on_commit_callbacks: Any
) -> Callable[[], None]:
    def run() -> None:
        for _ in range(4):
            with django_capture_on_commit_callbacks(execute=True):
                sweep()
                run_queued_tasks()

    return run


@pytest.fixture
def correct(
    release: Release, work: Callable[[], None], django_capture_on_commit_callbacks: Any
) -> Callable[[], Release]:
    """A release without the last item, which takes the place of the first one."""

    def make() -> Release:
        rows = [{"key": list(key_of(59)), "action": "withdraw"}]
        request = CorrectionRequest("Pairs 2", rows, "pairs-2")
        with django_capture_on_commit_callbacks(execute=True):
            corrected, _ = correct_release(actor=None, release=release, request=request)
        work()
        corrected.refresh_from_db()
        release.refresh_from_db()
        return corrected

    return make


def withdraw(person: Person, submission: Any) -> None:
    answer = person.browser.post(f"{SUBMISSIONS}/{submission['id']}/withdraw", {})
    assert answer.status_code == 200


def outcome(submission: Any) -> tuple[Any, Any, bool]:
    shown = (submission["is_standing"], submission["score_visibility"])
    return *shown, submission["scores"] != []


def test_withdrawing_shows_no_scores_of_what_comes_next(researcher: Person, submit: Send) -> None:
    outcomes = []
    for wrong in ([5, 6], [0, 5, 6], [5], [2, 5, 6]):
        submission = submit(wrong)
        outcomes.append(outcome(submission))
        withdraw(researcher, submission)
    assert outcomes == [(True, "shown", True), *[(False, "not_better", False)] * 3]


def test_an_improvement_over_a_withdrawn_one_stands(researcher: Person, submit: Send) -> None:
    withdraw(researcher, submit(range(20)))
    assert outcome(submit(range(5))) == (True, "shown", True)


def test_predictions_that_stood_before_stand_again(researcher: Person, submit: Send) -> None:
    first = submit(range(5))
    withdraw(researcher, first)
    again = submit(range(5))
    assert again["id"] != first["id"]
    assert outcome(again) == (True, "shown", True)
    assert outcome(submit([*range(4), 9])) == (False, "not_better", False)


def test_known_predictions_do_not_replace_better_ones(researcher: Person, submit: Send) -> None:
    withdraw(researcher, submit(range(20)))
    best = submit(range(5))
    assert outcome(submit(range(20))) == (False, "not_better", False)
    assert str(Submission.objects.get(is_standing=True).pk) == best["id"]


@pytest.mark.parametrize("split", ["test", "dev"])
def test_after_a_withdrawal_the_one_before_stands_again(
    visitor: APIClient,
    researcher: Person,
    release: Release,
    submit: Send,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
    split: str,
) -> None:
    release.items.update(split=split)
    sent = [submit(wrong, split=split) for wrong in (range(30), range(15), range(14), range(3))]
    expected = sent[1 if split == "test" else 2]
    with django_capture_on_commit_callbacks(execute=True):
        withdraw(researcher, sent[3])
    run_queued_tasks()
    (row,) = visitor.get("/api/v1/boards/pairs", {"split": split}).json()["results"]
    assert row["submission"] == expected["id"]


def test_a_withdrawn_submission_counts_for_the_ladder_of_a_corrected_release(
    researcher: Person, submit: Send, correct: Callable[[], Release]
) -> None:
    withdraw(researcher, submit([5, 6]))
    corrected = correct()
    copied = Submission.objects.get(release=corrected)
    assert (copied.state, copied.withdrawn_by) == ("withdrawn", researcher.user)
    assert outcome(submit([0, 5, 6], release="pairs-2")) == (False, "not_better", False)


def test_a_final_entry_on_a_superseded_release_waits_for_the_correction_to_close(
    visitor: APIClient,
    researcher: Person,
    submit: Send,
    correct: Callable[[], Release],
    work: Callable[[], None],
) -> None:
    def boards() -> list[str]:
        paths = ("/api/v1/boards/pairs", "/api/v1/boards/pairs-2")
        rows = [visitor.get(path).json()["results"] for path in paths]
        return [row["submission"] for (row,) in rows]

    first, second = submit([3, 4]), submit([3, 4, 7])
    chosen = Submission.objects.get(pk=second["id"])
    choose_final(actor=researcher.user, submission=chosen, is_final=True)
    corrected = correct()
    copies = {
        one.rescored_from: str(one.pk) for one in Submission.objects.filter(release=corrected)
    }
    before = {str(one.pk): copy for one, copy in copies.items() if one}
    assert boards() == [first["id"], before[first["id"]]]
    hidden = researcher.browser.get(f"{SUBMISSIONS}/{second['id']}").json()
    assert outcome(hidden) == (False, "not_better", False)
    Release.objects.filter(pk=corrected.pk).update(closes_at=timezone.now())
    work()
    assert boards() == [second["id"], before[second["id"]]]


def test_a_corrected_release_gives_no_new_queries_and_carries_the_choice_and_the_team(
    researcher: Person, release: Release, submit: Send, correct: Callable[[], Release]
) -> None:
    team = create_team(actor=researcher.user, name="Team")
    sent = [submit(wrong) for wrong in ([3, 4], [3, 4, 7])]
    chosen = Submission.objects.get(pk=sent[1]["id"])
    choose_final(actor=researcher.user, submission=chosen, is_final=True)
    corrected = correct()
    copies = Submission.objects.filter(release=corrected).order_by("created_at")
    assert [(one.team, one.is_final) for one in copies] == [(team, False), (team, True)]
    use = count_queries(researcher.user, corrected)
    assert (use.used, use.used_today) == (2, 2)
    third = submit([8, 9], release="pairs-2")
    assert count_queries(researcher.user, corrected).used == 3
    assert count_queries(researcher.user, release).used == 2
    (listed,) = list_submitters(corrected)
    assert (listed.submissions, listed.used) == (3, 3)
    numbers = number_queries(corrected)
    assert [numbers[one.pk] for one in copies] == [1, 2]
    assert numbers[Submission.objects.get(pk=third["id"]).pk] == 3


def test_a_sample_declared_afterwards_is_an_entry_of_its_own(submit: Send) -> None:
    """Else nothing would be compared with the earlier one, whose scores are known."""
    first = submit([5, 6])
    again = submit([5, 6], sample="the first half")
    assert again["id"] != first["id"]
    assert Submission.objects.counted().count() == 2
    assert outcome(submit([0, 5, 6])) == (False, "not_better", False)
    assert str(Submission.objects.without_samples().standing().get().pk) == first["id"]
